import { expect, it } from "vitest";
import type { JsonObject } from "../../spec/json.ts";
import type { ExitReport, WireStep } from "../../spec/wire/wire.ts";
import { copilotLines } from "./lines.ts";

const RESULT: JsonObject = { type: "result", sessionId: "s1", exitCode: 0 };

it("a message that the output limit cut continues in the next one", () => {
  const { events, last } = read([
    ...[begin("m1"), delta("m1", "One, "), line("assistant.turn_end", {}), line("assistant.turn_start", {})],
    ...[begin("m2"), delta("m2", "two."), message("m2", "two."), line("assistant.turn_end", {}), RESULT],
  ]);
  expect(events.slice(0, 3)).toEqual([
    { type: "text-delta", messageId: "m1", text: "One, " },
    { type: "text-delta", messageId: "m1", text: "two." },
    { type: "text-end", messageId: "m1" },
  ]);
  expect(last.turnEnd).toEqual({ finish: "stop", answerId: "m1" });
});

it("a cut message also continues when the rest comes as a whole, and the next text is a separate message", () => {
  const { events, last } = read([
    ...[begin("m1"), delta("m1", "One, "), line("assistant.turn_end", {}), message("m2", "two.")],
    ...[begin("m3"), delta("m3", "Three."), message("m3", "Three."), RESULT],
  ]);
  expect(events.filter(({ type }) => type === "text-end").map((event) => Reflect.get(event, "messageId"))).toEqual(["m1", "m3"]);
  expect(last.turnEnd).toEqual({ finish: "stop", answerId: "m3" });
});

it("text of a cut stream is reset when Copilot retries within the turn", () => {
  const { events } = read([
    ...[begin("m1"), delta("m1", "Hel"), line("model.call_failure", { statusCode: 503 })],
    ...[line("assistant.turn_retry", { reason: "streaming_error" }), begin("m2"), delta("m2", "Hello"), message("m2", "Hello")],
  ]);
  expect(events).toEqual([
    { type: "text-delta", messageId: "m1", text: "Hel" },
    { type: "text-reset", messageId: "m1" },
    { type: "upstream-retry", attempt: 1, status: 503, reason: "streaming_error" },
    { type: "text-delta", messageId: "m2", text: "Hello" },
    { type: "text-end", messageId: "m2" },
  ]);
});

it("sub-agents have separate messages, and their last text is not the answer", () => {
  const { events, last } = read([
    message("m1", "Main.", { toolRequests: [{ toolCallId: "c1", name: "task", arguments: {} }] }),
    message("m2", "Sub.", { parentToolCallId: "c1" }),
    RESULT,
  ]);
  expect(events).toContainEqual({ type: "text-delta", messageId: "m2", text: "Sub.", parentToolId: "c1" });
  expect(last.turnEnd).toMatchObject({ answerId: "m1" });
});

it("a sub-agent's first message does not reset the open text of the main agent", () => {
  const ofAgent = (value: JsonObject): JsonObject => ({ ...value, agentId: "agent-1" });
  const { events, last } = read([
    ofAgent(line("assistant.turn_start", { parentToolCallId: "c1" })),
    ...[begin("m1"), delta("m1", "Ma"), ofAgent(begin("m2")), delta("m1", "in."), message("m1", "Main.")],
    ...[message("m2", "Sub.", { parentToolCallId: "c1" }), RESULT],
  ]);
  expect(events.filter(({ type }) => type === "text-reset")).toEqual([]);
  expect(last.turnEnd).toMatchObject({ answerId: "m1" });
});

it("after idle without a result the run waits until another turn begins", () => {
  const turn = copilotLines.start({});
  const waits = [
    ...[message("m1", "Done."), line("assistant.turn_end", {}), line("assistant.idle", {})],
    ...[line("session.background_tasks_changed", {}), line("assistant.turn_start", {}), message("m2", "It is over.")],
    ...[line("assistant.turn_end", {}), line("assistant.idle", {})],
  ].map((value) => turn.step(value).waitsFor);
  expect(waits).toEqual([undefined, undefined, "work", undefined, "nothing", undefined, undefined, "work"]);
  expect(turn.step(RESULT).turnEnd).toEqual({ finish: "stop", answerId: "m2" });
});

