import { expect, it } from "vitest";
import { completed, delta, follow, openConnection, read, sent } from "../../../tests/support/recordings/codex-exchange.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Conversation } from "../../spec/request.ts";
import type { WireStep } from "../../spec/wire/wire.ts";

const THREAD = "01a1e735-d5d1-7ad0-851f-405559ed7fdf";

it("a conversation goes on in its thread, and the thread is unloaded when it is left", () => {
  const connection = openConnection();
  const turn = connection.start(0, { prompt: "one" }, {});
  const take = (message: JsonObject): WireStep | undefined =>
    (connection.route?.(message) ?? []).flatMap((routed) => (routed.turn === 0 ? [turn.step(routed.native)] : []))[0];
  const [start] = sent(turn.begin());
  take({ id: start?.["id"] ?? 0, result: { thread: { id: THREAD } } });
  expect(take(completed(THREAD, "completed"))).toMatchObject({ turnEnd: { finish: "stop" } });
  const next = turn.goOn?.({ prompt: "two" });
  expect(next?.events).toEqual([{ type: "session-start", sessionId: THREAD }]);
  expect(sent(next)).toMatchObject([{ method: "turn/start", params: { threadId: THREAD, input: [{ text: "two" }] } }]);
  expect(take(delta(THREAD, "m2", "b"))?.events).toEqual([{ type: "text-delta", messageId: "m2", text: "b" }]);
  expect(take(completed(THREAD, "completed"))).toMatchObject({ turnEnd: { finish: "stop" } });
  expect((turn.leave?.() ?? []).map(read)).toMatchObject([{ method: "thread/unsubscribe", params: { threadId: THREAD } }]);
});

it("a thread gets the messages of a conversation before its turn, and its own system prompt", () => {
  const connection = openConnection();
  const calls = [{ id: "c1", name: "look", args: { place: "door" } }];
  const conversation: Conversation = {
    messages: [
      { role: "user", text: "Hi" },
      { role: "assistant", text: "", toolCalls: calls },
      { role: "tool", callId: "c1", text: "shut" },
    ],
    system: "Be brief.",
  };
  const turn = connection.start(0, { prompt: "<thread>", system: "Be brief. It is a thread.", conversation }, {});
  const followed = follow(connection, 0, turn);
  const [start] = sent(turn.begin());
  expect(start).toMatchObject({ params: { baseInstructions: "Be brief." } });
  const [inject] = sent(followed.step({ id: start?.["id"] ?? 0, result: { thread: { id: THREAD } } }));
  expect(inject).toMatchObject({
    method: "thread/inject_items",
    params: {
      items: [
        { role: "user" },
        { type: "function_call", call_id: "c1", arguments: '{"place":"door"}' },
        { type: "function_call_output", call_id: "c1", output: "shut" },
      ],
    },
  });
  const injected = { method: "rawResponseItem/completed", params: { threadId: THREAD, turnId: "other", item: { type: "x" } } };
  expect(followed.deliver(injected)).toEqual([]);
  const [begun] = sent(followed.step({ id: inject?.["id"] ?? 0, result: {} }));
  expect(begun).toMatchObject({ method: "turn/start", params: { threadId: THREAD, input: [] } });
});
