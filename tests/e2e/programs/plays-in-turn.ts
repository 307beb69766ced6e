// Its n-th start plays the n-th list of steps in PLAY_FOLDER/plays.json, each later one the last list; it records its input.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fillMark } from "../../../src/testing/call-mark.ts";
import { claimNumber } from "../../process/claim-number.ts";
import type { Play, Step } from "../policies-cli.ts";

const folder = process.env["PLAY_FOLDER"] ?? "";
const number = claimNumber(join(folder, "starts"));
const told: unknown = JSON.parse(process.argv[2] ?? "");
let prompt = "";
for await (const chunk of process.stdin.setEncoding("utf8")) prompt += chunk;
writeFileSync(join(folder, "starts", String(number)), JSON.stringify({ prompt, told }));
const plays: readonly Play[] = JSON.parse(readFileSync(join(folder, "plays.json"), "utf8"));
for (const step of plays[Math.min(number, plays.length - 1)] ?? []) await play(step);
process.exit(0);

async function play(step: Step): Promise<void> {
  if ("waitMs" in step) await sleep(step.waitMs);
  else if ("dies" in step) process.kill(process.pid, step.dies);
  else if ("until" in step) await untilTold(step.until);
  else writeFileSync(1, `${fillMark(JSON.stringify(step), prompt)}\n`);
}

async function untilTold(word: string): Promise<void> {
  while (!existsSync(join(folder, word))) await sleep(10);
}
