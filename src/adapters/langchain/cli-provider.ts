import type { BindToolsInput } from "@langchain/core/language_models/chat_models";
import type { AIMessage, BaseMessage, UsageMetadata } from "@langchain/core/messages";
import type { Client } from "../../client.ts";
import { checkCompatibility } from "../../compatibility/check-compatibility.ts";
import { firstTarget, withModel } from "../../doors/named-targets.ts";
import { defined } from "../../spec/json.ts";
import type { Provider } from "../../spec/provider/provider.ts";
import type { RunRequest } from "../../spec/request.ts";
import type { RunResult } from "../../spec/result.ts";
import type { RunStream } from "../../spec/stream.ts";
import type { RunEvent } from "../../spec/wire/events.ts";
import { toUsageMetadata } from "./answer-fields.ts";
import type { InvokeOptions, ModelAdapter } from "./ask-adapter.ts";
import { toAIMessage } from "./cli-message.ts";
import {
  type AdapterParts,
  type ClaudeCliProviderOptions,
  type CliProviderOptions,
  type CodexCliProviderOptions,
  checkCliProviderOptions,
  clientOf,
  DEFAULT_TIMEOUT_MS,
  withParts,
} from "./cli-provider-options.ts";
import { toDefinitions } from "./to-definitions.ts";
import { toMessages } from "./to-messages.ts";

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

/** A model adapter over Claude Code; starts nothing before its first call. */
export function createClaudeCliProvider(options: ClaudeCliProviderOptions = {}): CliModelAdapter {
  return createCliProvider("claude", options);
}

/** A model adapter over Codex; starts nothing before its first call. */
export function createCodexCliProvider(options: CodexCliProviderOptions = {}): CliModelAdapter {
  return createCliProvider("codex", options);
}

/** A model adapter over any provider; starts nothing before its first call. */
export function createCliProvider(name: string, options: CliProviderOptions = {}): CliModelAdapter {
  checkCliProviderOptions(options);
  let client: Client | undefined;
  const openClient = (): Client => {
    client ??= clientOf(name, options);
    return client;
  };
  const subject = (): Provider | undefined => {
    const { provider } = firstTarget(openClient(), name);
    return openClient().providers.find(({ id }) => id === provider);
  };
  const { warnings } = checkCompatibility(options, subject);
  // The design documents take an empty name of a model for none.
  return withTools({ name, model: options.model || undefined, options, openClient, warnings, tools: [] });
}

function withTools(parts: AdapterParts): CliModelAdapter {
  const adapter: CliModelAdapter = {
    invoke: async (messages, { signal } = {}) => toMessage(await start(parts, messages, signal).result(), parts),
    async invokeWithUpdates(messages, onUpdate, { signal } = {}) {
      const run = start(parts, messages, signal);
      for await (const event of run) for (const update of toUpdates(event)) onUpdate(update);
      try {
        const message = toMessage(await run.result(), parts);
        onUpdate({ type: "final", message });
        return message;
      } catch (error) {
        if (error instanceof Error) onUpdate({ type: "error", error });
        throw error;
      }
    },
    bindTools: (tools) => withTools({ ...parts, tools: toDefinitions(tools) }),
  };
  return withParts(adapter, parts);
}

/** An adapter gives the last message of the CLI, trimmed. */
function toMessage(result: RunResult, { openClient, name, model, warnings }: AdapterParts): AIMessage {
  return toAIMessage(
    result,
    { ...firstTarget(openClient(), name, model), warnings },
    { text: result.text.trim(), reasoning: "" },
  );
}

export function requestOf({ options, tools }: AdapterParts): Omit<RunRequest, "prompt" | "messages"> {
  const { timeout = DEFAULT_TIMEOUT_MS, inputEncoding = "xml", trustThread, marks, env, auth } = options;
  return {
    threadEncoding: inputEncoding,
    ...defined({ trustThread, marks, env, auth }),
    // An adapter's prompt begins with the list of its tools, by definition.
    ...(tools.length > 0 && { tools, hostTools: "text" }),
    ...(timeout > 0 && { timeouts: { idleMs: timeout, totalMs: timeout } }),
  };
}

function start(parts: AdapterParts, messages: readonly BaseMessage[], signal?: AbortSignal): RunStream {
  if (!Array.isArray(messages)) throw new TypeError('An adapter takes a list of messages, such as [new HumanMessage("…")].');
  const request: RunRequest = { ...requestOf(parts), messages: toMessages(messages, "json") };
  const client = parts.openClient();
  return client.run(withModel(client, parts.name, parts.model), request, {
    fullQueue: "wait",
    ...(signal !== undefined && { signal }),
  });
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
