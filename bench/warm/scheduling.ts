import { readFileSync } from "node:fs";

const POLICIES: Readonly<Record<number, string>> = { 1: "real-time (FIFO)", 2: "real-time (round robin)" };

/** How the system schedules this process and those that it starts. */
export function readScheduling(): string {
  // The name of the program is in brackets and may contain blanks.
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)?.trim().split(" ").map(Number) ?? [];
  const [nice = 0, policy = 0] = [fields[16], fields[38]];
  return POLICIES[policy] ?? (nice === 0 ? "normal" : `nice ${nice}`);
}
