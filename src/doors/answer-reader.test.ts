import { describe, expect, it } from "vitest";
import { Collector } from "../run/collect.ts";
import { createRunStream } from "../run/run-stream.ts";
import { createFailure } from "../spec/failure/failure.ts";
import type { EventBody, RunEvent } from "../spec/wire/events.ts";
import type { AnswerPart } from "./answer-part.ts";
import { AnswerReader, type DoorReading } from "./answer-reader.ts";

const START: EventBody = { type: "attempt-start", provider: "claude", model: "opus", transport: "spawn", warm: true, attempt: 2 };
const RETRY: EventBody = { type: "retry", by: "coxswain", attempt: 1, delayMs: 0, failure: createFailure("server-error", "500") };
const END: EventBody = { type: "run-end", finish: "stop", answerId: "b" };
const FAILED: EventBody = { type: "run-end", finish: "error", failure: createFailure("server-error", "It broke.") };
const text = (messageId: string, said: string): EventBody => ({ type: "text-delta", messageId, text: said });
const reasoning = (said: string): EventBody => ({ type: "reasoning-delta", messageId: "r", text: said });

/** A reader of a run with these batches of events; `isCancelled` says whether the run was left. */
function open(batches: readonly (readonly EventBody[])[], reading: DoorReading = {}) {
  const collector = new Collector();
  let seq = 0;
  const stamped = batches.map((batch) => batch.map((event) => ({ ...event, seq: seq++, atMs: 0 }) as RunEvent));
  for (const event of stamped.flat()) collector.add(event);
  const state = { isCancelled: false };
  const run = createRunStream({
    next: () => stamped.shift(),
    discard: () => undefined,
    cancel: () => {
      state.isCancelled = true;
    },
    done: Promise.resolve(collector.result()),
  });
  return { reader: new AnswerReader(run, reading), state };
}

/** The batches of parts, with the finish or the failure code of the end. */
async function readAll(reader: AnswerReader): Promise<readonly (readonly unknown[])[]> {
  const all: (readonly unknown[])[] = [];
  for await (const parts of reader) all.push(parts.map(short));
  return all;
}

function short(part: AnswerPart): unknown {
  if (part.type === "text" || part.type === "reasoning") return [part.type, part.text];
  if (part.type === "end") return ["end", part.result.failure?.code ?? part.result.finish];
  return part;
}

describe("a stream", () => {
  it("joins the text of one batch and leaves batches apart", async () => {
    const { reader } = open([[START, text("b", "a"), text("b", "b")], [reasoning("r"), text("b", "c")], [END]]);
    expect(await readAll(reader)).toEqual([
      [["text", "ab"]],
      [
        ["reasoning", "r"],
        ["text", "c"],
      ],
      [["end", "stop"]],
    ]);
    expect(reader.answering).toEqual({ provider: "claude", model: "opus", attempt: 2, isWarm: true });
  });

  it("drops text that comes again after a reset", async () => {
    const { reader } = open([[text("a", "One t")], [{ type: "text-reset", messageId: "a" }, text("b", "One two")], [END]]);
    expect(await readAll(reader)).toEqual([[["text", "One t"]], [["text", "wo"]], [["end", "stop"]]]);
  });

  it("ends with stream-diverged when other text comes after a reset, and cancels the run", async () => {
    const { reader, state } = open([[text("a", "One")], [{ type: "text-reset", messageId: "a" }, text("b", "Two")], [END]]);
    expect(await readAll(reader)).toEqual([[["text", "One"]], [["end", "stream-diverged"]]]);
    expect(state.isCancelled).toBe(true);
  });

  it("ends before a stop sequence, without calls, and cancels the run", async () => {
    const call: EventBody = { type: "tool-call", id: "1", name: "look", input: {}, executor: "host" };
    const { reader, state } = open([[text("a", "One ST")], [text("a", "OP two"), call], [FAILED]], { stop: ["STOP"] });
    expect(await readAll(reader)).toEqual([[["text", "One "]], [["end", "stop"]]]);
    expect(state.isCancelled).toBe(true);
  });

  it("passes the CLI's own calls on in their place, and those of the caller behind the text", async () => {
    const input = { path: "x" };
    const { reader } = open([
      [{ type: "tool-call", id: "1", name: "Read", input, executor: "cli" }],
      [{ type: "tool-end", id: "1", name: "Read", input, output: "y", isError: false, durationMs: 1 }],
      [{ type: "tool-call", id: "2", name: "look", input, executor: "host" }, text("b", "See.")],
      [{ type: "run-end", finish: "tool-calls" }],
    ]);
    expect(await readAll(reader)).toEqual([
      [{ type: "cli-call", id: "1", name: "Read", input }],
      [{ type: "cli-result", id: "1", name: "Read", output: "y", isError: false }],
      [["text", "See."]],
      [{ type: "host-call", call: { id: "2", name: "look", args: input } }, ["end", "tool-calls"]],
    ]);
  });

  it("does not pass on what a sub-agent says or calls", async () => {
    const said = Object.assign(text("s", "inner"), { parentToolId: "1" });
    expect(await readAll(open([[said], [END]]).reader)).toEqual([[["end", "stop"]]]);
  });
});

