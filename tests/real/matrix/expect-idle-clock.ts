import type { CliName } from "../real-cli.ts";
import { expectAllStopped, stopByClock } from "../stopped-run.ts";

/** Longer than the slowest start on a busy machine: the clock must run out while the tool sleeps, not before. */
const IDLE_MS = 25_000;

/** All of these CLIs, which wait at the same time, are ended by the idle clock while their tools run, and nothing of them stays. */
export async function expectEndedByIdleClock(names: readonly CliName[]): Promise<void> {
  await expectAllStopped(names.map((name) => stopByClock(name, { idleMs: IDLE_MS }, "idle-timeout")));
}
