import { expect, it } from "vitest";
import { Exchange, HANDSHAKE, messages, say } from "../../../tests/support/recordings/acp-exchange.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { PromptRequest } from "../../spec/request.ts";

it("a session is opened before its turn, after the handshake, and only one turn uses it", () => {
  const exchange = new Exchange();
  const { connection } = exchange;
  expect(connection.prepare?.({ prompt: "SECRET" })).toEqual([]);
  const asked = exchange.read(HANDSHAKE).sent;
  expect(asked).toMatchObject([{ id: 2, method: "session/new", params: { cwd: "/work", mcpServers: [] } }]);
  expect(JSON.stringify(asked)).not.toContain("SECRET");
  exchange.read({ jsonrpc: "2.0", id: 2, result: { sessionId: "s1" } });
  expect([connection.isPrepared?.(), connection.isPrepared?.({ prompt: "hi", session: { keep: true } })]).toEqual([true, false]);
  const { step } = exchange.begin({ prompt: "hi" });
  expect(step.events).toEqual([{ type: "session-start", sessionId: "s1" }]);
  expect(messages(step.send)).toMatchObject([{ id: 3, method: "session/prompt", params: { sessionId: "s1" } }]);
  expect(exchange.update("s1", say("a"))).toMatchObject([{ events: [{ text: "a" }] }]);
  expect(messages(exchange.begin({ prompt: "two" }).step.send)).toMatchObject([{ id: 4, method: "session/new" }]);
});

it("a turn that begins before its session was opened waits for it, and may be interrupted", () => {
  const exchange = new Exchange();
  exchange.read(HANDSHAKE);
  exchange.connection.prepare?.({ prompt: "" });
  const { turn, step } = exchange.begin({ prompt: "hi" });
  expect(step).toEqual({ events: [] });
  turn.interrupt();
  const { steps, sent } = exchange.read({ jsonrpc: "2.0", id: 2, result: { sessionId: "s1" } });
  expect(steps).toMatchObject([{ turnEnd: { finish: "cancelled" } }]);
  expect(sent).toMatchObject([{ method: "close", params: { sessionId: "s1" } }]);
});

it("a session for other settings is closed unused and counts as a turn; one that needs the prompt is opened by its turn", () => {
  const session = ({ prompt, system = "" }: PromptRequest): JsonObject => ({ system, ...(prompt === "/x" && { prompt }) });
  const exchange = new Exchange({ session, turnsPerProcess: 2 });
  exchange.read(HANDSHAKE);
  const { connection } = exchange;
  connection.prepare?.({ prompt: "/x", system: "A" });
  exchange.read({ jsonrpc: "2.0", id: 2, result: { sessionId: "s1" } });
  expect([connection.isPrepared?.({ prompt: "y", system: "A" }), connection.isPrepared?.({ prompt: "/x", system: "A" })]).toEqual(
    [true, false],
  );
  expect(messages(connection.prepare?.({ prompt: "", system: "B" }))).toMatchObject([
    { method: "close", params: { sessionId: "s1" } },
    { method: "session/new", params: { system: "B" } },
  ]);
  exchange.begin({ prompt: "/x", system: "B" });
  expect(connection.isSpent?.()).toBe(true);
});
