import { expect, it } from "vitest";
import { RunWriter } from "../run/run-writer.ts";
import type { EventDraft, RunEvent } from "../spec/wire/events.ts";
import { EventLog } from "./event-log.ts";

it("the end of a call has its name, input and duration", () => {
  const { log, writer, at } = startLog();
  at(100);
  log.add({ type: "tool-start", id: "t", name: "Read" });
  at(150);
  log.add({ type: "tool-call", id: "t", name: "Read", input: { path: "a" }, executor: "cli" });
  at(350);
  log.add({ type: "tool-end", id: "t", output: "text", isError: false });
  expect(endsOf(writer)).toEqual([
    {
      type: "tool-end",
      id: "t",
      name: "Read",
      input: { path: "a" },
      output: "text",
      isError: false,
      durationMs: 250,
      seq: 2,
      atMs: 350,
    },
  ]);
});

it("a call that ends before its input is known has the input null", () => {
  const { log, writer } = startLog();
  addAll(log, [start("t"), end("t")]);
  expect(endsOf(writer)).toMatchObject([{ id: "t", name: "Tool t", input: null }]);
});

it("details of the CLI are in the tool-end, and absent if it reported none", () => {
  const { log, writer } = startLog();
  addAll(log, [start("a"), { ...end("a"), details: { stdout: "x" } }, start("b"), { ...end("b"), isError: true }]);
  const [first, second] = endsOf(writer);
  expect(first).toMatchObject({ details: { stdout: "x" }, isError: false });
  expect(second).toMatchObject({ isError: true });
  expect(second).not.toHaveProperty("details");
  expect(second).not.toHaveProperty("synthetic");
});

it("the end of a call without a start gives no event", () => {
  const { log, writer } = startLog();
  addAll(log, [end("stranger"), start("t"), end("t"), end("t")]);
  expect(writer.take().map(({ type, seq }) => [type, seq])).toEqual([
    ["tool-start", 0],
    ["tool-end", 1],
  ]);
});

it("a second start of an open call gives no event and does not change its duration", () => {
  const { log, writer, at } = startLog();
  log.add(start("t"));
  at(70);
  log.add(start("t"));
  at(100);
  log.add(end("t"));
  const events = writer.take();
  expect(events.map(({ type }) => type)).toEqual(["tool-start", "tool-end"]);
  expect(events[1]).toMatchObject({ durationMs: 100 });
});

it("open calls are closed in the order of their starts; a call without input is reset", () => {
  const { log, writer, at } = startLog();
  addAll(log, [start("a"), start("b"), start("c"), start("d")]);
  addAll(log, [{ type: "tool-call", id: "c", name: "Grep", input: { q: 1 }, executor: "cli" }, end("b")]);
  writer.take();
  at(40);
  log.closeOpenCalls();
  const closed = { type: "tool-end", output: null, isError: false, synthetic: true, durationMs: 40 };
  expect(writer.take()).toEqual([
    { type: "tool-reset", id: "a", atMs: 40, seq: 6 },
    { ...closed, id: "c", name: "Grep", input: { q: 1 }, atMs: 40, seq: 7 },
    { type: "tool-reset", id: "d", atMs: 40, seq: 8 },
  ]);
  log.closeOpenCalls();
  expect(writer.take()).toEqual([]);
});

it("a call of a sub-agent keeps its parent, also if only its start has it", () => {
  const { log, writer } = startLog();
  addAll(log, [{ ...start("a"), parentToolId: "p" }, end("a"), { ...start("b"), parentToolId: "p" }]);
  log.add({ type: "tool-call", id: "b", name: "Tool b", input: null, executor: "cli" });
  log.closeOpenCalls();
  expect(endsOf(writer)).toMatchObject([
    { id: "a", parentToolId: "p" },
    { id: "b", parentToolId: "p", synthetic: true },
  ]);
});

it("the partial text is that of the last main message only", () => {
  const { log } = startLog();
  expect(log.facts().partialText).toBe("");
  addAll(log, [
    text("a", "Let me"),
    text("a", " look."),
    text("b", "It is"),
    text("b", " noon."),
    { type: "text-end", messageId: "b" },
  ]);
  expect(log.facts().partialText).toBe("It is noon.");
});

it("text of sub-agents is not in the partial text", () => {
  const { log } = startLog();
  addAll(log, [text("a", "Main."), { ...text("s", "Sub."), parentToolId: "p" }]);
  expect(log.facts().partialText).toBe("Main.");
});

it("reset text is not in the partial text, and text after the reset is", () => {
  const { log } = startLog();
  addAll(log, [text("a", "Wrong"), { type: "text-reset", messageId: "a" }]);
  expect(log.facts().partialText).toBe("");
  log.add(text("a2", "Right"));
  expect(log.facts().partialText).toBe("Right");
});

it("after a reset of the last message the partial text is the message before it", () => {
  const { log } = startLog();
  addAll(log, [
    text("a", "First."),
    { type: "text-end", messageId: "a" },
    text("b", "Second"),
    { type: "text-reset", messageId: "b" },
  ]);
  expect(log.facts().partialText).toBe("First.");
});

it("a reset of an earlier message does not change the last one", () => {
  const { log } = startLog();
  addAll(log, [text("a", "Old"), text("b", "New"), { type: "text-reset", messageId: "a" }]);
  expect(log.facts().partialText).toBe("New");
});

