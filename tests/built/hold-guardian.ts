import { useGuardian } from "../../src/process/guardian.ts";

const HELD = Symbol.for("coxswain tests hold the guardian of this worker");

// The last client to close lets the guardian go, and the next starts another. One more user for the life of the worker, whose files
// share their modules, saves both; the guardian leaves when the worker does.
if (!Reflect.has(globalThis, HELD)) useGuardian();
Reflect.set(globalThis, HELD, true);
