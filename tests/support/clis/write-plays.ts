import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Play, Step } from "./plays.ts";

/** The program of the CLIs in these tests. */
export const PLAYER: string = fileURLToPath(new URL("plays-in-turn.sh", import.meta.url));

/** What a start received on stdin, and as its argument. */
export type Received = { readonly prompt: string; readonly told: unknown };

/** No test waits this long: the program becomes the process that sleeps, so that one signal ends it. */
const FOREVER_MS = 60_000;

/**
 * Writes the steps of each start as commands for PLAYER; later starts play `after`, by default the last steps again. A start whose steps
 * read nothing reads all its input first.
 */
export function writePlays(folder: string, plays: readonly Play[], after: Play = plays.at(-1) ?? []): void {
  mkdirSync(join(folder, "starts"), { recursive: true });
  mkdirSync(join(folder, "plays"));
  for (const [number, play] of [...plays.entries(), ["last", after] as const]) {
    const reads = play.some((step) => "do" in step && step.do === "read");
    const commands = [...(reads ? [] : ["read_all"]), ...play.map(toCommand)];
    writeFileSync(join(folder, "plays", String(number)), `${commands.join("\n")}\n`);
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
  if ("until" in step) return `until_told ${quote(step.until)}`;
  if (!("do" in step)) return toPrint(JSON.stringify(step));
  switch (step.do) {
    case "print":
      return toPrint(JSON.stringify(step.value));
    case "write":
      if (step.text === undefined) throw new Error("A shell prints text alone.");
      return `printf %s ${quote(step.text)}${step.to === "stderr" ? " >&2" : ""}`;
    case "read":
      return `read_${step.what}`;
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
      return `kill -s ${step.signal.slice("SIG".length)} $$`;
  }
}

function toPrint(line: string): string {
  return `${line.includes("{{mark}}") ? "say_with_mark" : "say"} ${quote(line)}`;
}

function toSleep(ms: number): string {
  return ms >= FOREVER_MS ? "exec sleep 1000000" : `sleep ${ms / 1000}`;
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
