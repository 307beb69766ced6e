import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Play, Step } from "./policies-cli.ts";

/** Writes the plays of a CLI as the commands that programs/plays-in-turn.sh reads: one file for each start, and `last` for later ones. */
export function writePlays(folder: string, plays: readonly Play[]): void {
  mkdirSync(join(folder, "starts"), { recursive: true });
  mkdirSync(join(folder, "plays"));
  for (const [number, play] of [...plays.entries(), ["last", plays.at(-1) ?? []] as const])
    writeFileSync(join(folder, "plays", String(number)), play.map((step) => `${toCommand(step)}\n`).join(""));
}

function toCommand(step: Step): string {
  if ("waitMs" in step) return `sleep ${step.waitMs / 1000}`;
  if ("dies" in step) return `kill -s ${step.dies.slice("SIG".length)} $$`;
  // A process of its own for each look would cost more than the test.
  if ("until" in step) return step.until === "never" ? "exec sleep 1000000" : `until_told ${quote(step.until)}`;
  const line = JSON.stringify(step);
  return `${line.includes("{{mark}}") ? "say_with_mark" : "say"} ${quote(line)}`;
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
