import { expect, it } from "vitest";
import type { JsonObject } from "../../spec/json.ts";
import type { WireStep } from "../../spec/wire/wire.ts";
import { AppServerTurn } from "./app-server-turn.ts";

it("a message is streamed, and its end adds what was not streamed", () => {
  const { events } = open();
  expect(events(delta("m1", "Hel"), delta("m1", "lo"), message("m1", "Hello."))).toEqual([
    { type: "text-delta", messageId: "m1", text: "Hel" },
    { type: "text-delta", messageId: "m1", text: "lo" },
    { type: "text-delta", messageId: "m1", text: "." },
    { type: "text-end", messageId: "m1" },
  ]);
  expect(events(message("m2", ""))).toEqual([]);
});

it("a message whose end contradicts what was streamed comes again under another id", () => {
  const { events, end } = open();
  expect(events(delta("m1", "Hello"), message("m1", "Bye"))).toEqual([
    { type: "text-delta", messageId: "m1", text: "Hello" },
    { type: "text-reset", messageId: "m1" },
    { type: "text-delta", messageId: "m1-whole", text: "Bye" },
    { type: "text-end", messageId: "m1-whole" },
  ]);
  expect(end("completed").turnEnd).toEqual({ finish: "stop", answerId: "m1-whole" });
});

it("a retry of Codex voids a half message, and a whole one that comes again", () => {
  const { events } = open();
  const retry = { type: "upstream-retry", attempt: 1, maxAttempts: 2, status: 500, reason: "cut" };
  expect(events(delta("m1", "Half"), RETRY)).toEqual([
    { type: "text-delta", messageId: "m1", text: "Half" },
    { type: "text-reset", messageId: "m1" },
    retry,
  ]);
  expect(events(message("m2", "Whole"), RETRY, delta("m3", "Whole"), message("m3", "Whole"))).toEqual([
    { type: "text-delta", messageId: "m2", text: "Whole" },
    { type: "text-end", messageId: "m2" },
    retry,
    { type: "text-delta", messageId: "m3", text: "Whole" },
    { type: "text-reset", messageId: "m2" },
    { type: "text-end", messageId: "m3" },
  ]);
});

it("the parts of a reasoning are separated by a blank line, streamed or not", () => {
  const { events } = open();
  const part = (text: string): JsonObject => ({
    method: "item/reasoning/summaryTextDelta",
    params: { itemId: "r1", delta: text },
  });
  const next = { method: "item/reasoning/summaryPartAdded", params: { itemId: "r1" } };
  const streamed = events(
    next,
    part("One."),
    next,
    part("Two."),
    item({ type: "reasoning", id: "r1", summary: ["One.", "Two."] }),
  );
  expect(streamed.map((event) => "text" in event && event.text).join("")).toBe("One.\n\nTwo.");
  expect(events(item({ type: "reasoning", id: "r2", summary: ["One.", "Two."] }))).toEqual([
    { type: "reasoning-delta", messageId: "r2", text: "One.\n\nTwo." },
  ]);
});

it("a tool call has the names and fields of codex exec", () => {
  const { events } = open();
  const command = {
    type: "commandExecution",
    id: "c1",
    command: "ls",
    status: "completed",
    aggregatedOutput: "a\n",
    exitCode: 0,
  };
  expect(events(item({ ...command, status: "inProgress" }, "item/started"), item(command))).toEqual([
    { type: "tool-start", id: "c1", name: "command_execution" },
    { type: "tool-call", id: "c1", name: "command_execution", input: { command: "ls" }, executor: "cli" },
    { type: "tool-end", id: "c1", output: "a\n", isError: false, details: { exitCode: 0 } },
  ]);
  const change = { path: "/w/a", kind: { type: "update", move_path: null }, diff: "+" };
  expect(events(item({ type: "fileChange", id: "c2", changes: [change], status: "completed" }))).toMatchObject([
    { type: "tool-start", name: "file_change" },
    { type: "tool-call", input: { changes: [{ path: "/w/a", kind: "update" }] } },
    { type: "file-change", path: "/w/a", kind: "update" },
    { type: "tool-end", isError: false },
  ]);
  expect(events(item({ type: "collabAgentToolCall", id: "c3", tool: "spawnAgent", status: "completed" }))).toMatchObject([
    { name: "spawn_agent" },
    {},
    {},
  ]);
});

