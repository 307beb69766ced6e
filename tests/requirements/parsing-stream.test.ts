import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/spec/json.ts";
import type { RunResult } from "../../src/spec/result.ts";
import { readRecordedCases } from "../support/recordings/read-recorded-cases.ts";
import { eventsOf } from "../support/runs/read-run.ts";
import { readEvents, readOutput, toStream } from "./own-cli.ts";

const streamOf = (...lines: readonly JsonObject[]): RunResult => readOutput("stream-json", toStream(...lines));

const TURN_STARTED = { type: "turn.started" };
const TURN_COMPLETED = { type: "turn.completed", usage: { input_tokens: 10, output_tokens: 5 } };
const content = (text: string) => ({ type: "content", content: text });
const item = (fields: Readonly<Record<string, string>>) => ({ type: "item.completed", item: { id: "item_0", ...fields } });

describe("the documented events of a stream", () => {
  test("R86 the answer is the text of the relevant lines, joined in order", () => {
    const said = streamOf(
      content("a"),
      item({ type: "agent_message", text: "b" }),
      { role: "assistant", content: "c" },
      content("d"),
    );
    expect(said).toMatchObject({ text: "abcd", finish: "stop" });
  });

  test("R86 each piece is an event of its own, in the order of the lines", () => {
    const events = readEvents("stream-json", toStream(content("one "), content("two"), TURN_COMPLETED));
    expect(eventsOf(events, "text-delta").map(({ text }) => text)).toEqual(["one ", "two"]);
  });

  test("R87 a content event contributes its content", () => {
    expect(streamOf(content("Hello")).text).toBe("Hello");
    expect(streamOf({ type: "content", content: [{ type: "text", text: "in blocks" }] }).text).toBe("in blocks");
  });

  test("R88 turn.started and thread.started contribute no text to any stream", () => {
    const events = readEvents(
      "stream-json",
      toStream({ type: "thread.started", thread_id: "t-1" }, { ...TURN_STARTED, content: "no" }),
    );
    expect(eventsOf(events, "text-delta")).toEqual([]);
    expect(eventsOf(events, "session-start")).toMatchObject([{ sessionId: "t-1" }]);
    expect(eventsOf(events, "run-end")).toMatchObject([{ finish: "stop" }]);
  });

  test("R89 turn.completed contributes no text, keeps its usage and ends the turn of any stream", () => {
    const result = streamOf(content("Hi"), { ...TURN_COMPLETED, content: "no" });
    expect(result).toMatchObject({ text: "Hi", usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15, estimated: false } });
    expect(readOutput("stream-json", toStream(content("Hi"), TURN_COMPLETED), { exitCode: 1 })).toMatchObject({
      text: "Hi",
      finish: "stop",
    });
  });

  test("R90 item.completed contributes agent messages in both shapes, and nothing else", () => {
    expect(streamOf(item({ type: "agent_message", text: "Hello" })).text).toBe("Hello");
    expect(streamOf({ type: "item.completed", item: { agent_message: { text: "Hello" } } }).text).toBe("Hello");
    for (const type of ["reasoning", "command_execution", "file_change", "todo_list"]) {
      expect(streamOf(item({ type, text: "no", aggregated_output: "no" }), content("yes")).text, type).toBe("yes");
    }
  });

  test("R91 an assistant line contributes its content, a user line is an echo", () => {
    const result = streamOf(
      { role: "user", content: "Hi" },
      { role: "assistant", content: "Hello" },
      { role: "tool", content: "no" },
    );
    expect(result.text).toBe("Hello");
  });

  test("R92 the three examples give Hello! How can I help?, Here's my response. and Hi there! How can I help?", () => {
    const claude = [TURN_STARTED, content("Hello! "), content("How can I help?"), TURN_COMPLETED];
    const codex = [
      { type: "thread.started", thread_id: "abc123" },
      TURN_STARTED,
      item({ type: "agent_message", text: "Here's my response." }),
      TURN_COMPLETED,
    ];
    const wrapper = [
      { role: "user", content: "Hello" },
      { role: "assistant", content: "Hi there! How can I help?" },
    ];
    expect([claude, codex, wrapper].map((lines) => streamOf(...lines).text)).toEqual([
      "Hello! How can I help?",
      "Here's my response.",
      "Hi there! How can I help?",
    ]);
  });

  test("R93 what the real Claude CLI prints is understood in every recording of a whole stream", () => {
    const cases = readRecordedCases("claude").filter(
      ({ recording }) => recording.format === "stream-json" && recording.stdout.length > 0,
    );
    const judged = cases.flatMap(({ name, recording, expected }) => {
      const [wanted, ...further] = expected?.runs ?? [];
      return wanted === undefined || further.length > 0 ? [] : [{ name, recording, wanted: wanted.result }];
    });
    expect(judged.length).toBeGreaterThan(40);
    for (const { name, recording, wanted } of judged) {
      const { text, failure } = readOutput("stream-json", recording.stdout, recording);
      const failed = (wanted["failure"] ?? null) !== null;
      expect({ name, text, failed: failure !== undefined }).toEqual({ name, text: wanted["text"], failed });
    }
  });
});

describe("errors in a stream", () => {
  test("an error that the CLI got over is no failure, one that it did not is", () => {
    const error = { type: "error", message: "Reconnecting... 1/5" };
    expect(streamOf(error, content("Hi"), TURN_COMPLETED)).toMatchObject({ text: "Hi", finish: "stop" });
    expect(streamOf(content("Hi"), error, TURN_COMPLETED)).toMatchObject({ text: "Hi", finish: "stop" });
    expect(streamOf(content("Half of"), error)).toMatchObject({ finish: "error", failure: { partialText: "Half of" } });
    expect(streamOf({ type: "turn.failed", error: { message: "HTTP 429 Too Many Requests" } }).failure).toMatchObject({
      code: "rate-limited",
    });
  });

  test("an API error in an object is a failure by its status, its kind or its words", () => {
    const failureOf = (value: object) => readOutput("json", JSON.stringify(value)).failure?.code;
    expect(failureOf({ error: { message: "no", status: 429 } })).toBe("rate-limited");
    expect(failureOf({ error: { code: 503, message: "no" } })).toBe("server-error");
    expect(failureOf({ error: "invalid api key" })).toBe("not-logged-in");
    expect(failureOf({ type: "result", is_error: true, result: "API Error: 500 oops" })).toBe("server-error");
    expect(failureOf({ content: "an error? no: error is null", error: null })).toBeUndefined();
  });
});

test("R140 each CLI has a recorded success with output, exit code, version and expectation", () => {
  for (const cli of ["claude", "codex", "gemini", "qwen", "opencode", "copilot", "grok", "grok-vibe", "ax-glm", "glm"]) {
    const successes = readRecordedCases(cli).filter(({ name, recording, expected }) => {
      const { version, exitCode } = JSON.parse(
        readFileSync(new URL(`../../fixtures/${cli}/${name}/case.json`, import.meta.url), "utf8"),
      );
      const isAnswer = expected?.runs.some(({ result }) => (result["failure"] ?? null) === null && Boolean(result["text"]));
      return isAnswer && exitCode === 0 && /\d+\.\d+/.test(version) && recording.stdout.length > 0;
    });
    expect(successes.length, cli).toBeGreaterThan(0);
  }
});
