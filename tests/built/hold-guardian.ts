import { useGuardian } from "../../src/process/guardian.ts";

const HELD = Symbol.for("coxswain tests hold the guardian of this worker");

// The guardian ends with its last client, and the next client starts another. This client stays open for the life of the worker,
// whose files share their modules, and saves both; the guardian ends with the worker.
if (!Reflect.has(globalThis, HELD)) useGuardian();
Reflect.set(globalThis, HELD, true);
