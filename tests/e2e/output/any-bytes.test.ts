import fc from "fast-check";
import { expect, it } from "vitest";
import { claude } from "../../../src/clis/claude/provider.ts";
import { replayRecording } from "../../../src/replay/replay.ts";
import type { RunEvent } from "../../../src/spec/wire/events.ts";

const SESSION = "5e9c0f6a-1b7d-4c55-9a51-3f0c2d8e7b10";
const messageIds = fc.constantFrom("msg_1", "msg_2", "msg_3");
const toolIds = fc.constantFrom("tool_1", "tool_2");
const parents = fc.constantFrom(null, null, null, "tool_1");
const texts = fc.oneof(
  fc.constantFrom("", "Hello", "Hello there", "é👩‍👩‍👧‍👦", "\u2028", "\uFEFF", "\u001b[31mred"),
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
);
const indexes = fc.constantFrom(0, 1);

const blocks = fc.oneof(
  texts.map((text) => ({ type: "text", text })),
  texts.map((thinking) => ({ type: "thinking", thinking })),
  toolIds.map((id) => ({ type: "tool_use", id, name: "Read", input: { path: id } })),
);
const deltas = fc.oneof(
  texts.map((text) => ({ type: "text_delta", text })),
  texts.map((thinking) => ({ type: "thinking_delta", thinking })),
  texts.map((partial_json) => ({ type: "input_json_delta", partial_json })),
);
const streamEvents = fc.oneof(
  messageIds.map((id) => ({ type: "message_start", message: { id, content: [] } })),
  fc.record({ type: fc.constant("content_block_start"), index: indexes, content_block: blocks }),
  fc.record({ type: fc.constant("content_block_delta"), index: indexes, delta: deltas }),
  fc.record({ type: fc.constant("content_block_stop"), index: indexes }),
  fc.constant({ type: "message_stop" }),
);
const goodLines = fc.oneof(
  fc.constant({ type: "system", subtype: "init", session_id: SESSION, model: "test-model", tools: [], mcp_servers: [] }),
  fc.record({ type: fc.constant("stream_event"), event: streamEvents, parent_tool_use_id: parents }),
  fc.record({
    type: fc.constant("assistant"),
    message: fc.record({ id: messageIds, model: fc.constant("test-model"), content: fc.array(blocks, { maxLength: 2 }) }),
    parent_tool_use_id: parents,
  }),
  fc.record({
    type: fc.constant("user"),
    message: fc.record({ content: toolIds.map((id) => [{ type: "tool_result", tool_use_id: id, content: "done" }]) }),
    parent_tool_use_id: parents,
  }),
  fc.record({
    type: fc.constant("result"),
    subtype: fc.constantFrom("success", "error_max_turns", "error_during_execution"),
    is_error: fc.boolean(),
    result: texts,
    session_id: fc.constant(SESSION),
  }),
);
/** Objects with the keys of the stream-json format and values that it never has. */
const oddLines = fc.dictionary(
  fc.constantFrom(
    "type",
    "subtype",
    "message",
    "event",
    "result",
    "is_error",
    "usage",
    "permission_denials",
    "parent_tool_use_id",
  ),
  fc.oneof(fc.constantFrom("assistant", "user", "stream_event", "result", "system"), fc.jsonValue()),
);

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const jsonLines = fc.oneof(goodLines, goodLines, oddLines).map((line) => encode(JSON.stringify(line)));
const brokenLines = fc.tuple(jsonLines, fc.nat()).map(([line, cut]) => line.subarray(0, cut % (line.length + 1)));
const lineContents = fc.oneof(
  { weight: 6, arbitrary: jsonLines },
  { weight: 1, arbitrary: brokenLines },
  { weight: 1, arbitrary: texts.map(encode) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }) },
);
const lineStarts = fc.constantFrom("", "", "", "\uFEFF", "\u001b[32m", "  ").map(encode);
const lineEnds = fc.constantFrom("\n", "\n", "\n", "\r\n", "\r", "\u001b[0m\n", "\n\n", "").map(encode);
const mixedLines = fc
  .array(fc.tuple(lineStarts, lineContents, lineEnds), { maxLength: 12 })
  .map((lines): Uint8Array => Buffer.concat(lines.flat()));
const randomBytes = fc.uint8Array({ maxLength: 400 });
const cuts = fc.array(fc.nat(), { maxLength: 8 });

it("any bytes at all make well-formed runs, which are the same wherever the bytes are split", () => {
  fc.assert(
    fc.property(randomBytes, cuts, (bytes, offsets) => expectSameWhenSplit(bytes, toSplits(offsets, bytes))),
    { numRuns: 1_000 },
  );
});

it("any mixture of lines makes well-formed runs, which are the same wherever the lines are split", () => {
  fc.assert(
    fc.property(mixedLines, cuts, (bytes, offsets) => expectSameWhenSplit(bytes, toSplits(offsets, bytes))),
    { numRuns: 2_000 },
  );
});

it("a mixture of lines split after every byte makes no difference", () => {
  fc.assert(
    fc.property(mixedLines, (bytes) => expectSameWhenSplit(bytes, [...bytes.keys()])),
    { numRuns: 300 },
  );
});

it("the mixtures hold answers, failures, tools, noise and several turns", () => {
  const runs = fc.sample(mixedLines, { numRuns: 1_000, seed: 7 }).map((bytes) => replay(bytes));
  const types = new Set(runs.flat(2).map((event) => event.type));
  expect([...types]).toEqual(
    expect.arrayContaining(["session-start", "text-delta", "text-reset", "reasoning-delta", "tool-end", "native"]),
  );
  const ends = runs.flat(2).filter((event) => event.type === "run-end");
  expect(ends.some((end) => end.answerId !== undefined)).toBe(true);
  expect(ends.some((end) => end.failure !== undefined)).toBe(true);
  expect(runs.some((turns) => turns.length > 2)).toBe(true);
});

type Turns = readonly (readonly RunEvent[])[];

function replay(stdout: Uint8Array, splitAt: readonly number[] = []): Turns {
  return replayRecording(claude, { format: "stream-json", stdout, exitCode: 0 }, { splitAt });
}

function expectWellFormed(turns: Turns): void {
  expect(turns.length).toBeGreaterThan(0);
  for (const events of turns) {
    const edges = events.flatMap((event, index) =>
      event.type === "run-start" || event.type === "run-end" ? [[event.type, index]] : [],
    );
    expect(edges).toEqual([
      ["run-start", 0],
      ["run-end", events.length - 1],
    ]);
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index));
  }
}

function expectSameWhenSplit(bytes: Uint8Array, splitAt: readonly number[]): void {
  const whole = replay(bytes);
  expectWellFormed(whole);
  expect(withoutTimes(replay(bytes, splitAt))).toEqual(withoutTimes(whole));
}

function withoutTimes(turns: Turns): unknown {
  return turns.map((events) => events.map((event) => ({ ...event, atMs: 0, ...("durationMs" in event && { durationMs: 0 }) })));
}

function toSplits(offsets: readonly number[], bytes: Uint8Array): readonly number[] {
  return offsets.map((offset) => offset % (bytes.length + 1)).sort((left, right) => left - right);
}
