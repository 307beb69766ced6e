import type { JsonObject, JsonValue } from "../../../src/spec/json.ts";
import type { Connection, Send, TurnKey, Wire, WireStep, WireTurn } from "../../../src/spec/wire/wire.ts";

/** The wire of programs/answers-rpc.mjs: prompts wait for the handshake, and each message names the prompt that it is about. */
export const rpcWire: Wire = { framing: "stream-json", turnsAtOnce: 2, connect: () => new RpcConnection() };

const HELLO = 1;

type Message = {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly id: number; readonly text: string };
};

class RpcConnection implements Connection {
  private requests = HELLO;
  private isReady = false;
  private readonly turns = new Map<number, TurnKey>();
  /** Turns that begin when the handshake is over. */
  private readonly waiting: TurnKey[] = [];

  open(): readonly Send[] {
    return [toLine({ id: HELLO, method: "hello" })];
  }

  start(turn: TurnKey, { prompt }: { readonly prompt: string }): WireTurn {
    this.requests += 1;
    const id = this.requests;
    this.turns.set(id, turn);
    const ask: WireStep = { events: [], send: [toLine({ id, method: "prompt", params: { prompt } })] };
    return {
      begin: () => {
        if (this.isReady) return ask;
        this.waiting.push(turn);
        return { events: [] };
      },
      step: (native) => readMessage(id, native as Message, prompt) ?? ask,
      interrupt: () => ({ events: [], send: [toLine({ method: "interrupt", params: { id } })] }),
      finish: () => ({ events: [] }),
    };
  }

  readonly route = (native: JsonValue): readonly { readonly turn?: TurnKey; readonly native: JsonValue }[] => {
    const message = native as Message;
    if (message.id === HELLO) {
      this.isReady = true;
      return this.waiting.splice(0).map((turn) => ({ turn, native }));
    }
    const turn = this.turns.get(message.params?.id ?? message.id ?? 0);
    return turn === undefined ? [] : [{ turn, native }];
  };
}

/** Undefined for the end of the handshake. */
function readMessage(id: number, message: Message, prompt: string): WireStep | undefined {
  if (message.id === HELLO) return undefined;
  if (prompt.endsWith("unreadable")) throw new Error("this turn cannot be read");
  const messageId = `answer-${id}`;
  if (message.id === id) return { events: [{ type: "text-end", messageId }], turnEnd: { finish: "stop", answerId: messageId } };
  return { events: [{ type: "text-delta", messageId, text: message.params?.text ?? "" }] };
}

function toLine(message: JsonObject): Send {
  return { text: `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n` };
}
