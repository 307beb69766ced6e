import { describe, expect, test } from "vitest";
import { claude } from "../../src/clis/claude/provider.ts";
import { claudeStream } from "../../src/dialects/claude/claude-stream.ts";
import { replayRecording } from "../../src/replay/replay.ts";
import type { JsonObject } from "../../src/spec/json.ts";
import type { EventDraft } from "../../src/spec/wire/events.ts";
import { INIT, resultLine, streamed, toolResult, toolUse } from "../support/clis/fake-claude.ts";
import { createClientInScope } from "../support/clis/rehearsal-client.ts";
import { dig } from "../support/cox/start-rehearsal.ts";
import { eventsOf, finishRun } from "../support/runs/read-run.ts";
import { rawLines, recordingOf, replayLines } from "./recorded-runs.ts";

/** Recordings in which text was streamed in pieces and then repeated as a whole. */
const STREAMED = ["partial-text", "partial-unicode", "partial-tool-call", "text-streamed", "input-stream-partial-tool"];

describe("streamed text", () => {
  test("R186 text comes out piece by piece, in the order in which the CLI printed it", () => {
    for (const name of STREAMED) {
      expect(rawPieces(name).length, name).toBeGreaterThan(1);
      expect(pieces(name), name).toEqual(rawPieces(name));
    }
  });

  test("R188 streamed text is not reported again by the whole message that follows it", () => {
    for (const name of STREAMED) {
      const blocks = rawLines(name).flatMap((line) => dig(line, "message", "content", 0, "text") ?? []);
      expect(blocks.length, name).toBeGreaterThan(0);
      expect(pieces(name).join(""), name).toBe(blocks.join(""));
    }
  });

  test("R188 streamed text of one message does not suppress another message that comes as a whole", () => {
    const whole = { type: "assistant", message: { id: "msg_2", content: [{ type: "text", text: "second" }] } };
    const first = { type: "assistant", message: { id: "msg_1", content: [{ type: "text", text: "first" }] } };
    const parts = ["fir", "st"].map((text) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } }));
    const lines = [{ type: "message_start", message: { id: "msg_1" } }, ...parts].map(streamed);
    const events = replayLines([
      INIT,
      ...lines,
      first,
      streamed({ type: "content_block_stop", index: 0 }),
      whole,
      resultLine("second"),
    ]);
    expect(eventsOf(events, "text-delta").map(({ text }) => text)).toEqual(["fir", "st", "second"]);
  });

  test("R191 text comes in pieces without a streaming option", async () => {
    const run = await finishRun(createClientInScope().run("rehearsal", { prompt: "What is a coxswain?" }));
    expect(eventsOf(run.events, "text-delta").length).toBeGreaterThan(5);
    expect(
      eventsOf(run.events, "text-delta")
        .map(({ text }) => text)
        .join(""),
    ).toBe((await run.stream.result()).text);
  });
});

describe("the streaming parser", () => {
  test("R206 the streaming parser turns each line of a turn with a tool into its events", () => {
    const turn = claudeStream.start({});
    const read = (line: JsonObject): readonly EventDraft["type"][] => turn.step(line).events.map(({ type }) => type);
    const delta = (value: JsonObject): JsonObject => streamed({ type: "content_block_delta", index: 0, delta: value });
    const block = { type: "tool_use", id: "t1", name: "Bash", input: {} };
    expect(read(INIT)).toEqual(["session-start"]);
    expect(read(streamed({ type: "message_start", message: { id: "msg_1" } }))).toEqual([]);
    expect(read(delta({ type: "text_delta", text: "Let me look." }))).toEqual(["text-delta"]);
    expect(read(streamed({ type: "content_block_stop", index: 0 }))).toEqual(["text-end"]);
    expect(read(streamed({ type: "content_block_start", index: 0, content_block: block }))).toEqual(["tool-start"]);
    expect(read(delta({ type: "input_json_delta", partial_json: '{"command":"ls"}' }))).toEqual(["tool-input-delta"]);
    expect(read(toolUse("t1", "Bash", { command: "ls" }))).toEqual(["tool-call"]);
    expect(read(streamed({ type: "content_block_stop", index: 0 }))).toEqual([]);
    expect(read(toolResult("t1", "README.md"))).toEqual(["tool-end"]);
    expect(read({ type: "weather", sky: "clear" })).toEqual(["native"]);
    expect(turn.step(resultLine("One file.")).turnEnd).toEqual({ finish: "stop", answerId: "result" });
  });

  test("R206 the streaming parser keeps two turns apart", () => {
    const [one, other] = [claudeStream.start({}), claudeStream.start({})];
    one.step(toolUse("t1", "Bash", {}));
    expect(other.step(toolResult("t1", "of another turn")).events).toEqual([]);
    expect(one.step(toolResult("t1", "ok")).events).toMatchObject([{ type: "tool-end", id: "t1", output: "ok", isError: false }]);
  });
});

/** The text deltas of all turns of a recording. */
function pieces(name: string): readonly string[] {
  const events = replayRecording(claude, recordingOf(name)).flat();
  return eventsOf(events, "text-delta").map(({ text }) => text);
}

function rawPieces(name: string): readonly unknown[] {
  return rawLines(name).flatMap((line) => dig(line, "event", "delta", "text") ?? []);
}
