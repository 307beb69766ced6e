import { acpWire } from "../../../src/dialects/acp/acp.ts";
import type { AcpCli } from "../../../src/dialects/acp/acp-cli.ts";
import { type JsonObject, type JsonValue, objectOf } from "../../../src/spec/json.ts";
import type { PromptRequest } from "../../../src/spec/request.ts";
import type { Connection, Send, WireStep, WireTurn } from "../../../src/spec/wire/wire.ts";

/** A CLI whose oddities are those of the recordings qwen/acp-session and qwen/acp-permission. */
const CLI: AcpCli = {
  turnsAtOnce: 2,
  turnsPerProcess: 4,
  closes: "close",
  loads: true,
  countsIn: (update) => objectOf(objectOf(update["_meta"])?.["usage"]),
  endOf: ({ code, message, details = "" }) => ({ finish: "error", fault: { message: `${code} ${message} ${details}` } }),
};

/** The answer to the handshake. */
export const HANDSHAKE = { jsonrpc: "2.0", id: 1, result: { protocolVersion: 1 } };

/** The exchange with one process, as its wire sees it. */
export class Exchange {
  readonly connection: Connection;
  private readonly turns: WireTurn[] = [];

  constructor(cli: Partial<AcpCli> = {}) {
    this.connection = acpWire({ ...CLI, ...cli }).connect({ directory: "/work" });
    this.connection.open();
  }

  begin(request: PromptRequest): { readonly turn: WireTurn; readonly step: WireStep } {
    const turn = this.connection.start(this.turns.length, request, {});
    this.turns.push(turn);
    return { turn, step: turn.begin() };
  }

  /** What the turns make of a line, and what is sent because of it; a turn that has ended is left, as a channel does. */
  read(native: JsonValue): { readonly steps: readonly WireStep[]; readonly sent: readonly JsonObject[] } {
    const routed = this.connection.route?.(native) ?? [];
    const taken = routed.flatMap(({ turn, native: part }) => {
      const reader = turn === undefined ? undefined : this.turns[turn];
      if (reader === undefined) return [];
      const step = reader.step(part);
      return [{ step, sends: [...(step.send ?? []), ...(step.turnEnd === undefined ? [] : (reader.leave?.() ?? []))] }];
    });
    const sends = [...routed.flatMap(({ send = [] }) => send), ...taken.flatMap((each) => each.sends)];
    return { steps: taken.map(({ step }) => step), sent: messages(sends) };
  }

  update(sessionId: string, update: JsonObject): readonly WireStep[] {
    return this.read({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update } }).steps;
  }
}

/** The messages that are sent. */
export function messages(sends: readonly Send[] = []): readonly JsonObject[] {
  return sends.flatMap((send) => ("text" in send && send.text !== "" ? [JSON.parse(send.text) as JsonObject] : []));
}

/** An update with a piece of the answer. */
export const say = (text: string): JsonObject => ({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
