import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { collect } from "../../src/run/collect.ts";
import type { RunStream } from "../../src/spec/stream.ts";
import type { RunEvent } from "../../src/spec/wire/events.ts";
import { fakeClaude, INIT, print, resultLine, streamed, toolResult, toolUse } from "../support/clis/fake-claude.ts";
import { createClientInScope } from "../support/clis/rehearsal-client.ts";
import { eventsOf, finishRun } from "../support/runs/read-run.ts";
import { eventsIn, replayLines, resultOf } from "./recorded-runs.ts";

const PROMPT_READ = { do: "read", what: "line" } as const;
const ASK_FIRST = [PROMPT_READ, print(INIT), print(toolUse("t1", "Bash", { command: "sleep 7001" }))];

/** Starts the built-in CLI, which asks the host for permission and calls a tool; the host answers after a delay. */
function callTool(hostTakesMs = 0): RunStream {
  const onPermission = () => delay(hostTakesMs, { behavior: "allow" } as const);
  return createClientInScope().run("rehearsal/tool", { prompt: "What time is it?", mode: "agent" }, { onPermission });
}

describe("a tool call of the CLI", () => {
  test("R180 a tool call gives its name and id as soon as its block begins", () => {
    const events = eventsIn("partial-tool-call");
    const start = events.findIndex(({ type }) => type === "tool-start");
    expect(events[start]).toMatchObject({ type: "tool-start", id: "toolu_000006fake", name: "Bash" });
    expect(events[start + 1]?.type).toBe("tool-input-delta");
    expect(events.findIndex(({ type }) => type === "tool-call")).toBeGreaterThan(start + 1);
  });

  test("R180 R183 a tool call is timed from its start to its result", async () => {
    const run = await finishRun(callTool(250));
    const [start, end] = [eventsOf(run.events, "tool-start")[0], eventsOf(run.events, "tool-end")[0]];
    // The host alone took this long; timers and rounding may each be a millisecond early.
    expect(end?.permissionWaitMs).toBeGreaterThanOrEqual(245);
    const [duration = 0, wait = 0] = [end?.durationMs, end?.permissionWaitMs];
    expect(duration + wait).toBe((end?.atMs ?? 0) - (start?.atMs ?? 0));
  });

  test("R180 the time of a call begins with its block, not with its complete arguments", async () => {
    const block = { type: "tool_use", id: "t1", name: "Bash", input: {} };
    const delta = { type: "input_json_delta", partial_json: '{"command":"ls"}' };
    const fake = fakeClaude([
      ...[PROMPT_READ, print(INIT), print(streamed({ type: "content_block_start", index: 0, content_block: block }))],
      ...[{ do: "wait", ms: 400 } as const, print(streamed({ type: "content_block_delta", index: 0, delta }))],
      ...[print(streamed({ type: "content_block_stop", index: 0 })), print(toolUse("t1", "Bash", { command: "ls" }))],
      ...[print(toolResult("t1", "a.txt")), print(resultLine("Done."))],
    ]);
    const { events } = await finishRun(fake.run({ mode: "agent" }));
    const [start, call, end] = [eventsOf(events, "tool-start"), eventsOf(events, "tool-call"), eventsOf(events, "tool-end")];
    expect([start, call, end]).toMatchObject([[{ id: "t1", name: "Bash" }], [{ id: "t1" }], [{ id: "t1", output: "a.txt" }]]);
    const [startedAt = 0, calledAt = 0, endedAt = 0] = [start[0]?.atMs, call[0]?.atMs, end[0]?.atMs];
    expect(calledAt).toBeGreaterThan(startedAt);
    expect(end[0]?.durationMs).toBe(endedAt - startedAt);
  });

  test("R183 a tool call ends with arguments, result and duration when the result with its id comes", () => {
    expect(eventsOf(eventsIn("partial-tool-call"), "tool-end")).toMatchObject([
      {
        id: "toolu_000006fake",
        name: "Bash",
        input: { command: "echo hi", description: "Run a command" },
        output: "hi",
        durationMs: expect.any(Number),
      },
    ]);
  });

  test("R183 a tool call is found by its id among others and ends once", () => {
    const calls = [toolUse("t1", "Bash", { command: "a" }), toolUse("t2", "Read", { path: "b" })];
    const results = [toolResult("t2", "of t2"), toolResult("t1", "of t1"), toolResult("t1", "again"), toolResult("t9", "stray")];
    const events = replayLines([INIT, ...calls, ...results, resultLine("Done.")]);
    expect(eventsOf(events, "tool-end")).toMatchObject([
      { id: "t2", name: "Read", input: { path: "b" }, output: "of t2" },
      { id: "t1", name: "Bash", input: { command: "a" }, output: "of t1" },
    ]);
  });

  test("R192 R205 a tool call gives a start and an end with name, id, arguments, result and duration, by default", async () => {
    const run = await finishRun(createClientInScope().run("rehearsal/tool", { prompt: "What time is it?", mode: "agent" }));
    const [start, end] = [eventsOf(run.events, "tool-start"), eventsOf(run.events, "tool-end")];
    expect(start).toMatchObject([{ id: expect.stringMatching(/./), name: "Clock" }]);
    expect(end).toMatchObject([
      { id: start[0]?.id, name: "Clock", input: { zone: "UTC" }, output: expect.stringMatching(/^\d{4}-/), isError: false },
    ]);
    expect(end[0]?.durationMs).toBeGreaterThanOrEqual(0);
    expect(eventsOf(run.events, "text-delta").length).toBeGreaterThan(2);
    expect((await run.stream.result()).toolCalls).toMatchObject([{ name: "Clock", input: { zone: "UTC" } }]);
  });

  test("R192 R205 three tool calls of the real CLI at once have both events filled", () => {
    const events = eventsIn("parallel-tool-calls");
    const starts = eventsOf(events, "tool-start").map(({ id, name }) => ({ id, name }));
    expect(starts.map(({ name }) => name)).toEqual(["Bash", "Bash", "Read"]);
    expect(eventsOf(events, "tool-end")).toMatchObject(starts);
    for (const end of eventsOf(events, "tool-end")) {
      expect(end).toMatchObject({
        input: expect.any(Object),
        output: expect.stringMatching(/./),
        durationMs: expect.any(Number),
      });
      expect(end.synthetic).toBeUndefined();
    }
  });
});

