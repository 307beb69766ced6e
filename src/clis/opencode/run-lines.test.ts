import { expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../spec/json.ts";
import type { TurnContext } from "../../spec/wire/define-wire.ts";
import type { ExitReport, WireStep } from "../../spec/wire/wire.ts";
import { opencodeRun } from "./run-lines.ts";

const START = line("step_start", { messageID: "m1" });
const TEXT = line("text", { messageID: "m1", text: "Hello" });
const STOP = finish("stop");

it("text that is still open when another step begins is reset, and the new text has another id", () => {
  const { events, end } = read([START, TEXT, START, TEXT, STOP]);
  expect(events).toEqual([
    { type: "text-delta", messageId: "m1", text: "Hello" },
    { type: "text-reset", messageId: "m1" },
    { type: "text-delta", messageId: "m1:1", text: "Hello" },
    { type: "text-end", messageId: "m1:1" },
  ]);
  expect(end.turnEnd).toEqual({ finish: "stop", answerId: "m1:1" });
});

it("the texts of one step are one message, and the answer is that of the last step", () => {
  const second = [line("step_start", { messageID: "m2" }), line("text", { messageID: "m2", text: "After compaction" }), STOP];
  const { events, end } = read([START, TEXT, TEXT, STOP, ...second]);
  expect(events.filter(({ type }) => type === "text-end").map((event) => Reflect.get(event, "messageId"))).toEqual(["m1", "m2"]);
  expect(end.turnEnd).toEqual({ finish: "stop", answerId: "m2" });
});

it("a step that begins after an error clears the error", () => {
  const error = { type: "error", error: { name: "ContextOverflowError", data: { message: "too long" } } };
  expect(read([error, START, TEXT, STOP]).end.turnEnd).toEqual({ finish: "stop", answerId: "m1" });
  expect(read([START, TEXT, STOP, error], { exitCode: 0 }).end.turnEnd).toMatchObject({
    finish: "error",
    fault: { kind: "ContextOverflowError", message: "too long" },
  });
});

it("a call of an own tool that an agent was not offered is a denial", () => {
  const call = (tool: string): JsonObject => {
    const output = `The arguments provided to the tool are invalid: Model tried to call unavailable tool '${tool}'.`;
    const state = { status: "completed", input: { tool, error: "…" }, output };
    return line("tool_use", { id: "p1", tool: "invalid", state });
  };
  const denials = (native: JsonObject, agent: TurnContext): readonly unknown[] =>
    opencodeRun
      .start(agent)
      .step(native)
      .events.filter(({ type }) => type === "permission-denied");
  const agent = { permissionMode: "default" } as const;
  expect(denials(call("bash"), agent)).toEqual([{ type: "permission-denied", id: "p1", name: "bash", input: null }]);
  expect(denials(call("no_such_tool"), agent)).toEqual([]);
  expect(denials(call("bash"), {})).toEqual([]);
});

it("a rejected call is a denial, and a run that stops there has failed", () => {
  const state = {
    status: "error",
    input: { command: "x" },
    error: "The user rejected permission to use this specific tool call.",
  };
  const { events, end } = read([START, line("tool_use", { id: "p1", tool: "bash", state }), finish("tool-calls")]);
  expect(events.map(({ type }) => type)).toEqual(["tool-start", "tool-call", "permission-denied", "tool-end"]);
  expect(end.turnEnd?.fault?.kind).toBe("permission-rejected");
});

it.each([
  ["an open step", [START, TEXT], { exitCode: 0 }, "cut-off"],
  ["a step that called tools", [START, finish("tool-calls")], { exitCode: 0 }, "cut-off"],
  ["a step that ended in an error", [START, finish("error")], { exitCode: 0 }, "error"],
  ["nothing", [], { exitCode: 0 }, undefined],
  ["an open step and a signal", [START, TEXT], { signal: "SIGKILL" }, undefined],
  ["an open step and an exit code", [START, TEXT], { exitCode: 1 }, undefined],
] as const)("output that ends after %s", (_name, lines, exit, kind) => {
  expect(read(lines, exit).end.turnEnd?.fault?.kind).toBe(kind);
});

it.each([
  ["length", "length"],
  ["content-filter", "content-filter"],
  ["other", "stop"],
])("a last step that ended for the reason %s finishes with %s", (reason, expected) => {
  expect(read([START, TEXT, finish(reason)]).end.turnEnd?.finish).toBe(expected);
});

it("tokens and costs are added up over the steps, and a cost of zero is unknown", () => {
  const tokens = { input: 10, output: 5, reasoning: 2, cache: { read: 3, write: 1 } };
  const paid = line("step_finish", { reason: "tool-calls", tokens, cost: 0.1 });
  expect(read([START, paid, START, { ...paid }, START, STOP]).end.events).toEqual([
    {
      type: "usage",
      usage: {
        ...{ inputTokens: 28, outputTokens: 14, totalTokens: 42, cacheReadTokens: 6, cacheWriteTokens: 2, reasoningTokens: 4 },
        ...{ estimated: false, scope: "turn" },
      },
      costUsd: 0.2,
    },
  ]);
  expect(read([START, STOP]).end.events).toEqual([]);
});

it.each([
  [{ "retry-after": "2" }, 2_000],
  [{ "retry-after": "0.5" }, 500],
  [{ "retry-after-ms": "1500", "retry-after": "9" }, 1_500],
  [{ "retry-after": "Sun, 15 Nov 2026 18:00:10 GMT" }, 10_000],
  [{ "retry-after": "soon" }, undefined],
  [{}, undefined],
])("headers %j state a wait of %s ms", (responseHeaders, expected) => {
  const timestamp = Date.parse("2026-11-15T18:00:00Z");
  const data = { message: "slow down", statusCode: 429, responseHeaders };
  const { end } = read([{ type: "error", timestamp, error: { name: "APIError", data } }], { exitCode: 1 });
  expect(end.turnEnd?.fault?.retryAfterMs).toBe(expected);
});

function line(type: string, part: JsonObject): JsonObject {
  return { type, part };
}

function finish(reason: string): JsonObject {
  return line("step_finish", { reason, messageID: "m1" });
}

function read(lines: readonly JsonValue[], exit: ExitReport = { exitCode: 0 }): { events: WireStep["events"]; end: WireStep } {
  const turn = opencodeRun.start({});
  return { events: lines.flatMap((value) => turn.step(value).events), end: turn.finish(exit) };
}
