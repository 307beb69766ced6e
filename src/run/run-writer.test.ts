import { expect, it } from "vitest";
import type { RunEvent } from "../spec/wire/events.ts";
import type { Usage } from "../spec/wire/usage.ts";
import { RunWriter } from "./run-writer.ts";

const CLI = { provider: "a", transport: "spawn", warm: false } as const;

it("events are numbered from zero and timed from the beginning of the run", () => {
  const { writer, at } = open();
  writer.write({ type: "run-start", runId: "r" });
  at(12.4);
  writer.writeText("m", "a");
  writer.write({ type: "text-end", messageId: "m" });
  at(99.5);
  writer.write({ type: "run-end", finish: "stop" });
  expect(writer.take().map(({ type, seq, atMs }) => [type, seq, atMs])).toEqual([
    ["run-start", 0, 0],
    ["text-delta", 1, 12],
    ["text-end", 2, 12],
    ["run-end", 3, 100],
  ]);
});

it("each event is flushed once, the numbers continue, and listeners are called for every batch until they are removed", () => {
  const { writer, batches } = open();
  let heard = 0;
  const leave = writer.onFlush(() => {
    heard += 1;
  });
  writer.write({ type: "run-start", runId: "r" });
  writer.flush();
  writer.flush();
  writer.write({ type: "warning", code: "c", message: "m" });
  writer.flush();
  leave();
  writer.write({ type: "run-end", finish: "stop" });
  writer.flush();
  expect(batches.map((batch) => batch.map(({ seq }) => seq))).toEqual([[0], [1], [2]]);
  expect(heard).toBe(2);
});

it("attempts are numbered, and all except the first have a prefix for their ids", () => {
  const { writer } = open();
  expect(writer.beginAttempt(CLI)).toBe("");
  expect(writer.beginAttempt({ ...CLI, provider: "b" })).toBe("2:");
  expect(writer.beginAttempt(CLI)).toBe("3:");
  expect(writer.take()).toMatchObject([{ attempt: 1 }, { attempt: 2, provider: "b" }, { attempt: 3 }]);
});

it("the first process has the id of the run, and the ids of the others begin with it", () => {
  const { writer } = open();
  expect([writer.nextProcessId(), writer.nextProcessId(), writer.nextProcessId()]).toEqual(["run", "run+2", "run+3"]);
});

it("within an attempt the last usage is used; the usages of attempts are added up", () => {
  const { writer } = open();
  writer.beginAttempt(CLI);
  writer.write({ type: "usage", usage: usage(10), costUsd: 0.1 });
  writer.write({ type: "usage", usage: usage(30), costUsd: 0.2 });
  writer.beginAttempt(CLI);
  writer.write({ type: "usage", usage: usage(5) });
  writer.write({ type: "usage", usage: usage(7), costUsd: 0.1 });
  const reports = writer.take().filter(({ type }) => type === "usage");
  expect(reports).toMatchObject([
    { usage: { totalTokens: 10 }, costUsd: 0.1 },
    { usage: { totalTokens: 30 }, costUsd: 0.2 },
    { usage: { totalTokens: 35 }, costUsd: 0.2 },
    { usage: { totalTokens: 37 }, costUsd: 0.3 },
  ]);
  expect(writer).toMatchObject({ usage: { totalTokens: 37 }, costUsd: 0.3 });
});

it("a report without a cost does not lower the cost of the run", () => {
  const { writer } = open();
  writer.beginAttempt(CLI);
  writer.write({ type: "usage", usage: usage(10), costUsd: 0.1 });
  writer.beginAttempt(CLI);
  writer.write({ type: "usage", usage: usage(5), costUsd: 0.2 });
  writer.write({ type: "usage", usage: usage(6) });
  expect(writer.take().at(-1)).toMatchObject({ costUsd: 0.3 });
});

it("a message with an empty id counts as shown", () => {
  const { writer } = open();
  writer.writeText("", "a");
  expect(writer.trace).toMatchObject({ hasShown: true, messageIds: new Set([""]) });
});

it("the trace has what was shown and done since forgetTrace()", () => {
  const { writer } = open();
  writer.beginAttempt(CLI);
  writer.writeText("m", "a");
  writer.write({ type: "tool-start", id: "t", name: "Read" });
  expect(writer.trace).toMatchObject({ hasBegun: true, hasShown: true, hasActed: true, messageIds: new Set(["m"]) });
  writer.forgetTrace();
  expect(writer.trace).toMatchObject({ hasBegun: false, hasShown: false, hasActed: false });
  writer.write({ type: "reasoning-delta", messageId: "r", text: "hm" });
  writer.writeText("2:m", "a");
  writer.write({ type: "text-reset", messageId: "2:m" });
  expect(writer.trace).toMatchObject({ hasShown: true, messageIds: new Set(["r"]) });
  writer.writeText("2:m", "b");
  expect(writer.trace.messageIds).toEqual(new Set(["r", "2:m"]));
});

it("a warning is not repeated about the same subject", () => {
  const { writer } = open();
  const [target, same] = [{ provider: "a" }, { provider: "a" }];
  writer.warnOnce(target, { code: "setting-ignored", message: "No effort." });
  writer.warnOnce(target, { code: "setting-ignored", message: "No effort." });
  writer.warnOnce(target, { code: "setting-ignored", message: "No turns." });
  writer.warnOnce(same, { code: "setting-ignored", message: "No turns." });
  expect(writer.take()).toHaveLength(3);
});

function open(): {
  readonly writer: RunWriter;
  readonly batches: (readonly RunEvent[])[];
  readonly at: (ms: number) => void;
} {
  let now = 5_000.25;
  const batches: (readonly RunEvent[])[] = [];
  const writer = new RunWriter(
    "run",
    () => now,
    (batch) => batches.push(batch),
  );
  const at = (ms: number): void => {
    now = 5_000.25 + ms;
    writer.tick();
  };
  return { writer, batches, at };
}

function usage(totalTokens: number): Usage {
  return { totalTokens, estimated: false, scope: "turn" };
}
