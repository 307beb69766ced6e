import { expect, it } from "vitest";
import { Exchange, HANDSHAKE, messages, say } from "../../../tests/support/recordings/acp-exchange.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { PromptRequest } from "../../spec/request.ts";
import type { WireTurn } from "../../spec/wire/wire.ts";
import { acpWire } from "./acp.ts";

/** A turn whose prompt was sent. */
function prompted(request: PromptRequest = { prompt: "hi" }): { readonly exchange: Exchange; readonly turn: WireTurn } {
  const exchange = new Exchange();
  exchange.read(HANDSHAKE);
  const { turn } = exchange.begin(request);
  exchange.read({ jsonrpc: "2.0", id: 2, result: { sessionId: "s1" } });
  return { exchange, turn };
}

it("a turn waits for the handshake, opens a session, sends the prompt, and closes the session at its end", () => {
  const exchange = new Exchange();
  expect(exchange.begin({ prompt: "hi" }).step).toEqual({ events: [] });
  expect(exchange.read(HANDSHAKE).sent).toMatchObject([
    { id: 2, method: "session/new", params: { cwd: "/work", mcpServers: [] } },
  ]);
  const opened = exchange.read({ jsonrpc: "2.0", id: 2, result: { sessionId: "s1" } });
  expect(opened.sent).toMatchObject([
    { id: 3, method: "session/prompt", params: { sessionId: "s1", prompt: [{ type: "text", text: "hi" }] } },
  ]);
  expect(opened.steps).toMatchObject([{ events: [{ type: "session-start", sessionId: "s1" }] }]);
  const deltas = [...exchange.update("s1", say("Hel")), ...exchange.update("s1", say("lo"))].flatMap(({ events }) => events);
  expect(deltas).toEqual([
    { type: "text-delta", messageId: "message-1", text: "Hel" },
    { type: "text-delta", messageId: "message-1", text: "lo" },
  ]);
  const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15, thoughtTokens: 2, cachedReadTokens: 4 };
  exchange.update("s1", { ...say(""), _meta: { usage } });
  exchange.update("s1", { ...say(""), _meta: { usage } });
  const ended = exchange.read({ jsonrpc: "2.0", id: 3, result: { stopReason: "end_turn" } });
  expect(ended.steps).toMatchObject([
    {
      events: [
        { type: "text-end", messageId: "message-1" },
        { type: "usage", usage: { inputTokens: 20, outputTokens: 10, totalTokens: 30, cacheReadTokens: 8, reasoningTokens: 4 } },
      ],
      turnEnd: { finish: "stop", answerId: "message-1" },
    },
  ]);
  expect(ended.sent).toMatchObject([{ id: 4, method: "close", params: { sessionId: "s1" } }]);
  expect(exchange.read({ jsonrpc: "2.0", id: 4, result: {} }).steps).toEqual([]);
});

it("a conversation goes on in its session", () => {
  const { exchange, turn } = prompted();
  exchange.update("s1", say("one"));
  turn.step({ jsonrpc: "2.0", id: 3, result: { stopReason: "end_turn" } });
  const next = turn.goOn?.({ prompt: "two" });
  expect(messages(next?.send)).toMatchObject([
    { method: "session/prompt", params: { sessionId: "s1", prompt: [{ text: "two" }] } },
  ]);
  expect(exchange.update("s1", say("b"))).toMatchObject([{ events: [{ type: "text-delta", text: "b" }] }]);
  expect(messages(turn.leave?.())).toMatchObject([{ method: "close", params: { sessionId: "s1" } }]);
});

it("updates go to the turn of their session, and those of a closed session to none", () => {
  const { exchange } = prompted();
  exchange.begin({ prompt: "two" });
  exchange.read({ jsonrpc: "2.0", id: 4, result: { sessionId: "s2" } });
  expect(exchange.update("s2", say("b"))).toMatchObject([{ events: [{ text: "b" }] }]);
  exchange.read({ jsonrpc: "2.0", id: 5, result: { stopReason: "end_turn" } });
  expect(exchange.update("s2", say("late"))).toEqual([]);
  expect(exchange.update("s1", say("a"))).toMatchObject([{ events: [{ text: "a" }] }]);
});

