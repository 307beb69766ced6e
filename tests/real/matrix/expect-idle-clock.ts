import type { CliName } from "../../support/real-clis/real-cli.ts";
import { expectAllStopped, stopByClock } from "../stopped-run.ts";

/** Longer than the slowest start on a busy machine: the timeout must come while the tool sleeps, not before. */
const IDLE_MS = 25_000;

/** The idle timeout ends all of these CLIs, which run at the same time, while their tools run, and none of their processes is left. */
export async function expectEndedByIdleClock(names: readonly CliName[]): Promise<void> {
  await expectAllStopped(names.map((name) => stopByClock(name, { idleMs: IDLE_MS }, "idle-timeout")));
}
