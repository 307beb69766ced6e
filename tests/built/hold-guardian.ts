import { afterAll } from "vitest";
import { useGuardian } from "../../src/process/guardian.ts";

// The last client to close lets the guardian go, and the next starts another. One more user for the length of a file saves both.
const { leave } = useGuardian();
afterAll(leave);
