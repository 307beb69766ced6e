import { expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../spec/json.ts";
import type { TurnContext } from "../../spec/wire/define-wire.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { TurnEnd, WireStep } from "../../spec/wire/wire.ts";
import { qwenStream } from "./stream.ts";

type Read = { readonly events: readonly EventDraft[]; readonly turnEnd: TurnEnd | undefined };

function read(natives: readonly JsonValue[], context: TurnContext = {}): Read {
  const turn = qwenStream.start(context);
  const steps: WireStep[] = natives.map((native) => turn.step(native));
  return { events: steps.flatMap(({ events }) => events), turnEnd: steps.at(-1)?.turnEnd };
}

const WORDS = "[API Error: 401 Wrong key]";
const event = (type: string, fields: JsonObject = {}): JsonObject => ({
  type: "stream_event",
  parent_tool_use_id: null,
  event: { type, ...fields },
});
const begin = (id: string): JsonObject => event("message_start", { message: { id } });
const open = (type: string): JsonObject => event("content_block_start", { index: 0, content_block: { type } });
const piece = (text: string): JsonObject => event("content_block_delta", { index: 0, delta: { type: "text_delta", text } });
const stop = event("content_block_stop", { index: 0 });
const assistant = (id: string, content: JsonValue, tokens = 0): JsonObject => ({
  type: "assistant",
  parent_tool_use_id: null,
  message: { id, content, usage: { input_tokens: tokens, output_tokens: tokens } },
});
const text = (whole: string): JsonValue => [{ type: "text", text: whole }];
const result = (fields: JsonObject = {}): JsonObject => ({
  type: "result",
  subtype: "success",
  uuid: "u",
  is_error: false,
  duration_ms: 5,
  ...fields,
});
const texts = ({ events }: Read): readonly unknown[] =>
  events.flatMap((said) => (said.type === "text-delta" ? [said.text] : said.type.startsWith("text") ? [said.type] : []));

it("a text like the CLI's own that has token counts is model text: it is reported, and complete", () => {
  const lines = [begin("a"), open("text"), piece("See: "), piece(WORDS), stop, assistant("a", text(`See: ${WORDS}`), 9)];
  expect(texts(read([...lines, result({ result: `See: ${WORDS}` })]))).toEqual(["See: ", WORDS, "text-end"]);
});

it("an error of the CLI with its advice for the terminal is an error", () => {
  const whole = `${WORDS} (Press Ctrl+Y to retry)`;
  const run = read([begin("a"), open("text"), piece(whole), stop, assistant("a", text(whole)), result({ result: whole })]);
  expect(run.turnEnd?.fault?.message).toContain("401 Wrong key");
});

it("a text like the CLI's own that another piece follows is reported in its place", () => {
  const whole = `${WORDS} is what I saw`;
  const lines = [begin("a"), open("text"), piece(WORDS), piece(" is what I saw"), stop, assistant("a", text(whole))];
  const run = read([...lines, result({ result: whole })]);
  expect(texts(run)).toEqual([WORDS, " is what I saw", "text-end"]);
  expect(run.turnEnd).toEqual({ finish: "stop", answerId: "a" });
});

it("a text like the CLI's own in the middle of a piece is model text, with or without token counts", () => {
  const whole = `It says ${WORDS}`;
  const lines = [begin("a"), open("text"), piece(whole), stop, assistant("a", text(whole))];
  expect(read([...lines, result({ result: whole })]).turnEnd).toEqual({ finish: "stop", answerId: "a" });
});

it("a text of the CLI after which the turn continued is a warning before the answer", () => {
  const run = read([assistant("a", text(WORDS)), assistant("b", text("fine"), 3), result({ result: "fine" })]);
  expect(run.events).toEqual([
    { type: "text-delta", messageId: "b", text: "fine" },
    { type: "text-end", messageId: "b" },
    { type: "warning", code: "cli-warning", message: WORDS },
  ]);
  expect(run.turnEnd).toEqual({ finish: "stop", answerId: "b" });
});

it("a text of the CLI at the end fails the turn with its status, and the text before it is not complete", () => {
  const run = read([assistant("a", text(`Hello wor${WORDS}`)), result({ result: `Hello wor${WORDS}` })]);
  expect(texts(run)).toEqual(["Hello wor"]);
  expect(run.turnEnd).toMatchObject({ finish: "error", fault: { message: WORDS, status: 401 } });
});

it("a block is identified by its order: streamed text is not reported again under another id", () => {
  const reasoning = event("content_block_delta", { delta: { type: "thinking_delta", thinking: "hm" } });
  const run = read([
    ...[begin("a"), open("thinking"), reasoning, stop, assistant("a", [{ type: "thinking", thinking: "hm" }])],
    ...[open("text"), piece("So"), stop, assistant("b", text("So"), 4), result({ result: "So" })],
  ]);
  expect(run.events).toEqual([
    { type: "reasoning-delta", messageId: "a", text: "hm" },
    { type: "text-delta", messageId: "a", text: "So" },
    { type: "text-end", messageId: "a" },
  ]);
});

it("a sub-agent that failed does not end the turn while its call is open", () => {
  const call = assistant("a", [{ type: "tool_use", id: "t", name: "agent", input: {} }]);
  const failed = result({ is_error: true, duration_ms: 0, error: { message: "sub" } });
  const gave = { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "t", content: "no", is_error: true }] } };
  expect(read([call, failed]).turnEnd).toBeUndefined();
  expect(read([call, failed, gave, assistant("b", text("ok"), 2), result({ result: "ok" })]).turnEnd).toMatchObject({
    answerId: "b",
  });
  expect(read([call, gave, failed]).turnEnd).toMatchObject({ fault: { message: "sub" } });
});

it("usage is the difference to the previous totals if they are known, and absent if nothing was added", () => {
  const usage = { input_tokens: 300, output_tokens: 60, cache_read_input_tokens: 20 };
  const before = { inputTokens: 200, outputTokens: 40, cacheReadTokens: 20, estimated: false, scope: "thread" } as const;
  const counted = (context: TurnContext): unknown =>
    read([result({ result: "x", usage })], context).events.find(({ type }) => type === "usage");
  expect(counted({ totalsBefore: [{ usage: before }] })).toMatchObject({
    usage: { inputTokens: 100, outputTokens: 20, totalTokens: 120, cacheReadTokens: 0, scope: "turn" },
  });
  expect(counted({})).toMatchObject({ usage: { inputTokens: 300, totalTokens: 360, scope: "thread" } });
  expect(counted({ totalsBefore: [{ usage: { ...before, inputTokens: 300, outputTokens: 60 } }] })).toBeUndefined();
});

it.each([
  [[result({ result: "x" })], 0, undefined],
  [["[{"], 0, "cut"],
  [[begin("a")], 1, undefined],
  [[], 0, undefined],
] as const)("after %j an exit with %i is a cut: %s", (natives, exitCode, kind) => {
  const turn = qwenStream.start({});
  const ended = natives.map((native) => turn.step(native)).some(({ turnEnd }) => turnEnd !== undefined);
  expect(ended ? undefined : turn.finish({ exitCode }).turnEnd?.fault?.kind).toBe(kind);
});
