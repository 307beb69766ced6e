import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { processesIn } from "../../support/processes/process-scan.ts";

/** The ways of the program `hides-children` that work without a tool. */
export const WAYS = [
  "orphan",
  "overwritten environment",
  "shell that has exited",
  "daemon",
  "unseen daemons",
  "chain",
  "false guardian",
  "successor",
] as const;

/** Races need rounds: STOP_ROUNDS=100 for a thorough search. */
const ROUNDS = Number(process.env["STOP_ROUNDS"] ?? 2);
const AT_ONCE = Math.min(ROUNDS, 4);
/** The timeout of a test with rounds. */
export const ROUNDS_TIMEOUT_MS: number = 30_000 + 5_000 * ROUNDS;

/** Looks several times, because a process may start its successor and exit between two looks. */
export async function expectNothingIn(directory: string): Promise<void> {
  for (let look = 0; look < 5; look += 1, await sleep(40)) expect(await processesIn(directory)).toEqual([]);
}

/** Runs all rounds, some at a time, and reports how many failed with the first error. */
export async function inRounds(round: () => Promise<void>): Promise<void> {
  const errors: unknown[] = [];
  let left = ROUNDS;
  const work = async (): Promise<void> => {
    for (; left > 0; ) {
      left -= 1;
      await round().catch((error: unknown) => errors.push(error));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (errors.length > 0) throw new Error(`${errors.length} of ${ROUNDS} rounds failed`, { cause: errors[0] });
}
