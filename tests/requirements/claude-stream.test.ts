import { describe, expect, test } from "vitest";
import { claude } from "../../src/clis/claude/provider.ts";
import { replayRecording } from "../../src/replay/replay.ts";
import { collect } from "../../src/run/collect.ts";
import { fakeClaude, INIT, print, resultLine } from "../support/clis/fake-claude.ts";
import { createClientInScope } from "../support/clis/rehearsal-client.ts";
import { dig } from "../support/cox/start-rehearsal.ts";
import { readDeclaredAnswers } from "../support/recordings/read-declared-answers.ts";
import { readRecordedCases } from "../support/recordings/read-recorded-cases.ts";
import { eventsOf, finishRun } from "../support/runs/read-run.ts";
import { eventsIn, rawLines, recordingOf, replayText, resultOf } from "./recorded-runs.ts";

const streams = readRecordedCases("claude").filter(({ recording }) => recording.format === "stream-json");
const answered = streams.filter(({ recording }) => readDeclaredAnswers(recording).some((answer) => answer !== ""));

describe("a recorded stream", () => {
  test("R86 the answer of a stream is the pieces of its message, joined in the order of their lines", () => {
    expect(answered.length).toBeGreaterThan(50);
    for (const { name, recording } of answered) {
      const runs = replayRecording(claude, recording);
      for (const [index, answer] of readDeclaredAnswers(recording).entries()) {
        const events = runs[index] ?? [];
        const { answerId } = eventsOf(events, "run-end")[0] ?? {};
        const pieces = eventsOf(events, "text-delta").filter(({ messageId }) => messageId === answerId);
        expect(pieces.map(({ text }) => text).join(""), name).toBe(answer);
        expect(collect(events).text, name).toBe(answer);
      }
    }
  });

  test("R93 every line of a recorded stream is known", () => {
    expect(streams.length).toBeGreaterThan(90);
    for (const { name, recording } of streams) {
      expect(eventsOf(replayRecording(claude, recording).flat(), "native"), name).toEqual([]);
    }
  });

  test("R93 the recordings hold every kind of line that the fourth and fifth documents name", () => {
    const kinds = new Set(streams.flatMap(({ name }) => rawLines(name)).map((line) => String(line["type"])));
    expect([...kinds]).toEqual(expect.arrayContaining(["system", "assistant", "user", "result", "stream_event"]));
  });
});