describe("the beginning", () => {
  it("is the failure of a run that said nothing", async () => {
    const { reader } = open([[START], [FAILED]]);
    expect((await reader.begun())?.failure?.code).toBe("server-error");
  });

  it("is awaited once, and the iteration gets it too", async () => {
    const { reader } = open([[START], [text("b", "Hi")], [FAILED]]);
    expect(await reader.begun()).toBeUndefined();
    expect(await reader.begun()).toBeUndefined();
    expect(await readAll(reader)).toEqual([[["text", "Hi"]], [["end", "server-error"]]]);
  });
});

describe("a whole answer", () => {
  const abandoned = [
    [reasoning("old"), text("a", "Old")],
    [{ type: "text-reset", messageId: "a" }, RETRY],
  ] as const;

  it("has nothing of an attempt that was repeated", async () => {
    const { reader } = open([...abandoned, [reasoning("new"), text("b", "New")], [END]], { isWhole: true });
    expect(await readAll(reader)).toEqual([
      [
        ["reasoning", "new"],
        ["text", "New"],
        ["end", "stop"],
      ],
    ]);
  });

  it("has an empty line between its messages and ends before a stop sequence", async () => {
    const { reader } = open([[text("a", "One"), text("b", "Two X three")], [END]], { isWhole: true, stop: ["X"] });
    expect(await readAll(reader)).toEqual([
      [
        ["text", "One"],
        ["text", "\n\nTwo "],
        ["end", "stop"],
      ],
    ]);
  });

  it("that failed has no text", async () => {
    const { reader } = open([[text("a", "One")], [FAILED]], { isWhole: true });
    expect((await reader.begun())?.failure?.code).toBe("server-error");
  });
});

describe("a structured answer", () => {
  const object = { a: 1 };
  const batches: readonly (readonly EventBody[])[] = [
    [text("b", '{"a"'), { type: "object-delta", object: {}, isPartial: true }],
    [text("b", ":1}"), { type: "object-delta", object }],
    [END],
  ];

  it("is one text, when it is valid", async () => {
    expect(await readAll(open(batches, { isObject: true }).reader)).toEqual([
      [
        ["text", '{"a":1}'],
        ["end", "stop"],
      ],
    ]);
  });

  it("comes in part before that, for a door that shows it", async () => {
    const { reader } = open(batches, { isObject: true, partialObjects: true });
    expect(await readAll(reader)).toEqual([
      [{ type: "partial-object", object: {} }],
      [
        ["text", '{"a":1}'],
        ["end", "stop"],
      ],
    ]);
  });
});
