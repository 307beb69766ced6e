import { codexAppServer } from "../../../src/clis/codex/app-server.ts";
import type { JsonObject } from "../../../src/spec/json.ts";
import type { PromptRequest } from "../../../src/spec/request.ts";
import type { EventDraft } from "../../../src/spec/wire/events.ts";
import type { Connection, Send, WireStep, WireTurn } from "../../../src/spec/wire/wire.ts";

/** Opens the exchange with a process. */
export function openConnection(): Connection {
  const connection = codexAppServer.connect();
  connection.open();
  return connection;
}

/** A turn and its values. */
export type Followed = {
  readonly turn: WireTurn;
  /** The step of the turn for a message, if the message is for it. */
  step(message: JsonObject): WireStep | undefined;
  deliver(message: JsonObject): readonly EventDraft[];
};

/** Reads a turn as a channel does, which leaves a turn that has ended. */
export function follow(connection: Connection, key: number, turn: WireTurn): Followed {
  const step = (message: JsonObject): WireStep | undefined => {
    const mine = (connection.route?.(message) ?? []).find((routed) => routed.turn === key);
    const next = mine === undefined ? undefined : turn.step(mine.native);
    return next?.turnEnd === undefined ? next : { ...next, send: [...(next.send ?? []), ...(turn.leave?.() ?? [])] };
  };
  return { turn, step, deliver: (message) => step(message)?.events ?? [] };
}

/** Begins a turn on a new thread. */
export function begin(
  connection: Connection,
  key: number,
  threadId: string,
  request: PromptRequest = { prompt: "hi" },
): Followed {
  const followed = follow(connection, key, connection.start(key, request, {}));
  const [start] = sent(followed.turn.begin());
  const [turn] = sent(followed.step({ id: start?.["id"] ?? 0, result: { thread: { id: threadId } } }));
  followed.step({ id: turn?.["id"] ?? 0, result: { turn: { id: `turn of ${threadId}` } } });
  return followed;
}

/** A piece of a message. */
export function delta(threadId: string, itemId: string, text: string): JsonObject {
  return { method: "item/agentMessage/delta", params: { threadId, itemId, delta: text } };
}

/** The end of a turn. */
export function completed(threadId: string, status: string): JsonObject {
  return { method: "turn/completed", params: { threadId, turn: { status, error: null } } };
}

/** What a step sends. */
export function sent(step: WireStep | undefined): readonly JsonObject[] {
  return (step?.send ?? []).map(read);
}

/** A line that is sent. */
export function read(send: Send): JsonObject {
  return "text" in send ? (JSON.parse(send.text) as JsonObject) : {};
}