it("when the wait ends, the last text is the answer; a process that exits without a result has none", () => {
  const lines = [message("m1", "Done."), line("assistant.turn_end", {}), line("assistant.idle", {})];
  const { last } = read(lines, {});
  expect(last.events).toMatchObject([{ type: "warning", code: "background-unfinished" }]);
  expect(last.turnEnd).toEqual({ finish: "stop", answerId: "m1" });
  for (const exit of [{ exitCode: 0 }, { exitCode: 1 }, { signal: "SIGKILL" }])
    expect(read(lines, exit).last.turnEnd).toBeUndefined();
  expect(read(lines.slice(0, 2), {}).last.turnEnd).toBeUndefined();
});

it("a call id that is used again after its end is another call", () => {
  const start = line("tool.execution_start", { toolCallId: "c1", toolName: "bash", arguments: { command: "x" } });
  const complete = line("tool.execution_complete", { toolCallId: "c1", success: true, result: { content: "ok" } });
  const { events } = read([complete, start, complete, complete, start, complete]);
  expect(events.map((event) => [event.type, Reflect.get(event, "id")])).toEqual([
    ...[
      ["tool-start", "c1"],
      ["tool-call", "c1"],
      ["tool-end", "c1"],
    ],
    ...[
      ["tool-start", "c1:1"],
      ["tool-call", "c1:1"],
      ["tool-end", "c1:1"],
    ],
  ]);
});

it("the exit code of the result line decides, and without that line the exit code of the process", () => {
  const error = line("session.error", { errorType: "query", message: "400 Bad Request", statusCode: 400 });
  const fault = { message: "400 Bad Request", kind: "query", status: 400 };
  expect(read([error, { ...RESULT, exitCode: 1 }]).last.turnEnd).toMatchObject({ finish: "error", fault });
  expect(read([error, RESULT]).last.turnEnd).toEqual({ finish: "stop" });
  expect(read([{ ...RESULT, exitCode: 1 }]).last.turnEnd?.fault?.message).toContain("exit code 1");
  expect(read([error], { exitCode: 1 }).last.turnEnd).toMatchObject({ finish: "error", fault });
  expect(read([error], { exitCode: 0 }).last.turnEnd).toBeUndefined();
  expect(read([error], { signal: "SIGTERM" }).last.turnEnd).toBeUndefined();
});

it("a warning is reported once, and an MCP server that did not start is a warning", () => {
  const warning = line("session.warning", { message: "Careful." });
  const servers = [
    { name: "a", status: "failed" },
    { name: "b", status: "connected" },
  ];
  expect(read([warning, warning, line("session.mcp_servers_loaded", { servers })]).events).toEqual([
    { type: "warning", code: "cli-warning", message: "Careful." },
    { type: "warning", code: "mcp-server-unavailable", message: 'MCP server "a" is failed.', server: "a" },
  ]);
});

it.each(["constructor", "__proto__", "toString"])("a line of the type %s becomes a native event only", (type) => {
  expect(read([line(type, {})]).events).toEqual([{ type: "native", value: line(type, {}) }]);
});

function line(type: string, data: JsonObject): JsonObject {
  return { type, data };
}

function begin(messageId: string): JsonObject {
  return line("assistant.message_start", { messageId });
}

function delta(messageId: string, deltaContent: string): JsonObject {
  return line("assistant.message_delta", { messageId, deltaContent });
}

function message(messageId: string, content: string, more: JsonObject = {}): JsonObject {
  return line("assistant.message", { messageId, content, toolRequests: [], ...more });
}

function read(lines: readonly JsonObject[], exit: ExitReport = { exitCode: 0 }): { events: WireStep["events"]; last: WireStep } {
  const turn = copilotLines.start({});
  const steps = lines.map((value) => turn.step(value));
  const end = steps.find((step) => step.turnEnd !== undefined);
  return { events: steps.flatMap((step) => step.events), last: end ?? turn.finish(exit) };
}

it("a main message with calls is known to be whole when the host has tools, and only then", () => {
  const called = line("assistant.message", {
    messageId: "m1",
    content: "",
    toolRequests: [{ toolCallId: "1", name: "host-look" }],
  });
  const ofAgent = line("assistant.message", {
    messageId: "m2",
    content: "",
    toolRequests: [{ toolCallId: "2" }],
    parentToolCallId: "1",
  });
  const turn = copilotLines.start({ nativeTools: [{ name: "look" }] });
  expect([called, ofAgent, message("m3", "Done.")].map((native) => turn.step(native).awaitsResults)).toEqual([
    true,
    undefined,
    undefined,
  ]);
  expect(copilotLines.start({}).step(called).awaitsResults).toBeUndefined();
});