describe("a tool call whose result never comes", () => {
  test("R184 a call still open is ended by the end of the turn, without a result, with a duration, and marked", async () => {
    const steps = [PROMPT_READ, print(INIT)];
    for (const id of ["t1", "t2", "t3"]) steps.push(print(toolUse(id, "Bash", { command: id })));
    const run = await finishRun(
      fakeClaude([...steps, print(toolResult("t2", "ok")), { do: "wait", ms: 300 }, print(resultLine("Done."))]).run({
        mode: "agent",
      }),
    );
    expect(run.end.finish).toBe("stop");
    expect(eventsOf(run.events, "tool-end")).toMatchObject([
      { id: "t2", output: "ok" },
      { id: "t1", input: { command: "t1" }, output: null, durationMs: expect.any(Number), synthetic: true },
      { id: "t3", input: { command: "t3" }, output: null, durationMs: expect.any(Number), synthetic: true },
    ]);
    const [answered, ...flushed] = eventsOf(run.events, "tool-end");
    expect(answered?.synthetic).toBeUndefined();
    const startedAt = new Map(eventsOf(run.events, "tool-start").map(({ id, atMs }) => [id, atMs ?? 0]));
    for (const { id, atMs = 0, durationMs } of flushed) expect(durationMs).toBe(atMs - (startedAt.get(id) ?? 0));
  });

  test("R185 an open call is ended when the CLI exits early", async () => {
    const run = await finishRun(fakeClaude([...ASK_FIRST, { do: "exit", code: 0 }]).run());
    expectOpenCallEnded(run.events, "no-terminal-event");
  });

  test("R185 an open call is ended when the CLI is killed", async () => {
    const run = await finishRun(fakeClaude([...ASK_FIRST, { do: "die", signal: "SIGKILL" }]).run());
    expectOpenCallEnded(run.events, "crashed");
  });

  test("R185 an open call is ended when the caller interrupts the run", async () => {
    const stream = fakeClaude([...ASK_FIRST, { do: "read", what: "all" }]).run();
    const run = await finishRun(stream, ({ type }) => {
      if (type === "tool-call") stream.interrupt();
    });
    expectOpenCallEnded(run.events, "interrupted");
  });

  test("R185 an open call is ended when its time is over", async () => {
    const fake = fakeClaude([...ASK_FIRST, { do: "read", what: "all" }]);
    const run = await finishRun(fake.run({ timeouts: { idleMs: 2_000 } }));
    expectOpenCallEnded(run.events, "idle-timeout");
  });

  test("R185 a call that is cut in the middle of its arguments never ran: it is taken back", async () => {
    const block = { type: "tool_use", id: "t1", name: "Bash", input: {} };
    const start = streamed({ type: "content_block_start", index: 0, content_block: block });
    const piece = { type: "input_json_delta", partial_json: '{"comm' };
    const delta = streamed({ type: "content_block_delta", index: 0, delta: piece });
    const fake = fakeClaude([PROMPT_READ, print(INIT), print(start), print(delta), { do: "read", what: "all" }]);
    const run = await finishRun(fake.run({ timeouts: { idleMs: 2_000 } }));
    const { failure, toolCalls } = collect(run.events);
    expect({ code: failure?.code, toolCalls }).toEqual({ code: "idle-timeout", toolCalls: [] });
    expect(run.events.at(-2)).toMatchObject({ type: "tool-reset", id: "t1" });
  });

  test("R185 an open call of the real CLI is ended when SIGTERM ends the CLI", () => {
    const { toolCalls, failure } = resultOf("killed-sigterm-during-tool");
    expect(failure?.code).toBe("crashed");
    expect(toolCalls).toMatchObject([{ name: "Bash", output: null, synthetic: true }]);
  });
});

function expectOpenCallEnded(events: readonly RunEvent[], code: string): void {
  const { failure, toolCalls } = collect(events);
  expect(failure?.code).toBe(code);
  expect(toolCalls).toMatchObject([{ id: "t1", name: "Bash", output: null, isError: false, synthetic: true }]);
  expect(events.at(-2)?.type).toBe("tool-end");
}
