import type { BindToolsInput } from "@langchain/core/language_models/chat_models";
import type { AIMessage, BaseMessage, UsageMetadata } from "@langchain/core/messages";
import { type Client, createClient } from "../../client.ts";
import type { RunEvent } from "../../spec/events.ts";
import type { RunRequest } from "../../spec/request.ts";
import type { RunStream } from "../../spec/stream.ts";
import type { ToolDefinition } from "../../spec/tool.ts";
import type { InvokeOptions, ModelAdapter } from "./adapter-chat-model.ts";
import { type About, toAIMessage, toUsageMetadata } from "./to-ai-message.ts";
import { toDefinitions } from "./to-definitions.ts";
import { toMessages } from "./to-messages.ts";

/** Options of an adapter of any provider; all are optional. */
export type CliProviderOptions = {
  readonly model?: string;
  /** The program to run; by default the CLI's own name, found on PATH. */
  readonly cliPath?: string;
  /** Milliseconds for a call; 120,000 by default. 0: the timeouts of a plain run (ten minutes in total, two minutes idle). */
  readonly timeout?: number;
  /** The longest line of output in bytes; 10 MiB by default. */
  readonly maxBuffer?: number;
  readonly inputEncoding?: "xml" | "text";
};

/** Options of `createClaudeCliProvider`. */
export type ClaudeCliProviderOptions = CliProviderOptions;

/** Options of `createCodexCliProvider`. */
export type CodexCliProviderOptions = CliProviderOptions;

/** An update during a call; the last one is `final` or `error`. */
export type InvokeUpdate =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  | { readonly type: "tool_call"; readonly id: string; readonly name: string; readonly args: Record<string, unknown> }
  | { readonly type: "usage"; readonly usage: UsageMetadata }
  | { readonly type: "error"; readonly error: Error }
  | { readonly type: "final"; readonly message: AIMessage };

/** A model adapter that can bind tools and report updates during a call. */
export interface CliModelAdapter extends ModelAdapter {
  bindTools(tools: readonly BindToolsInput[]): CliModelAdapter;
  /** Like `invoke`, with a callback for each update. */
  invokeWithUpdates(
    messages: BaseMessage[],
    onUpdate: (update: InvokeUpdate) => void,
    options?: InvokeOptions,
  ): Promise<AIMessage>;
}

const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_MAX_BUFFER = 10 * 1024 * 1024;

/** A model adapter over Claude Code; starts nothing before its first call. */
export function createClaudeCliProvider(options: ClaudeCliProviderOptions = {}): CliModelAdapter {
  return createCliProvider("claude", options);
}

/** A model adapter over Codex; starts nothing before its first call. */
export function createCodexCliProvider(options: CodexCliProviderOptions = {}): CliModelAdapter {
  return createCliProvider("codex", options);
}

/** A model adapter over any provider; starts nothing before its first call. */
export function createCliProvider(id: string, options: CliProviderOptions = {}): CliModelAdapter {
  let client: Client | undefined;
  const { model, cliPath, maxBuffer = DEFAULT_MAX_BUFFER } = options;
  const openClient = (): Client => {
    client ??= createClient({ limits: { lineBytes: maxBuffer }, ...(cliPath !== undefined && { binaries: { [id]: cliPath } }) });
    return client;
  };
  return withTools({ about: { provider: id, ...(model !== undefined && { model }) }, options, openClient, tools: [] });
}

type AdapterParts = {
  readonly about: About;
  readonly options: CliProviderOptions;
  readonly openClient: () => Client;
  readonly tools: readonly ToolDefinition[];
};

function withTools(parts: AdapterParts): CliModelAdapter {
  const { about } = parts;
  return {
    invoke: async (messages, { signal } = {}) => toAIMessage(await start(parts, messages, signal).result(), about),
    async invokeWithUpdates(messages, onUpdate, { signal } = {}) {
      const run = start(parts, messages, signal);
      for await (const event of run) for (const update of toUpdates(event)) onUpdate(update);
      try {
        const message = toAIMessage(await run.result(), about);
        onUpdate({ type: "final", message });
        return message;
      } catch (error) {
        if (error instanceof Error) onUpdate({ type: "error", error });
        throw error;
      }
    },
    bindTools: (tools) => withTools({ ...parts, tools: toDefinitions(tools) }),
  };
}

function start(parts: AdapterParts, messages: readonly BaseMessage[], signal?: AbortSignal): RunStream {
  const { about, options, openClient, tools } = parts;
  const { timeout = DEFAULT_TIMEOUT_MS, inputEncoding = "xml" } = options;
  const request: RunRequest = {
    messages: toMessages(messages, "json"),
    threadEncoding: inputEncoding,
    ...(tools.length > 0 && { tools }),
    ...(timeout > 0 && { timeouts: { idleMs: timeout, totalMs: timeout } }),
  };
  return openClient().run(about, request, signal === undefined ? {} : { signal });
}

function toUpdates(event: RunEvent): readonly InvokeUpdate[] {
  switch (event.type) {
    case "text-delta":
      return [{ type: "text", text: event.text }];
    case "reasoning-delta":
      return [{ type: "reasoning", text: event.text }];
    case "tool-call":
      return event.executor === "host"
        ? [{ type: "tool_call", id: event.id, name: event.name, args: event.input as Record<string, unknown> }]
        : [];
    case "usage":
      return [{ type: "usage", usage: toUsageMetadata(event.usage) }];
    default:
      return [];
  }
}
