import { expect, it } from "vitest";
import type { JsonObject } from "../../spec/json.ts";
import { qwenStream } from "./stream.ts";

const streamed = (type: string): JsonObject => ({ type: "stream_event", event: { type, message: { id: "m" } } });
const assistant = (content: readonly JsonObject[], input: number): JsonObject => ({
  type: "assistant",
  message: { id: "m", content, usage: { input_tokens: input, output_tokens: input / 10 } },
});
const call = (id: string): JsonObject => ({ type: "tool_use", id, name: "mcp__host__look", input: {} });
const RESULT: JsonObject = {
  type: "result",
  subtype: "success",
  is_error: false,
  result: "",
  usage: { input_tokens: 350, output_tokens: 35 },
};

it("a message with calls is whole at its end if the host has tools, and each step of a parked turn has its own usage", () => {
  const turn = qwenStream.start({ totalsBefore: [], nativeTools: [{ name: "look" }] });
  const read = (lines: readonly JsonObject[]) => lines.map((line) => turn.step(line)).at(-1);
  // The line of the thoughts has no counts.
  const first = [streamed("message_start"), assistant([], 0), assistant([call("1")], 100)];
  expect(read(first)).not.toHaveProperty("awaitsResults");
  expect(read([streamed("message_stop")])).toMatchObject({ awaitsResults: true });
  expect(turn.park?.().events).toMatchObject([
    { usage: { inputTokens: 100, outputTokens: 10, totalTokens: 110, scope: "turn" } },
  ]);
  read([{ type: "user", message: { content: [{ type: "tool_result", tool_use_id: "1", content: "x" }] } }]);
  expect(read([streamed("message_start"), assistant([call("2")], 120), streamed("message_stop")])).toMatchObject({
    awaitsResults: true,
  });
  expect(turn.park?.().events).toMatchObject([{ usage: { inputTokens: 120, outputTokens: 12 } }]);
  expect(read([RESULT])?.events.at(-1)).toMatchObject({ usage: { inputTokens: 130, outputTokens: 13, scope: "turn" } });
});

it("without host tools a message with calls waits for nobody, and its turn has the totals", () => {
  const turn = qwenStream.start({});
  const lines = [streamed("message_start"), assistant([call("1")], 100), streamed("message_stop")];
  expect(lines.map((line) => turn.step(line)).at(-1)).not.toHaveProperty("awaitsResults");
  expect(turn.step(RESULT).events.at(-1)).toMatchObject({ usage: { inputTokens: 350, outputTokens: 35, scope: "thread" } });
});
