import { randomUUID } from "node:crypto";
import { type Charge, type Ledger, NOTHING } from "./ledger.ts";
import { optionOf, type Script, type ScriptedProcess } from "./machine.ts";
import type { ScriptedModel } from "./model.ts";
import { promptOf } from "./prompt-of.ts";

const MODEL = "gemini-3.8-flash";
const INTERNAL = '[API Error: {"error":{"code":500,"message":"Internal Server Error","status":"INTERNAL"}}]';
const EMPTY =
  "The model returned an empty response with no text or thoughts. This may be a transient API issue; please try again.";

/** `gemini -o stream-json`: one turn, the prompt on stdin. The stats are of the process alone. */
export function geminiPrint(process: ScriptedProcess, { model, ledger }: { model: ScriptedModel; ledger: Ledger }): Script {
  const { args } = process;
  const id = optionOf(args, "--resume") ?? optionOf(args, "--session-id") ?? randomUUID();
  const line = (type: string, value: object): object => ({ type, timestamp: new Date().toISOString(), ...value });
  const end = (input: string): void => {
    process.print(line("init", { session_id: id, model: MODEL }), line("message", { role: "user", content: input.trim() }));
    const reply = model.ask("gemini", id, promptOf(process, input));
    if (reply.text !== "") process.print(line("message", { role: "assistant", content: reply.text, delta: true }));
    if (reply.entry !== undefined) ledger.tell([reply.entry]);
    const stats = statsOf(reply.entry?.charge ?? NOTHING);
    if (reply.act === "empty") process.print(line("error", { severity: "error", message: EMPTY }));
    const isFailed = reply.act === "error" || reply.act === "empty";
    const error = reply.act === "error" ? { error: { type: "unknown", message: INTERNAL } } : {};
    process.print(line("result", { status: isFailed ? "error" : "success", ...error, stats }));
    process.exit(reply.act === "error" ? 244 : 0);
  };
  return { end };
}

function statsOf({ inputTokens, outputTokens, cacheReadTokens }: Charge): object {
  const counts = { total_tokens: inputTokens + outputTokens, input_tokens: inputTokens, output_tokens: outputTokens };
  const all = { ...counts, cached: cacheReadTokens, input: inputTokens - cacheReadTokens };
  return { ...all, duration_ms: 1, tool_calls: 0, models: { [MODEL]: all } };
}
