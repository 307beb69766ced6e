import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import { builtinProviders, type RunEvent } from "../../src/index.ts";
import type { Provider } from "../../src/provider.ts";
import { type Recording, readRecordedCase, replayRecording } from "../../src/testing/index.ts";
import { createRandom, happens, pick, type Random, wholeBetween } from "../support/random.ts";
import { mutate } from "../support/recordings/mutate.ts";
import { seedOf, shuffled } from "../support/recordings/seeds.ts";
import { findBrokenRules } from "../support/runs/event-rules.ts";
import type { AttackJob, Subject, Verdict } from "./attack-case.ts";

const FIXTURES = join(import.meta.dirname, "../../fixtures");
const MUTATIONS = 100;
const SHOWN = 3;

/** Mutated recordings, replayed: `mutations/<provider>/<fixture>`, one of them with `#<number>` behind it. */
export const mutations: Subject = {
  name: "mutations",
  share: 1,
  atOnce: 1,
  deadlineMs: 60_000,
  select(beginning, seed) {
    const [folder = "", number] = beginning.split("#");
    const names = builtinProviders.flatMap(({ id }) => listFixtures(id).map((fixture) => `mutations/${id}/${fixture}`));
    if (number !== undefined) return names.includes(folder) ? [beginning] : [];
    return shuffled(names, createRandom(seedOf(seed, "mutations"))).filter((name) => name.startsWith(beginning));
  },
  run: judgeFixture,
};

function listFixtures(provider: string): readonly string[] {
  const folder = join(FIXTURES, provider);
  return existsSync(folder) ? readdirSync(folder).filter((name) => existsSync(join(folder, name, "expected.json"))) : [];
}

async function judgeFixture({ name, seed }: AttackJob): Promise<Verdict> {
  const [path = "", number] = name.split("#");
  const [, id = "", fixture = ""] = path.split("/");
  const provider = builtinProviders.find((one) => one.id === id);
  if (provider === undefined) throw new Error(`no provider ${id}`);
  const { recording } = readRecordedCase(join(FIXTURES, id, fixture));
  const numbers = number === undefined ? Array.from({ length: MUTATIONS }, (_, index) => index) : [Number(number)];
  const problems = new Map<string, string>();
  for (const one of numbers) {
    const found = judgeMutation(provider, recording, createRandom(seedOf(seed, `${path}#${one}`)));
    for (const problem of found) if (!problems.has(kindOf(problem))) problems.set(kindOf(problem), `#${one} ${problem}`);
    await turnOfLoop();
  }
  return { problems: [...problems.values()].slice(0, SHOWN), counts: { recordings: numbers.length } };
}

/** Problems that differ only in names and numbers are of one kind. */
function kindOf(problem: string): string {
  return problem.replace(/ \(.*/s, "").replaceAll(/[\w-]*\d[\w:.-]*/g, "");
}

function judgeMutation(provider: Provider, recording: Recording, random: Random): readonly string[] {
  const { bytes, what } = mutate(Buffer.from(recording.stdout), random);
  const changed: Recording = { ...recording, stdout: bytes, ...drawExit(random) };
  const about = (problem: string): string => `${problem} (${what.join(", ")})`;
  try {
    const runs = replayRecording(provider, changed);
    const splitAt = drawSplits(bytes.length, random);
    const found = runs.flatMap((events) => findBrokenRules(events));
    if (runs.length === 0) found.push("the recording gives no run");
    if (toText(replayRecording(provider, changed, { splitAt })) !== toText(runs))
      found.push(`other events when split at ${splitAt}`);
    return found.map(about);
  } catch (error) {
    return [about(`throws ${error instanceof Error ? error.stack : error}`)];
  }
}

function drawExit(random: Random): Partial<Recording> {
  if (happens(random, 0.7)) return {};
  const stderr = pick(random, ["", "\n", "Error: \u001b[31mno\r\n\0", "at a\n".repeat(5000), "{}", "[object Object]"]);
  const ends = [{ exitCode: 0 }, { exitCode: 1 }, { exitCode: 255 }, { signal: "SIGKILL" }, { signal: "SIGSEGV" }] as const;
  return { stderr, ...pick<Partial<Recording>>(random, ends) };
}

function drawSplits(length: number, random: Random): readonly number[] {
  const splits = Array.from({ length: wholeBetween(random, 1, 5) }, () => wholeBetween(random, 0, length));
  return splits.toSorted((one, other) => one - other);
}

/** Events that are no JSON break another rule. */
function toText(runs: readonly (readonly RunEvent[])[]): string {
  try {
    return JSON.stringify(runs);
  } catch {
    return "";
  }
}
