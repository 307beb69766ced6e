import { randomUUID } from "node:crypto";
import { type Charge, type Ledger, sum } from "./ledger.ts";
import { optionOf, type Script, type ScriptedProcess } from "./machine.ts";
import type { ScriptedModel } from "./model.ts";
import { promptOf } from "./prompt-of.ts";

/** `qwen -o stream-json`: one turn, the prompt on stdin. `usage` of the result is the total of the session. */
export function qwenPrint(process: ScriptedProcess, { model, ledger }: { model: ScriptedModel; ledger: Ledger }): Script {
  const { args } = process;
  const id = optionOf(args, "--resume") ?? optionOf(args, "-r") ?? optionOf(args, "--session-id") ?? randomUUID();
  const hasSchema = args.includes("--json-schema");
  const line = (value: object): object => ({ ...value, uuid: randomUUID(), session_id: id });
  const event = (value: object): object => line({ type: "stream_event", parent_tool_use_id: null, event: value });
  const end = (input: string): void => {
    const about = {
      cwd: "/",
      tools: hasSchema ? ["structured_output"] : [],
      mcp_servers: [],
      model: "qwen3-coder-plus",
      permission_mode: "default",
    };
    process.print(
      line({ type: "system", subtype: "init", ...about, slash_commands: [], qwen_code_version: "0.24.4", agents: [] }),
    );
    const reply = model.ask("qwen", id, promptOf(process, input));
    const isCall = hasSchema && reply.act === "answer";
    const error = reply.act === "error" ? "[API Error: Connection error. (cause: fetch failed)]" : undefined;
    const text = error ?? reply.text;
    const message = { id: randomUUID(), type: "message", role: "assistant", model: "qwen3-coder-plus" };
    const usage = reply.entry === undefined ? { input_tokens: 0, output_tokens: 0 } : usageOf(reply.entry.charge);
    const call = { type: "tool_use", id: "call_1", name: "structured_output", input: isCall ? JSON.parse(text) : {} };
    const block = isCall ? call : { type: "text", text };
    process.print(
      event({ type: "message_start", message: { ...message, content: [] } }),
      event({ type: "content_block_start", index: 0, content_block: isCall ? call : { type: "text", text: "" } }),
      ...(isCall ? [] : [event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })]),
      event({ type: "content_block_stop", index: 0 }),
      line({ type: "assistant", parent_tool_use_id: null, message: { ...message, content: [block], stop_reason: null, usage } }),
      event({ type: "message_stop" }),
    );
    ledger.tellThread(id);
    const plain = hasSchema && !isCall && error === undefined ? PLAIN : undefined;
    const total = usageOf(sum(ledger.of(id).map(({ charge }) => charge)));
    const problem = error ?? plain;
    const rest = { num_turns: 1, usage: total, permission_denials: [] };
    const failed = { subtype: "error_during_execution", is_error: true, ...rest, error: { message: problem } };
    const done = {
      subtype: "success",
      is_error: false,
      result: text,
      ...rest,
      ...(isCall && { structured_result: JSON.parse(text) }),
    };
    process.print(line({ type: "result", ...(problem === undefined ? done : failed) }));
    process.exit(problem === undefined ? 0 : 1);
  };
  return { end };
}

const PLAIN =
  "Model produced plain text instead of calling the structured_output tool as required by --json-schema after 1 turn(s).";

function usageOf({ inputTokens, outputTokens, cacheReadTokens }: Charge): object {
  const total_tokens = inputTokens + outputTokens;
  return { input_tokens: inputTokens, output_tokens: outputTokens, cache_read_input_tokens: cacheReadTokens, total_tokens };
}
