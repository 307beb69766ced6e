import { expect, it } from "vitest";
import type { EventBody, RunEvent } from "../../src/spec/wire/events.ts";
import { createRandom } from "../support/random.ts";
import { mutate } from "../support/recordings/mutate.ts";
import { findBrokenRules } from "../support/runs/event-rules.ts";
import { HOSTILE_PROGRAMS } from "./hostile-programs.ts";
import { LoopWatch } from "./loop-watch.ts";
import { selectCases } from "./run-attack.ts";
import { findSecrets, makeSecrets } from "./secrets.ts";
import { SHAPES } from "./shapes.ts";
import { SUBJECTS } from "./subjects.ts";

const START: EventBody = { type: "run-start", runId: "r" };
const ATTEMPT: EventBody = { type: "attempt-start", provider: "a", transport: "spawn", warm: false, attempt: 1 };
const SAID: EventBody = { type: "text-delta", messageId: "m", text: "Hi" };
const END: EventBody = { type: "run-end", finish: "stop", answerId: "m" };
const SESSION: EventBody = { type: "session-start", sessionId: "s" };
const USAGE = { estimated: false, scope: "turn" } as const;

function numbered(...bodies: readonly EventBody[]): readonly RunEvent[] {
  return bodies.map((body, seq) => ({ ...body, seq, atMs: seq }));
}

it("a valid run breaks no rule", () => {
  expect(findBrokenRules(numbered(START, ATTEMPT, SESSION, SAID, END))).toEqual([]);
});

it.each([
  ["no end", [START, ATTEMPT, SAID]],
  ["two sessions", [START, ATTEMPT, SESSION, SESSION, SAID, END]],
  ["an answer that is not its last message", [START, ATTEMPT, SAID, { ...SAID, messageId: "n" }, END]],
  ["an empty piece of text", [START, ATTEMPT, { ...SAID, text: "" }, SAID, END]],
  ["negative tokens", [START, ATTEMPT, { type: "usage", usage: { ...USAGE, inputTokens: -1 } }, SAID, END]],
  ["an infinite cost", [START, ATTEMPT, { type: "usage", usage: USAGE, costUsd: Number.POSITIVE_INFINITY }, SAID, END]],
  ["an error without a failure", [START, ATTEMPT, { type: "run-end", finish: "error" }]],
  [
    "two tools of one id",
    [START, ATTEMPT, { type: "tool-start", id: "t", name: "a" }, { type: "tool-start", id: "t", name: "a" }, END],
  ],
] satisfies readonly (readonly [string, readonly EventBody[]])[])("a run with %s does", (_what, bodies) => {
  expect(findBrokenRules(numbered(...bodies))).not.toEqual([]);
});

it("a value that JSON cannot hold breaks a rule", () => {
  let deep: { a?: object } = {};
  for (let level = 0; level < 20_000; level += 1) deep = { a: deep };
  const [native] = numbered({ type: "native" });
  const events = [...numbered(START, ATTEMPT, SAID, END)];
  events.splice(2, 0, Object.assign({}, native, { value: deep, seq: 2, atMs: 2 }));
  expect(findBrokenRules(events).join()).toContain("native is no JSON");
});

it("a secret in an event is found", () => {
  const secrets = makeSecrets(createRandom(1));
  const told: EventBody = { type: "warning", code: "cli-warning", message: `It is ${secrets["SERVICE_SECRET"]}.` };
  expect(findSecrets(numbered(START, told), secrets)).toEqual(["warning tells SERVICE_SECRET"]);
  expect(findSecrets(numbered(START, SAID), secrets)).toEqual([]);
});

it("the watch sees a loop that computes, and not one that waits", async () => {
  const idle = new LoopWatch();
  await new Promise((resolve) => setTimeout(resolve, 300));
  const idleMs = idle.end();
  const busy = new LoopWatch();
  const until = process.threadCpuUsage().user + 200_000;
  // Most of the time of a call of threadCpuUsage is the system's, which does not count.
  while (process.threadCpuUsage().user < until) for (let round = 0; round < 100_000; round += 1) Math.sqrt(round);
  const busyMs = busy.end();
  expect(busyMs).toBeGreaterThanOrEqual(200);
  expect(idleMs).toBeLessThan(busyMs);
});

it("every case has its own name, which selects it alone", () => {
  for (const subject of SUBJECTS) {
    const names = selectCases(subject, "", 3);
    expect(names.length).toBeGreaterThanOrEqual(40);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names.slice(0, 50)) expect(selectCases(subject, name, 4)).toEqual([name]);
  }
  expect(new Set(SHAPES.map(({ name }) => name)).size).toBe(SHAPES.length);
  expect(new Set(HOSTILE_PROGRAMS.map(({ name }) => name)).size).toBe(HOSTILE_PROGRAMS.length);
});

it("a shape is as long as it is asked to be", () => {
  for (const { name, make } of SHAPES) {
    const bytes = Buffer.byteLength(make(100_000));
    expect(bytes, name).toBeGreaterThan(90_000);
    expect(bytes, name).toBeLessThan(130_000);
  }
});

it("the same seed makes the same cases and mutations", () => {
  const bytes = Buffer.from('{"type":"result","usage":{"a":1}}\n'.repeat(20));
  const mutations = (seed: number): readonly string[] => {
    const random = createRandom(seed);
    return Array.from({ length: 100 }, () => mutate(bytes, random).bytes.toString("latin1"));
  };
  expect(mutations(5)).toEqual(mutations(5));
  expect(mutations(5)).not.toEqual(mutations(6));
  for (const subject of SUBJECTS) expect(selectCases(subject, "", 5)).toEqual(selectCases(subject, "", 5));
});
