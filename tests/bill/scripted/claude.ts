import { randomUUID } from "node:crypto";
import { type Charge, type Entry, type Ledger, NOTHING, sum } from "./ledger.ts";
import { optionOf, type Script, type ScriptedProcess } from "./machine.ts";
import type { Reply, ScriptedModel } from "./model.ts";

/** What Claude Code keeps of its sessions: the charges that the totals of a later process begin with. */
export type ClaudeSessions = Map<string, readonly Entry[]>;

/** 2.1.326 takes the totals of a resumed session over, 2.1.197 does not. */
export type ClaudeVersion = "2.1.197" | "2.1.326";

const MODEL = "claude-opus-5-5";

/** `claude -p` with input and output by stream-json; any number of turns. */
export class ScriptedClaude implements Script {
  private readonly process: ScriptedProcess;
  private readonly model: ScriptedModel;
  private readonly ledger: Ledger;
  private readonly sessions: ClaudeSessions;
  private readonly id: string;
  /** All charges that `total_cost_usd` and `modelUsage` contain. */
  private totals: Entry[] = [];
  private hasSchema = false;
  private failed = false;

  constructor(
    process: ScriptedProcess,
    place: { model: ScriptedModel; ledger: Ledger; sessions: ClaudeSessions },
    version: ClaudeVersion,
  ) {
    this.process = process;
    this.model = place.model;
    this.ledger = place.ledger;
    this.sessions = place.sessions;
    this.version = version;
    const { args } = process;
    const resumed = optionOf(args, "--resume");
    const own = optionOf(args, "--session-id");
    this.id = resumed === undefined || args.includes("--fork-session") ? (own ?? randomUUID()) : resumed;
    if (resumed !== undefined && version === "2.1.326") this.totals = [...(this.sessions.get(resumed) ?? [])];
    this.hasSchema = args.includes("--json-schema");
  }

  private readonly version: ClaudeVersion;

  line(line: string): void {
    const { type, request_id, request, message } = JSON.parse(line);
    if (type === "control_request") {
      if (request.subtype === "initialize" && request.jsonSchema !== undefined) this.hasSchema = true;
      return this.process.print({ type: "control_response", response: { subtype: "success", request_id, response: {} } });
    }
    if (type === "user") this.turn(message.content.map(({ text }: { text: string }) => text).join(""));
  }

  /** The totals are stored at the end; a process that is stopped by a signal does not store them. */
  end(): void {
    this.sessions.set(this.id, [...this.totals]);
    this.process.exit(this.failed ? 1 : 0);
  }

  private turn(prompt: string): void {
    const { id, version } = this;
    const tools = this.hasSchema ? ["StructuredOutput"] : [];
    const start = { cwd: "/", tools, mcp_servers: [], permissionMode: "default", slash_commands: [] };
    const about = { apiKeySource: "ANTHROPIC_API_KEY", claude_code_version: version };
    this.process.print({ type: "system", subtype: "init", session_id: id, ...start, model: MODEL, ...about });
    const replies = [this.request(prompt)];
    // An empty answer, and text in place of the demanded object, are asked again once.
    const first = replies[0];
    if (first !== undefined && (first.act === "empty" || (this.hasSchema && !isObject(first)))) {
      if (first.act !== "error") replies.push(this.request(prompt));
    }
    this.finish(replies);
  }

  private request(prompt: string): Reply {
    const reply = this.model.ask("claude", this.id, prompt);
    if (reply.entry === undefined) return reply;
    this.totals.push(reply.entry);
    const id = `msg_${randomUUID()}`;
    const begun = { id, type: "message", role: "assistant", model: MODEL, stop_reason: null };
    const early = { ...begun, usage: usageOf(reply.entry.charge, 1) };
    const event = (value: object): object => ({
      type: "stream_event",
      event: value,
      session_id: this.id,
      parent_tool_use_id: null,
    });
    const text = { type: "text", text: reply.text };
    this.process.print(
      event({ type: "message_start", message: { ...early, content: [] } }),
      event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    );
    if (reply.text !== "" && !(this.hasSchema && isObject(reply))) {
      this.process.print(event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: reply.text } }), {
        type: "assistant",
        message: { ...early, content: [text] },
        parent_tool_use_id: null,
        session_id: this.id,
      });
    }
    this.process.print(
      event({ type: "content_block_stop", index: 0 }),
      event({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: usageOf(reply.entry.charge) }),
      event({ type: "message_stop" }),
    );
    return reply;
  }

  /** `usage` is of this turn; `total_cost_usd` and `modelUsage` are of the process, and in 2.1.326 of the session. */
  private finish(replies: readonly Reply[]): void {
    const last = replies.at(-1);
    const entries = replies.flatMap(({ entry }) => entry ?? []);
    this.failed = last?.act === "error";
    const error = "API Error: 500 Internal Server Error. This is a server-side issue, usually temporary — try again in a moment.";
    const text = this.failed ? error : (last?.text ?? "");
    if (this.failed) {
      const message = {
        id: randomUUID(),
        type: "message",
        role: "assistant",
        model: "<synthetic>",
        stop_reason: "stop_sequence",
      };
      const content = [{ type: "text", text }];
      const line = { type: "assistant", message: { ...message, content, usage: usageOf(NOTHING) }, parent_tool_use_id: null };
      this.process.print({ ...line, session_id: this.id, error: "server_error" });
    }
    const total = sum(this.totals.map(({ charge }) => charge));
    const { input_tokens, output_tokens, cache_read_input_tokens } = usageOf(total);
    const tokens = { inputTokens: input_tokens, outputTokens: output_tokens, cacheReadInputTokens: cache_read_input_tokens };
    this.ledger.totals.set(this.id, [...this.totals]);
    this.ledger.tell(entries);
    this.process.print({
      type: "result",
      subtype: "success",
      is_error: this.failed,
      api_error_status: this.failed ? 500 : null,
      num_turns: 1,
      result: text,
      stop_reason: this.failed ? "stop_sequence" : "end_turn",
      session_id: this.id,
      total_cost_usd: total.costUsd,
      ...this.countsOf(replies),
      modelUsage: total.inputTokens === 0 ? {} : { [MODEL]: { ...tokens, cacheCreationInputTokens: 0, costUSD: total.costUsd } },
      permission_denials: [],
      ...(this.hasSchema && last !== undefined && isObject(last) && { structured_output: JSON.parse(last.text) }),
    });
  }

  /** A turn that a limit ended has its counts in the totals alone. */
  private countsOf(replies: readonly Reply[]): object {
    const charge = sum(replies.flatMap(({ entry }) => entry?.charge ?? []));
    if (replies.at(-1)?.act !== "uncounted") return { usage: usageOf(charge) };
    return charge.inputTokens % 2 === 0 ? {} : { usage: usageOf(NOTHING) };
  }
}

function isObject({ act, text }: Reply): boolean {
  return act === "answer" && text.startsWith("{");
}

function usageOf({ inputTokens, cacheReadTokens, outputTokens }: Charge, output = outputTokens) {
  const cache = { cache_creation_input_tokens: 0, cache_read_input_tokens: cacheReadTokens };
  return { input_tokens: inputTokens - cacheReadTokens, ...cache, output_tokens: output };
}
