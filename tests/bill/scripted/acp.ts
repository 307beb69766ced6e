import { randomUUID } from "node:crypto";
import type { Charge, Entry, Ledger } from "./ledger.ts";
import type { Script, ScriptedProcess } from "./machine.ts";
import type { ScriptedModel } from "./model.ts";

/** `qwen --acp` and `gemini --acp`: any number of sessions and prompts. Each tells what a prompt cost, Gemini without all output tokens. */
export class ScriptedAcp implements Script {
  private readonly process: ScriptedProcess;
  private readonly place: { readonly model: ScriptedModel; readonly ledger: Ledger };

  constructor(process: ScriptedProcess, place: { readonly model: ScriptedModel; readonly ledger: Ledger }) {
    this.process = process;
    this.place = place;
  }

  line(line: string): void {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined || method === undefined) return;
    const reply = (result: object): void => this.process.print({ jsonrpc: "2.0", id, result });
    if (method === "initialize") return reply(this.welcome());
    if (method === "session/new") return reply({ sessionId: randomUUID(), modes: MODES });
    if (method === "session/load" && this.isQwen) {
      // A loaded session repeats its history, with the usage of each answer.
      for (const entry of this.place.ledger.of(params.sessionId)) if (entry.toldIn !== undefined) this.sayUsage(entry, true);
      return reply({ modes: MODES });
    }
    if (method === "session/load") {
      return this.process.print({ jsonrpc: "2.0", id, error: { code: -32603, message: "Invalid session identifier" } });
    }
    if (method !== "session/prompt") return reply({});
    this.prompt(params, reply, (error) => this.process.print({ jsonrpc: "2.0", id, error }));
  }

  end(): void {
    this.process.exit();
  }

  private get isQwen(): boolean {
    return this.process.program === "qwen";
  }

  private welcome(): object {
    const agentInfo = this.isQwen ? { name: "qwen-code", version: "0.24.4" } : { name: "gemini-cli", version: "0.61.0" };
    const agentCapabilities = { loadSession: true, promptCapabilities: { image: true, audio: true, embeddedContext: true } };
    return { protocolVersion: 1, agentInfo, authMethods: [], agentCapabilities };
  }

  private prompt(
    { sessionId, prompt }: { sessionId: string; prompt: readonly { text: string }[] },
    reply: (result: object) => void,
    fail: (error: object) => void,
  ): void {
    const { model, ledger } = this.place;
    const { act, text, entry } = model.ask(this.process.program, sessionId, prompt.map((part) => part.text).join("\n"));
    if (entry === undefined) return fail(this.isQwen ? QWEN_ERROR : GEMINI_ERROR);
    if (text !== "") this.update(sessionId, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
    if (this.isQwen) {
      // An empty answer fails without a word about its usage.
      if (act === "empty") {
        entry.isKeptBack = true;
        return fail({ ...QWEN_ERROR, data: { details: "Model stream ended with empty response text." } });
      }
      ledger.tell([entry]);
      this.sayUsage(entry, false);
      return reply({ stopReason: "end_turn" });
    }
    ledger.tell([entry], "input");
    const token_count = { input_tokens: entry.charge.inputTokens, output_tokens: entry.charge.outputTokens };
    reply({
      stopReason: "end_turn",
      _meta: { quota: { token_count, model_usage: [{ model: "gemini-3.8-flash", token_count }] } },
    });
  }

  private sayUsage({ thread, charge }: Entry, isRepeated: boolean): void {
    const replayed = { timestamp: 1, qwenTranscript: { sourceRecordIds: [randomUUID()] } };
    const _meta = { usage: usageOf(charge), ...(isRepeated ? replayed : { durationMs: 1 }) };
    this.update(thread, { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "" }, _meta });
  }

  private update(sessionId: string, update: object): void {
    this.process.print({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update } });
  }
}

const MODES = { currentModeId: "default", availableModes: [{ id: "default", name: "Default" }] };
const QWEN_ERROR = { code: -32603, message: "Internal error", data: { details: "Connection error." } };
const GEMINI_ERROR = { code: 500, message: '{"error":{"code":500,"message":"Internal Server Error","status":"INTERNAL"}}' };

function usageOf({ inputTokens, outputTokens, cacheReadTokens }: Charge): object {
  const totalTokens = inputTokens + outputTokens;
  return { inputTokens, outputTokens, totalTokens, thoughtTokens: 0, cachedReadTokens: cacheReadTokens };
}