it("numbers that cannot be right are left out of the usage, with one warning", () => {
  const { log, writer } = startLog();
  const usage = { inputTokens: -1, outputTokens: 2, totalTokens: Number.NaN, estimated: false, scope: "turn" } as const;
  addAll(log, [
    { type: "usage", usage, costUsd: Number.POSITIVE_INFINITY },
    { type: "usage", usage, costUsd: 0.5 },
  ]);
  const message = "The CLI reported numbers that cannot be right, and they were left out: inputTokens, totalTokens, costUsd.";
  expect(writer.take()).toMatchObject([
    { type: "warning", code: "usage-unsound", message },
    { type: "usage", usage: { outputTokens: 2, estimated: false, scope: "turn" } },
    { type: "usage", usage: { outputTokens: 2 }, costUsd: 0.5 },
  ]);
  expect([writer.usage?.inputTokens, writer.costUsd, log.facts().usage?.outputTokens]).toEqual([undefined, 0.5, 2]);
});

it("a usage without any number that can be right is no usage", () => {
  const { log, writer } = startLog();
  log.add({ type: "usage", usage: { outputTokens: -1, estimated: false, scope: "turn" }, costUsd: -1 });
  expect(writer.take().map(({ type }) => type)).toEqual(["warning"]);
  expect(log.facts().usage).toBeUndefined();
});

it("facts() has whether usage was seen, and which tools were denied", () => {
  const { log } = startLog();
  expect(log.facts()).toEqual({ partialText: "", usage: undefined, denials: [] });
  addAll(log, [
    { type: "usage", usage: { outputTokens: 1, estimated: false, scope: "turn" } },
    { type: "permission-denied", id: "t", name: "Bash", input: {} },
    { type: "permission-denied", id: "u", name: "Write", input: {} },
  ]);
  expect(log.facts()).toEqual({
    partialText: "",
    usage: { outputTokens: 1, estimated: false, scope: "turn" },
    denials: ["Bash", "Write"],
  });
});

it("warnings and retry reasons of a CLI are passed on without secrets", () => {
  const { log, writer } = startLog();
  const secret = "sk-ant-api03-Ab3dEf6hIj9kLm2nOp5q";
  addAll(log, [
    { type: "upstream-retry", attempt: 1, status: 401, reason: `bad key ${secret}` },
    { type: "warning", code: "w", message: `bad key ${secret}`, parentToolId: "p" },
  ]);
  expect(writer.take()).toEqual([
    { type: "upstream-retry", by: "cli", attempt: 1, status: 401, reason: "bad key [redacted]", seq: 0, atMs: 0 },
    { type: "warning", code: "w", message: "bad key [redacted]", parentToolId: "p", seq: 1, atMs: 0 },
  ]);
});

it("a draft that a wire adds twice gives two events and is not changed", () => {
  const { log, writer } = startLog();
  const draft: EventDraft = Object.freeze({ type: "text-delta", messageId: "m", text: "again" });
  addAll(log, [draft, draft]);
  expect(writer.take().map(({ seq }) => seq)).toEqual([0, 1]);
  expect(draft).toEqual({ type: "text-delta", messageId: "m", text: "again" });
});

it("a text-reset of a sub-agent does not change the main text, even with the same id", () => {
  const { log } = startLog();
  addAll(log, [text("a", "Main."), { type: "text-reset", messageId: "a", parentToolId: "p" }]);
  expect(log.facts().partialText).toBe("Main.");
});

it("the ids of messages, calls and parents get the prefix of the attempt", () => {
  const { log, writer } = startLog("2:");
  addAll(log, [text("m", "a"), start("t"), { type: "text-delta", messageId: "s", text: "b", parentToolId: "t" }, end("t")]);
  const ids = writer.take().map((event) => ("messageId" in event ? event.messageId : "id" in event ? event.id : ""));
  expect(ids).toEqual(["2:m", "2:t", "2:s", "2:t"]);
  expect(log.answerId("m")).toBe("2:m");
  expect(log.facts().partialText).toBe("a");
});

function startLog(prefix?: string): { readonly log: EventLog; readonly writer: RunWriter; readonly at: (ms: number) => void } {
  let now = 5_000.25;
  const writer = new RunWriter(
    "run",
    () => now,
    () => {},
  );
  const at = (ms: number): void => {
    now = 5_000.25 + ms;
    writer.tick();
  };
  return { log: new EventLog(writer, writer, prefix), writer, at };
}

function addAll(log: EventLog, drafts: readonly EventDraft[]): void {
  for (const draft of drafts) log.add(draft);
}

function endsOf(writer: RunWriter): readonly RunEvent[] {
  return writer.take().filter(({ type }) => type === "tool-end");
}

function start(id: string): Extract<EventDraft, { type: "tool-start" }> {
  return { type: "tool-start", id, name: `Tool ${id}` };
}

function end(id: string): Extract<EventDraft, { type: "tool-end" }> {
  return { type: "tool-end", id, output: "done", isError: false };
}

function text(messageId: string, piece: string): Extract<EventDraft, { type: "text-delta" }> {
  return { type: "text-delta", messageId, text: piece };
}