it("the tokens of a turn are counted from the totals, and reports about an earlier turn do not count", () => {
  const { events, end } = open();
  const report = (turnId: string, total: number, last: number): JsonObject => ({
    method: "thread/tokenUsage/updated",
    params: { turnId, tokenUsage: { total: counts(total), last: counts(last) } },
  });
  expect(events(report("earlier", 100, 100), report("turn", 130, 30), report("turn", 170, 40), report("turn", 170, 40))).toEqual(
    [],
  );
  expect(end("completed").events).toMatchObject([{ type: "usage", usage: { inputTokens: 70, outputTokens: 70, scope: "turn" } }]);
});

it.each<[string | JsonObject, JsonObject]>([
  ["usageLimitExceeded", { kind: "usageLimitExceeded" }],
  [{ httpConnectionFailed: { httpStatusCode: 401 } }, { kind: "httpConnectionFailed", status: 401 }],
  [{ responseStreamDisconnected: { httpStatusCode: null } }, { kind: "responseStreamDisconnected" }],
  ["other", {}],
])("the error info %j of a failed turn is its kind and status", (codexErrorInfo, fault) => {
  const { end } = open();
  const { event, ...known } = end("failed", { message: "No.", codexErrorInfo }).turnEnd?.fault ?? { message: "" };
  expect([known, event]).toEqual([{ message: "No.", ...fault }, expect.anything()]);
});

it("the last error is the fault if the process exits", () => {
  const { events, turn } = open();
  expect(turn.finish({ exitCode: 1 })).toEqual({ events: [] });
  expect(events({ method: "error", params: { error: { message: "Out of luck." }, willRetry: false } })).toEqual([]);
  expect(turn.finish({ exitCode: 1 }).turnEnd).toMatchObject({ finish: "error", fault: { message: "Out of luck." } });
});

it("a warning is reported once, and an unknown message is kept", () => {
  const { events } = open();
  const warning = { method: "warning", params: { message: "Careful." } };
  expect(events(warning, warning)).toEqual([{ type: "warning", code: "cli-warning", message: "Careful." }]);
  expect(events({ method: "turn/new", params: {} })).toEqual([{ type: "native", value: { method: "turn/new", params: {} } }]);
  expect(events(item({ type: "sleep", id: "s" }), item({ type: "userMessage", id: "u" }))).toMatchObject([{ type: "native" }]);
});

const RETRY: JsonObject = {
  method: "error",
  params: {
    error: {
      message: "Reconnecting... 1/2",
      codexErrorInfo: { responseStreamDisconnected: { httpStatusCode: 500 } },
      additionalDetails: "cut",
    },
    willRetry: true,
  },
};

type OpenTurn = {
  readonly turn: AppServerTurn;
  events(...messages: readonly JsonObject[]): WireStep["events"];
  end(status: string, error?: JsonObject): WireStep;
};

/** A turn that has begun. */
function open(): OpenTurn {
  const nothing = { text: "" };
  const link = {
    directory: undefined,
    call: () => nothing,
    end: () => [],
    isClosing: () => false,
    model: () => undefined,
    takeSpare: () => undefined,
  };
  const turn = new AppServerTurn({ prompt: "hi" }, link);
  turn.begin();
  turn.step({ replyTo: "thread/start", result: { thread: { id: "thread" } } });
  turn.step({ replyTo: "turn/start", result: { turn: { id: "turn" } } });
  return {
    turn,
    events: (...messages) => messages.flatMap((native) => turn.step(native).events),
    end: (status, error = {}) => turn.step({ method: "turn/completed", params: { turn: { status, error } } }),
  };
}

function delta(itemId: string, text: string): JsonObject {
  return { method: "item/agentMessage/delta", params: { itemId, delta: text } };
}

function message(id: string, text: string): JsonObject {
  return item({ type: "agentMessage", id, text });
}

function item(fields: JsonObject, method = "item/completed"): JsonObject {
  return { method, params: { item: fields } };
}

function counts(amount: number): JsonObject {
  return { inputTokens: amount, outputTokens: amount, cachedInputTokens: 0 };
}
