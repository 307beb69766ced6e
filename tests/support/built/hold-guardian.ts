import { useGuardian } from "../../../src/process/guardian/guardian.ts";

const HELD = Symbol.for("coxswain tests hold the guardian of this worker");

type Held = { leave: () => Promise<void> };

// The guardian ends with its last client, and the next client starts another. This client stays open for the life of the worker,
// whose files share their modules, and saves both; the guardian ends with the worker.
if (!Reflect.has(globalThis, HELD)) Reflect.set(globalThis, HELD, { leave: useGuardian().leave } satisfies Held);

/** Runs a part of a test in which the guardian ends with the last client of the test. */
export async function withoutHeldGuardian<Result>(act: () => Promise<Result>): Promise<Result> {
  const held = Reflect.get(globalThis, HELD) as Held;
  await held.leave();
  try {
    return await act();
  } finally {
    held.leave = useGuardian().leave;
  }
}