it("an error of the prompt ends the turn as the CLI's data says", () => {
  const { exchange } = prompted();
  const error = { code: -32603, message: "Internal error", data: { details: "401 Incorrect API key provided." } };
  const { steps } = exchange.read({ jsonrpc: "2.0", id: 3, error });
  expect(steps).toMatchObject([{ turnEnd: { fault: { message: "-32603 Internal error 401 Incorrect API key provided." } } }]);
});

it("a stop reason that is no answer is a fault, and the text before it stays open", () => {
  const { exchange } = prompted();
  exchange.update("s1", say("Half"));
  const { steps } = exchange.read({ jsonrpc: "2.0", id: 3, result: { stopReason: "max_turn_requests" } });
  expect(steps).toMatchObject([{ events: [], turnEnd: { finish: "error", fault: { kind: "max_turn_requests" } } }]);
});

it("a request that concerns no turn is refused, a permission request of no turn is cancelled, and notices are ignored", () => {
  const { exchange } = prompted();
  const asked = (method: string, params: JsonObject): readonly JsonObject[] =>
    exchange.read({ jsonrpc: "2.0", id: "x", method, params }).sent;
  expect(asked("fs/read_text_file", { sessionId: "s1", path: "/etc/passwd" })).toMatchObject([
    { id: "x", error: { code: -32601 } },
  ]);
  const cancelled = { outcome: { outcome: "cancelled" } };
  expect(asked("session/request_permission", { sessionId: "s9" })).toMatchObject([{ id: "x", result: cancelled }]);
  expect(exchange.read({ jsonrpc: "2.0", method: "_x.ai/queue/changed", params: { sessionId: "s1" } })).toEqual({
    steps: [],
    sent: [],
  });
  expect(exchange.read("a banner")).toEqual({ steps: [], sent: [] });
});

const QUESTION = {
  jsonrpc: "2.0",
  id: 0,
  method: "session/request_permission",
  params: {
    sessionId: "s1",
    options: [
      { optionId: "proceed_always", kind: "allow_always" },
      { optionId: "proceed_once", kind: "allow_once" },
      { optionId: "cancel", kind: "reject_once" },
    ],
    toolCall: { toolCallId: "call_1", status: "pending", title: "touch x", rawInput: { command: "touch x" } },
  },
};

it.each([
  ["allow", { behavior: "allow" }, "proceed_once", []],
  ["deny", { behavior: "deny", message: "No." }, "cancel", ["permission-denied"]],
  ["a changed input", { behavior: "allow", updatedInput: { command: "ls" } }, "cancel", ["warning", "permission-denied"]],
] as const)("the answer to a permission request is an option of its kind: %s", (_title, answer, optionId, events) => {
  const { exchange, turn } = prompted({ prompt: "hi", mode: "agent" });
  const { steps } = exchange.read(QUESTION);
  expect(steps[0]?.events.map(({ type }) => type)).toEqual(["tool-start", "tool-call", "permission-request"]);
  expect(steps[0]?.asks).toEqual([{ requestId: "0", name: "touch x", input: { command: "touch x" } }]);
  const step = turn.answer?.("0", answer);
  expect(messages(step?.send)).toMatchObject([{ id: 0, result: { outcome: { outcome: "selected", optionId } } }]);
  expect(step?.events.map(({ type }) => type)).toEqual(events);
});

it("a completion denies without the host", () => {
  const { steps, sent } = prompted().exchange.read(QUESTION);
  expect(steps[0]).not.toHaveProperty("asks");
  expect(sent).toMatchObject([{ result: { outcome: { optionId: "cancel" } } }]);
});