describe("one line of a stream", () => {
  test("R156 R170 system/init gives session id, cwd, tools and model", () => {
    const init = rawLines("tool-call")[0] ?? {};
    expect(eventsOf(eventsIn("tool-call"), "session-start")).toMatchObject([
      { sessionId: init["session_id"], cwd: init["cwd"], tools: init["tools"], model: init["model"] },
    ]);
    expect(dig(init, "tools")).toContain("Bash");
    expect(resultOf("tool-call")).toMatchObject({ sessionId: init["session_id"], model: init["model"] });
  });

  test("R157 R170 assistant gives its text", () => {
    const events = eventsIn("tool-call");
    expect(eventsOf(events, "text-delta").map(({ text }) => text)).toEqual([
      "I will run a command.",
      'The command printed: "hi"',
    ]);
  });

  test("R157 R170 assistant gives each tool call with id, name and input", () => {
    const blocks = rawLines("parallel-tool-calls").flatMap((line) => [dig(line, "message", "content", 0)].filter(isToolUse));
    const calls = eventsOf(eventsIn("parallel-tool-calls"), "tool-call").map(({ id, name, input }) => ({ id, name, input }));
    expect(calls).toHaveLength(3);
    expect(calls).toEqual(
      blocks.map((block) => ({ id: dig(block, "id"), name: dig(block, "name"), input: dig(block, "input") })),
    );
  });

  test("R158 R170 user gives the result of a tool, and stdout and stderr apart", () => {
    expect(eventsOf(eventsIn("tool-call"), "tool-end")).toMatchObject([
      { id: "toolu_000003fake", output: "hi", isError: false, details: { stdout: "hi", stderr: "" } },
    ]);
  });

  test("R158 R170 user gives the result of a tool that failed as an error", () => {
    const [, failed] = eventsOf(eventsIn("parallel-tool-calls"), "tool-end");
    expect(failed).toMatchObject({ id: "toolu_000013fake", output: "Exit code 3\ntwo\nerr", isError: true });
  });

  test("R159 R170 result gives outcome, text, session id, cost and denials, and completes the turn", () => {
    const line = rawLines("input-stream-permission-deny").at(-1) ?? {};
    const result = resultOf("input-stream-permission-deny");
    expect(result).toMatchObject({
      ...{ finish: "stop", text: line["result"], sessionId: line["session_id"] },
      costUsd: line["total_cost_usd"],
    });
    expect(line["total_cost_usd"]).toBeGreaterThan(0);
    expect(result.failure).toBeUndefined();
    expect(result.permissionDenials).toEqual([
      { id: "toolu_000005fake", name: "Bash", input: { command: "touch perm-no.txt", description: "Run a command" } },
    ]);
    expect(eventsIn("input-stream-permission-deny").at(-1)?.type).toBe("run-end");
  });

  test("R159 result completes the turn while the CLI still runs, and has the answer if no message came before it", async () => {
    const denial = { tool_name: "Bash", tool_use_id: "t1", tool_input: { command: "ls" } };
    const line = resultLine("Done.", {
      total_cost_usd: 0.25,
      usage: { input_tokens: 1, output_tokens: 1 },
      permission_denials: [denial],
    });
    const stays = [
      { do: "ignore-signals" },
      { do: "read", what: "line" },
      print(INIT),
      print(line),
      { do: "wait", ms: 600_000 },
    ] as const;
    const { client, run } = fakeClaude(stays);
    const { text, finish, costUsd, permissionDenials, sessionId } = await run({ mode: "agent" }).result();
    expect({ text, finish, costUsd, sessionId }).toEqual({ text: "Done.", finish: "stop", costUsd: 0.25, sessionId: "fake" });
    expect(permissionDenials).toEqual([{ id: "t1", name: "Bash", input: { command: "ls" } }]);
    // A completion leaves no session behind, so its result has no id that could be resumed.
    const completion = await finishRun(run());
    expect((await completion.stream.result()).sessionId).toBeUndefined();
    expect(eventsOf(completion.events, "session-start")).toMatchObject([{ sessionId: "fake" }]);
    await client.close();
  });

  test("R159 R170 result with is_error gives a failed outcome, whatever its subtype is", () => {
    expect(rawLines("error-401").at(-1)).toMatchObject({ subtype: "success", is_error: true });
    expect(resultOf("error-401").failure?.evidence.event).toMatchObject({ subtype: "success", is_error: true });
    expect(rawLines("max-turns").at(-1)).toMatchObject({ subtype: "error_max_turns", is_error: true });
    expect(resultOf("max-turns").failure?.code).toBe("turn-limit");
  });

  test("R162 a line is one object: however lines are handed over, each is read alone", () => {
    const recording = recordingOf("partial-tool-call");
    const ends = [...recording.stdout.entries()].filter(([, byte]) => byte === 10).map(([offset]) => offset + 1);
    const whole = replayRecording(claude, recording);
    expect(ends).toHaveLength(rawLines("partial-tool-call").length);
    expect(replayRecording(claude, recording, { splitAt: ends })).toEqual(whole);
    expect(replayRecording(claude, recording, { splitAt: ends.map((offset) => offset - 2) })).toEqual(whole);
  });

  test("R162 a broken line spoils no other", () => {
    const lines = new TextDecoder().decode(recordingOf("partial-tool-call").stdout).split("\n");
    const events = replayText([...lines.slice(0, 3), '{"type":"assistant","mess', ...lines.slice(3)].join("\n"));
    expect(eventsOf(events, "native")).toMatchObject([{ text: '{"type":"assistant","mess' }]);
    expect(collect(events)).toEqual(resultOf("partial-tool-call"));
  });
});

describe("the answer of a turn", () => {
  test("R160 the answer of a turn has the text, the tool calls seen and the sign that it is complete", () => {
    const { text, toolCalls, finish, failure } = resultOf("tool-call");
    expect({ text, finish, failure }).toEqual({ text: 'The command printed: "hi"', finish: "stop", failure: undefined });
    expect(toolCalls).toMatchObject([{ id: "toolu_000003fake", name: "Bash", input: { command: "echo hi" }, output: "hi" }]);
  });

  test("R160 a turn that was cut off is not complete, and keeps its tool calls", () => {
    const { text, toolCalls, finish, failure } = resultOf("killed-sigterm-during-tool");
    expect({ text, finish, code: failure?.code }).toEqual({ text: "", finish: "error", code: "crashed" });
    expect(toolCalls).toMatchObject([{ name: "Bash", output: null, synthetic: true }]);
  });

  test("R161 an answer is read from one JSON object as from a stream", () => {
    const text = "Hello from the fake API.";
    expect(resultOf("text")).toMatchObject({ text, finish: "stop", costUsd: expect.any(Number) });
    expect(resultOf("json-format-text")).toMatchObject({ text, finish: "stop", costUsd: expect.any(Number) });
    expect(resultOf("json-format-verbose-text")).toMatchObject({ text, finish: "stop", costUsd: expect.any(Number) });
  });

  test("R161 an answer in one piece is the stream of the same call, folded", async () => {
    const client = createClientInScope();
    const result = await client.run("rehearsal", { prompt: "Hi" }, { keepEvents: true }).result();
    const { events = [], ...folded } = result;
    expect(eventsOf(events, "text-delta").length).toBeGreaterThan(1);
    expect(collect(events)).toEqual(folded);
  });
});

function isToolUse(block: unknown): boolean {
  return dig(block, "type") === "tool_use";
}
