import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Client, createClient, type RunContext, RunError, type RunEvent, type RunRequest } from "../../src/index.ts";
import { createRandom, pick, type Random } from "../support/random.ts";
import { seedOf, shuffled } from "../support/recordings/seeds.ts";
import { findBrokenRules } from "../support/runs/event-rules.ts";
import type { AttackJob, Subject, Verdict } from "./attack-case.ts";
import { type CasePlace, openCasePlace } from "./case-place.ts";
import { HOSTILE_PROGRAMS, type HostileProgram, type WireName } from "./hostile-programs.ts";
import { answerBy } from "./odd-answers.ts";
import { findSecrets, makeSecrets, type Secrets } from "./secrets.ts";

/** A run ends at its timeout, and a client closes within three seconds; the rest is for a busy machine. */
const GRACE_MS = 5000;
const CLOSE_MS = 3000 + GRACE_MS;

/** How the events of a run are read. */
const READERS = ["at once", "slowly", "as a result"] as const;

/** Hostile programs in the place of a CLI: `programs/<wire>/<program>`. */
export const programs: Subject = {
  name: "programs",
  share: 4,
  atOnce: Number.POSITIVE_INFINITY,
  deadlineMs: 40_000,
  select(beginning, seed) {
    const names = HOSTILE_PROGRAMS.flatMap(({ name, wires }) => wires.map((wire) => `programs/${wire}/${name}`));
    return shuffled(names, createRandom(seedOf(seed, "programs"))).filter((name) => name.startsWith(beginning));
  },
  run: judgeProgram,
};

async function judgeProgram({ name, seed }: AttackJob): Promise<Verdict> {
  const [, wire, programName] = name.split("/");
  const program = HOSTILE_PROGRAMS.find((one) => one.name === programName);
  if (program === undefined || (wire !== "claude" && wire !== "codex")) throw new Error(`no case ${name}`);
  const random = createRandom(seedOf(seed, name));
  const place = openCasePlace();
  const secrets = makeSecrets(random);
  const binaries = { [wire]: place.makeProgram(wire, new URL("./programs/play.mjs", import.meta.url)) };
  const env = { ...place.env, ...secrets, ATTACK_WIRE: wire, ATTACK_SECRETS: Object.keys(secrets).join(" ") };
  const client = createClient({ binaries, env, policies: false });
  const problems = [...(await judgeRun(client, place, wire, program, secrets, random))];
  if (!existsSync(join(place.directory, "played"))) problems.push("the program did not run");
  problems.push(...(await judgeNextRun(client, wire)));
  const closedAt = performance.now();
  await client.close();
  const closeMs = performance.now() - closedAt;
  if (closeMs > CLOSE_MS) problems.push(`close() took ${Math.round(closeMs)} ms`);
  problems.push(...(await place.close()));
  return { problems, counts: { runs: 2 } };
}

async function judgeRun(
  client: Client,
  place: CasePlace,
  wire: WireName,
  program: HostileProgram,
  secrets: Secrets,
  random: Random,
): Promise<readonly string[]> {
  const cwd = join(place.directory, "work");
  mkdirSync(cwd);
  const choice = String(Math.floor(random() * 1000));
  const request: RunRequest = {
    prompt: "Say something.",
    timeouts: { totalMs: program.totalMs },
    ...(program.isAgent && { mode: "agent", cwd }),
    ...program.request,
    env: { ATTACK_PROGRAM: program.name.split("@")[0] ?? "", ATTACK_CHOICE: choice },
  };
  const context = program.answer === undefined ? {} : { onPermission: answerBy(program.answer) };
  const startedAt = performance.now();
  const { events, endedAt, problems } = await read(client, wire, request, context, pick(random, READERS));
  const late = endedAt - startedAt - program.totalMs - GRACE_MS;
  return [
    ...problems,
    ...findBrokenRules(events),
    ...findSecrets(events, secrets),
    ...(late > 0 ? [`the run ended ${Math.round(late + GRACE_MS)} ms after its timeout`] : []),
  ];
}

type Reading = { readonly events: readonly RunEvent[]; readonly endedAt: number; readonly problems: readonly string[] };

/** Reads the events; throws nothing, because a stream never throws. */
async function read(
  client: Client,
  wire: WireName,
  request: RunRequest,
  context: RunContext,
  reader: (typeof READERS)[number],
): Promise<Reading> {
  const stream = client.run(wire, request, { ...context, keepEvents: reader === "as a result" });
  const ended = stream.outcome().then((outcome) => ({ outcome, endedAt: performance.now() }));
  const events: RunEvent[] = [];
  const problems: string[] = [];
  if (reader !== "as a result") {
    for await (const event of stream) {
      events.push(event);
      if (reader === "slowly" && events.length % 1000 === 1) await sleep(10);
    }
  }
  const rejected: unknown = await stream.result().catch((error: unknown) => error);
  const { outcome, endedAt } = await ended;
  const isRunError = RunError.is(rejected);
  if (isRunError !== (outcome.failure !== undefined)) problems.push(`result() gave ${String(rejected)}`);
  return { events: reader === "as a result" ? (outcome.events ?? []) : events, endedAt, problems };
}

/** A hostile run must not spoil those after it. */
async function judgeNextRun(client: Client, wire: WireName): Promise<readonly string[]> {
  const { text, failure } = await client.run(wire, { prompt: "Say something.", env: { ATTACK_PROGRAM: "answers" } }).outcome();
  if (text === "All good.") return [];
  return [`the next run gave ${failure === undefined ? JSON.stringify(text) : `${failure.code}: ${failure.message}`}`];
}
