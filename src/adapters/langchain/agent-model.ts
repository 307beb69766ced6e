import { CallbackManager, type Callbacks } from "@langchain/core/callbacks/manager";
import type { BaseChatModel, BindToolsInput } from "@langchain/core/language_models/chat_models";
import {
  type AIMessage,
  type AIMessageChunk,
  type BaseMessage,
  mapStoredMessagesToChatMessages,
  type UsageMetadata,
} from "@langchain/core/messages";
import { DynamicStructuredTool } from "@langchain/core/tools";
import type { AgentModel, AgentTrace, ModelAnswer, OfferedTool, TracedCall } from "../../agent/model/agent-model.ts";
import type { StoredMessage } from "../../agent/model/message.ts";
import type { Client } from "../../client.ts";
import { RunError } from "../../spec/failure/run-error.ts";
import { defined } from "../../spec/json.ts";
import type { Targets } from "../../spec/request.ts";
import type { RunResult, RunWarning } from "../../spec/result.ts";
import type { Finish } from "../../spec/wire/events.ts";
import type { Usage } from "../../spec/wire/usage.ts";
import { toChatModel } from "./adapter-chat-model.ts";
import { nameOf } from "./answer-fields.ts";
import { AnsweringModel } from "./answering-model.ts";
import { ChatCli } from "./chat-cli.ts";
import { withFields } from "./cli-message.ts";
import { ToolListener } from "./report-tools.ts";

export { toDefinitions } from "./to-definitions.ts";

/** A chat model, or an adapter, as the model of an agent. */
export function fromChatModel(given: object, tools: readonly OfferedTool[], trace: AgentTrace | undefined): AgentModel {
  const chat = toChatModel(given as BaseChatModel);
  const bound = bindTools(chat, tools);
  return {
    name: nameOf(chat),
    takesSchema: chat instanceof AnsweringModel,
    async ask(messages, { signal, outputSchema, budget, onPart }) {
      const listener = new ToolListener(onPart);
      const callbacks = trace?.callbacks() as CallbackManager | undefined;
      callbacks?.addHandler(listener, true);
      const options = {
        signal,
        callbacks: callbacks ?? [listener],
        ...(outputSchema !== undefined && { outputSchema }),
        ...(budget !== undefined && chat instanceof ChatCli && { request: { budget } }),
      };
      let whole: AIMessageChunk | undefined;
      for await (const piece of await bound.stream(messages.map(toBaseMessage), options)) {
        whole = whole?.concat(piece) ?? piece;
        const reasoning = piece.additional_kwargs["reasoning_content"];
        if (typeof reasoning === "string" && reasoning !== "") onPart({ type: "reasoning", text: reasoning });
        if (piece.text !== "") onPart({ type: "text", text: piece.text });
      }
      if (whole === undefined) throw new Error("The model gave no answer.");
      return toAnswer(withFields(whole, {}));
    },
  };
}

/** The CLIs of a name such as `claude/opus,codex`, or of targets, as a chat model, for an agent whose calls are traced. */
export function fromCli(
  provider: string | Targets,
  client: Client,
  tools: readonly OfferedTool[],
  trace: AgentTrace,
): AgentModel {
  return fromChatModel(new ChatCli({ provider, client }), tools, trace);
}

/** A model without `bindTools` calls the tools by its own means, or not at all. */
function bindTools(chat: BaseChatModel, tools: readonly OfferedTool[]): Pick<BaseChatModel, "stream"> {
  const given = tools.map(({ definition, source }) => source ?? { type: "function", function: definition });
  return given.length === 0 ? chat : ((chat.bindTools?.(given as BindToolsInput[]) as BaseChatModel | undefined) ?? chat);
}

const converted = new WeakMap<StoredMessage, BaseMessage>();

/** The messages of a thread are the same objects in each step. */
function toBaseMessage(stored: StoredMessage): BaseMessage {
  const known = converted.get(stored);
  if (known !== undefined) return known;
  const [message] = mapStoredMessagesToChatMessages([stored as never]);
  converted.set(stored, message as BaseMessage);
  return message as BaseMessage;
}

function toAnswer(answer: AIMessage): ModelAnswer {
  const { cost_usd: cost, cost_scope: scope, warnings } = answer.response_metadata;
  const usage = usageOf(answer);
  return {
    message: answer.toDict() as object as StoredMessage,
    finish: finishOf(answer),
    warnings: Array.isArray(warnings) ? (warnings as readonly RunWarning[]) : [],
    ...(usage !== undefined && { usage }),
    ...(typeof cost === "number" && { costUsd: cost, ...(scope === "thread" && { costScope: "thread" }) }),
  };
}

/** The tokens of an answer; undefined if the model reported none. */
function usageOf({ usage_metadata, response_metadata }: AIMessage): Usage | undefined {
  const counts = usage_metadata as UsageMetadata | undefined;
  if (counts === undefined) return undefined;
  return defined({
    inputTokens: counts.input_tokens,
    outputTokens: counts.output_tokens,
    totalTokens: counts.total_tokens,
    cacheReadTokens: counts.input_token_details?.cache_read,
    cacheWriteTokens: counts.input_token_details?.cache_creation,
    reasoningTokens: counts.output_token_details?.reasoning,
    estimated: response_metadata["usage_estimated"] === true,
    scope: response_metadata["usage_scope"] === "thread" ? "thread" : "turn",
  });
}

/** How an answer without calls ended. Services have their own words for a full answer, so all others count as one. */
function finishOf({ response_metadata }: AIMessage): Finish {
  const reason = String(response_metadata["finish_reason"] ?? response_metadata["stop_reason"] ?? "");
  if (["length", "max_tokens", "MAX_TOKENS"].includes(reason)) return "length";
  return ["content_filter", "refusal", "SAFETY"].includes(reason) ? "content-filter" : "stop";
}

/** Begins the run of an agent in the callbacks of the caller and of LangChain's own settings; undefined if there are none. */
export async function openTrace(callbacks: object | undefined, name: string, input: string): Promise<AgentTrace | undefined> {
  const manager = CallbackManager.configure(callbacks as Callbacks | undefined);
  if (manager === undefined) return undefined;
  const none = undefined;
  const agent = { lc: 1, type: "not_implemented" as const, id: ["coxswain", "agent"] };
  const run = await manager.handleChainStart(agent, { input }, none, none, none, none, name);
  return {
    callbacks: () => run.getChild(),
    callTool: (call, signal, work) => callTool(call, { signal, callbacks: run.getChild() }, work),
    async end(result: RunResult) {
      const { failure, text, finish } = result;
      if (failure === undefined) await run.handleChainEnd({ output: text, finish });
      else await run.handleChainError(new RunError(failure, result));
    },
  };
}

type ToolConfig = { readonly signal: AbortSignal; readonly callbacks: CallbackManager };

function callTool(
  { id, name, args, description = "" }: TracedCall,
  config: ToolConfig,
  work: () => Promise<unknown>,
): Promise<unknown> {
  // The arguments were checked before, so LangChain gets a schema that takes all of them.
  const schema = { type: "object", properties: {} };
  return new DynamicStructuredTool({ name, description, schema, func: work }).invoke(
    { type: "tool_call", id, name, args },
    config,
  );
}
