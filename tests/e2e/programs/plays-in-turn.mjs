// Its n-th start plays the n-th list of steps in PLAY_FOLDER/plays.json, each later one the last list; it records its input.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fillMark } from "../../../src/testing/call-mark.ts";
import { writeAll } from "./claude-lines.mjs";

const folder = process.env.PLAY_FOLDER;
const number = claimNumber();
const told = JSON.parse(process.argv[2]);
let prompt = "";
for await (const chunk of process.stdin.setEncoding("utf8")) prompt += chunk;
writeFileSync(join(folder, "starts", String(number)), JSON.stringify({ prompt, told }));
const plays = JSON.parse(readFileSync(join(folder, "plays.json"), "utf8"));
for (const step of plays[Math.min(number, plays.length - 1)]) await play(step);
process.exit(0);

async function play(step) {
  if (step.waitMs !== undefined) return await sleep(step.waitMs);
  if (step.dies !== undefined) return process.kill(process.pid, step.dies);
  if (step.until === undefined) return writeAll(`${fillMark(JSON.stringify(step), prompt)}\n`);
  while (!existsSync(join(folder, step.until))) await sleep(10);
}

function claimNumber() {
  for (let next = 0; ; next += 1) {
    try {
      writeFileSync(join(folder, "starts", String(next)), "", { flag: "wx" });
      return next;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
  }
}
