import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { EventBody, RunEvent } from "../../src/spec/wire/events.ts";
import { checkGrammar } from "../support/runs/check-grammar.ts";
import { compareCall } from "./compare-call.ts";
import { findLeftovers, holdingsBefore } from "./leftovers.ts";
import { createAbleClient, runDecided } from "./model/predict-decided.ts";
import { compareQuotas } from "./quota-files.ts";
import type { SeenCall } from "./run-call.ts";
import { openSoakPlace, SOAK_MARK } from "./soak-place.ts";

const START: EventBody = { type: "run-start", runId: "r" };
const END: EventBody = { type: "run-end", finish: "stop" };
const ATTEMPT = { type: "attempt-start", provider: "a", transport: "spawn", warm: false } as const;

function numbered(...bodies: readonly EventBody[]): readonly RunEvent[] {
  return bodies.map((body, seq) => ({ ...body, seq, atMs: seq }));
}

it("a valid run passes", () => {
  const said: EventBody = { type: "text-delta", messageId: "m", text: "Hi" };
  expect(checkGrammar(numbered(START, { ...ATTEMPT, attempt: 1 }, said, END))).toEqual([]);
});

it.each([
  ["no beginning", numbered(END)],
  ["two ends", numbered(START, END, END)],
  ["something after the end", numbered(START, END, { type: "warning", code: "w", message: "" })],
  ["a gap in its numbers", numbered(START, END).map((event) => ({ ...event, seq: event.seq * 2 }))],
  ["a tool that never ends", numbered(START, { type: "tool-start", id: "t", name: "Bash" }, END)],
  [
    "an id that two attempts use",
    numbered(
      START,
      { ...ATTEMPT, attempt: 1 },
      { type: "text-delta", messageId: "m", text: "a" },
      { ...ATTEMPT, attempt: 2 },
      { type: "text-delta", messageId: "m", text: "b" },
      END,
    ),
  ],
])("a run with %s does not", (_what, events) => {
  expect(checkGrammar(events)).not.toEqual([]);
});

const CALL = {
  targets: [{ provider: "a" }],
  request: {},
  reads: "result",
  script: { a: [{ end: "answer", output: "text", tokens: 100 }] },
} as const;
const SEEN: SeenCall = {
  events: numbered(START, { ...ATTEMPT, attempt: 1 }, END),
  result: {
    text: "Answer 1 of a.",
    finish: "stop",
    toolCalls: [],
    permissionDenials: [],
    warnings: [],
    usage: { totalTokens: 100, estimated: false, scope: "turn" },
  },
  processes: { a: 1 },
  runIds: ["r"],
  elapsedMs: 1,
};

it("a call that matches its prediction passes, and one that differs in any field does not", () => {
  const prediction = runDecided(createAbleClient(), CALL);
  const compare = (changes: Partial<SeenCall>): readonly string[] => compareCall("1", CALL, prediction, { ...SEEN, ...changes });
  expect(compare({})).toEqual([]);
  expect(compare({ events: numbered(START, { ...ATTEMPT, attempt: 2 }, END) })).toHaveLength(1);
  expect(compare({ result: { ...SEEN.result, text: "Another." } })).toHaveLength(1);
  expect(compare({ result: { ...SEEN.result, costUsd: 1 } })).toHaveLength(1);
  expect(compare({ processes: { a: 2 } })).toHaveLength(1);
  expect(compare({ runIds: ["r", "r"] })).toHaveLength(1);
  expect(compare({ elapsedMs: 3_600_000 })).toHaveLength(1);
});

it("a missing or an additional quota file is found", () => {
  const script = { a: [{ end: "quota-exhausted", output: "nothing", resetAt: 60_000 }] } as const;
  const prediction = runDecided(createAbleClient(), { ...CALL, script });
  const file = { provider: "a", resetAt: new Date(60_000).toISOString(), seenAt: new Date(0).toISOString(), message: "" };
  expect(compareQuotas(prediction, [file], 1)).toEqual([]);
  expect(compareQuotas(prediction, [], 1)).toHaveLength(1);
  expect(compareQuotas(prediction, [file, { ...file, profile: "work" }], 1)).toHaveLength(1);
});

it("every leftover of a soak is found", async () => {
  const before = await holdingsBefore();
  const place = openSoakPlace();
  const { signal } = new AbortController();
  onTestFinished(() => place.remove());
  expect(await findLeftovers(place, before, signal)).toEqual([]);
  const left = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"], {
    env: { [SOAK_MARK]: place.mark },
    stdio: "ignore",
  });
  const descriptors = Array.from({ length: 5 }, () => openSync(join(place.directory, "open"), "w"));
  const timers = Array.from({ length: 5 }, () => setTimeout(() => {}, 60_000));
  signal.addEventListener("abort", () => {});
  writeFileSync(join(place.temporary, "coxswain-1"), "");
  mkdirSync(place.quotaDirectory("state-1"), { recursive: true });
  writeFileSync(join(place.quotaDirectory("state-1"), "a-1.json"), "{");
  writeFileSync(join(place.quotaDirectory("state-1"), "a-1.json.17-abc"), "{}");
  const found = await findLeftovers(place, before, signal);
  const exit = once(left, "exit");
  left.kill("SIGKILL");
  await exit;
  for (const descriptor of descriptors) closeSync(descriptor);
  for (const timer of timers) clearTimeout(timer);
  const kinds = ["processes:", "open files:", "resources:", "listeners", "temporary files:", "a-1.json.17-abc", "cannot be read"];
  expect(kinds.filter((kind) => !found.some((what) => what.includes(kind)))).toEqual([]);
}, 60_000);
