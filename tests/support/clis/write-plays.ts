import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FakeStep } from "../../../src/testing/index.ts";
import type { Step } from "./played-cli.ts";

/** The program of the CLIs in these tests. */
export const PLAYER: string = fileURLToPath(new URL("plays-in-turn.sh", import.meta.url));

/** What a start received on stdin, and as its argument. */
export type Received = { readonly prompt: string; readonly told: unknown };

/** No test waits this long: the program becomes the process that sleeps, so that one signal ends it. */
const FOREVER_MS = 60_000;

/** Writes the steps of each start as commands for PLAYER; later starts play `after`, by default the last steps again. */
export function writePlays(
  folder: string,
  plays: readonly (readonly (Step | FakeStep)[])[],
  after: readonly (Step | FakeStep)[] = plays.at(-1) ?? [],
): void {
  mkdirSync(join(folder, "starts"), { recursive: true });
  mkdirSync(join(folder, "plays"));
  for (const [number, play] of [...plays.entries(), ["last", after] as const]) {
    const commands = play.map((step) => `${"do" in step ? toFakeCommand(step) : toCommand(step)}\n`);
    writeFileSync(join(folder, "plays", String(number)), commands.join(""));
  }
}

/** The number of starts so far. */
export function countStarts(folder: string): number {
  return readdirSync(join(folder, "starts")).length;
}

/** What the starts received, in their order. */
export function readStarts(folder: string): readonly Received[] {
  return Array.from({ length: countStarts(folder) }, (_, number) => {
    const [told = "", ...prompt] = readFileSync(join(folder, "starts", String(number)), "utf8").split("\n");
    return { told: JSON.parse(told), prompt: prompt.join("\n") };
  });
}

function toCommand(step: Step): string {
  if ("waitMs" in step) return toSleep(step.waitMs);
  if ("dies" in step) return toKill(step.dies);
  if ("until" in step) return step.until === "never" ? toSleep(Number.MAX_SAFE_INTEGER) : `until_told ${quote(step.until)}`;
  return toPrint(JSON.stringify(step));
}

function toFakeCommand(step: FakeStep): string {
  switch (step.do) {
    case "print":
      return toPrint(JSON.stringify(step.value));
    case "write":
      return `printf %s ${quote(step.text ?? "")}${step.to === "stderr" ? " >&2" : ""}`;
    case "read":
      return "# The input was read before.";
    case "wait":
      return toSleep(step.ms);
    case "ignore-signals":
      return "trap '' INT TERM";
    case "close-stdout":
      return "exec >&-";
    case "leave-process":
      return `setsid sleep ${step.ms / 1000} </dev/null 2>/dev/null ${step.holdStdout === false ? ">/dev/null " : ""}&`;
    case "exit":
      return `exit ${step.code}`;
    case "die":
      return toKill(step.signal);
  }
}

function toPrint(line: string): string {
  return `${line.includes("{{mark}}") ? "say_with_mark" : "say"} ${quote(line)}`;
}

function toSleep(ms: number): string {
  return ms >= FOREVER_MS ? "exec sleep 1000000" : `sleep ${ms / 1000}`;
}

function toKill(signal: NodeJS.Signals): string {
  return `kill -s ${signal.slice("SIG".length)} $$`;
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