it("a call begins, gets its input and ends once; an id that is used again is another call", () => {
  const { exchange } = prompted({ prompt: "hi", mode: "agent" });
  const start = { sessionUpdate: "tool_call", toolCallId: "call_1", title: "bash", status: "pending", rawInput: {} };
  const run = {
    sessionUpdate: "tool_call_update",
    toolCallId: "call_1",
    status: "in_progress",
    rawInput: { command: "echo hi" },
  };
  const content = [{ type: "content", content: { type: "text", text: "hi\n" } }];
  const end = { sessionUpdate: "tool_call_update", toolCallId: "call_1", status: "completed", content };
  const events = [start, run, end, end, start, end]
    .flatMap((update) => exchange.update("s1", update))
    .flatMap((step) => step.events);
  expect(events.map((event) => [event.type, "id" in event ? event.id : ""])).toEqual([
    ...["tool-start", "tool-call", "tool-end"].map((type) => [type, "call_1"]),
    ...["tool-start", "tool-call", "tool-end"].map((type) => [type, "call_1:1"]),
  ]);
  expect(events[1]).toMatchObject({ name: "bash", input: { command: "echo hi" } });
  expect(events[2]).toMatchObject({ output: "hi\n", isError: false });
});

it("an interrupt cancels the prompt and its questions, or closes a session that is not open yet", () => {
  const { exchange, turn } = prompted({ prompt: "hi", mode: "agent" });
  exchange.read(QUESTION);
  expect(messages(turn.interrupt().send)).toMatchObject([
    { method: "session/cancel", params: { sessionId: "s1" } },
    { id: 0, result: { outcome: { outcome: "cancelled" } } },
  ]);
  const early = new Exchange();
  early.read(HANDSHAKE);
  expect(early.begin({ prompt: "hi" }).turn.interrupt().send).toHaveLength(1);
  const { steps, sent } = early.read({ jsonrpc: "2.0", id: 2, result: { sessionId: "s1" } });
  expect(steps).toMatchObject([{ turnEnd: { finish: "cancelled" } }]);
  expect(sent).toMatchObject([{ method: "close", params: { sessionId: "s1" } }]);
});

it("a kept session stays open and is continued; another one is loaded, and its repeated history is no answer", () => {
  const { exchange } = prompted({ prompt: "hi", session: { keep: true } });
  expect(exchange.read({ jsonrpc: "2.0", id: 3, result: { stopReason: "end_turn" } }).sent).toEqual([]);
  const { step } = exchange.begin({ prompt: "more", session: { resume: "s1" } });
  expect(messages(step.send)).toMatchObject([{ id: 4, method: "session/prompt", params: { sessionId: "s1" } }]);
  expect(exchange.connection.takes?.({ prompt: "x", session: { resume: "s1" } })).toBe(false);
  const loaded = exchange.begin({ prompt: "old", session: { resume: "s7" } }).step;
  expect(messages(loaded.send)).toMatchObject([{ id: 5, method: "session/load", params: { sessionId: "s7", cwd: "/work" } }]);
  expect(exchange.update("s7", say("An old answer."))).toEqual([{ events: [], isHeartbeat: true }]);
  expect(exchange.read({ jsonrpc: "2.0", id: 5, result: {} }).sent).toMatchObject([{ method: "session/prompt" }]);
});

it("a process takes no session of its own choice, none of another process if it loads none, and is spent after its turns", () => {
  const { connection, begin } = new Exchange({ loads: false, turnsPerProcess: 1 });
  expect(connection.takes?.({ prompt: "x", session: { id: "mine" } })).toBe(false);
  expect(connection.takes?.({ prompt: "x", session: { resume: "s7" } })).toBe(false);
  expect([connection.takes?.({ prompt: "x" }), connection.isSpent?.()]).toEqual([true, false]);
  const used = new Exchange({ turnsPerProcess: 1 });
  begin.call(used, { prompt: "x" });
  expect([used.connection.takes?.({ prompt: "x" }), used.connection.isSpent?.()]).toEqual([false, true]);
});

it("a failed handshake ends the turns that wait for it, and the process takes no other", () => {
  const exchange = new Exchange();
  exchange.begin({ prompt: "hi" });
  const { steps } = exchange.read({ jsonrpc: "2.0", id: 1, error: { code: -32000, message: "Authentication required" } });
  expect(steps).toMatchObject([{ turnEnd: { fault: { message: "-32000 Authentication required " } } }]);
  expect(exchange.connection.isSpent?.()).toBe(true);
});

it("a difference that does not exist is named", () => {
  expect(() => acpWire({ toolname: () => "bash" } as object)).toThrow('acpWire has no field "toolname". Did you mean toolName?');
});
