import type { BaseChatModelCallOptions, BaseChatModelParams, BindToolsInput } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";
import type { Client } from "../../client.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { RunRequest } from "../../spec/request.ts";
import type { ToolChoice, ToolDefinition } from "../../spec/tool.ts";
import { splitSystem } from "../../tools/to-prompt.ts";
import { toDefinitions, toPlainSchema, toToolChoice } from "./to-definitions.ts";
import { toMessages } from "./to-messages.ts";

/** The fields of a ChatCli model. */
export type ChatCliFields = Omit<BaseChatModelParams, "maxRetries" | "maxConcurrency" | "onFailedAttempt"> & {
  /** The provider: `claude`, `codex`, or any other of the client; `claude/opus` names its model too. */
  readonly provider: string;
  readonly model?: string | undefined;
  /** The client that runs the CLI; by default one client of this module, shared by all models. */
  readonly client?: Client;
  /** Settings for every call, such as `timeouts`, `effort`, `system` or `env`. */
  readonly request?: Partial<Omit<RunRequest, "prompt" | "messages" | "tools" | "toolChoice">>;
};

/** Options of a single call, besides LangChain's own. */
export type ChatCliCallOptions = BaseChatModelCallOptions & {
  tools?: readonly (ToolDefinition | BindToolsInput)[];
  /** JSON Schema of the answer. */
  outputSchema?: JsonObject;
  /** The same in OpenAI's shape, as agents pass it. */
  response_format?: { type: string; json_schema?: { schema?: unknown } };
};

/** The settings of one call, from the options that LangChain passes. */
export type CallSettings = {
  readonly tools: readonly ToolDefinition[];
  readonly toolChoice: ToolChoice;
  readonly outputSchema?: JsonObject;
  readonly stop: readonly string[];
};

/** Picks the options that a CLI supports; agents pass many others. */
export function readCallSettings(options: Partial<ChatCliCallOptions>): CallSettings {
  const { tools = [], tool_choice: choice, outputSchema, response_format: format, stop = [] } = options;
  const schema = outputSchema ?? schemaOf(format);
  return {
    tools: toDefinitions(tools),
    toolChoice: tools.length === 0 ? "auto" : toToolChoice(choice),
    ...(schema !== undefined && { outputSchema: schema }),
    stop: [stop].flat(),
  };
}

function schemaOf(format: ChatCliCallOptions["response_format"]): JsonObject | undefined {
  const schema = format?.json_schema?.schema;
  if (schema !== undefined) return toPlainSchema(schema);
  return format?.type === "json_object" ? { type: "object" } : undefined;
}

/** The request of one call. Leading system messages go into the CLI's system prompt, after the model's own. */
export function toRequest(
  messages: readonly BaseMessage[],
  defaults: NonNullable<ChatCliFields["request"]>,
  { tools, toolChoice, outputSchema }: CallSettings,
): RunRequest {
  const conversation = splitSystem(toMessages(messages, "blocks"));
  const system = [defaults.system, conversation.system].filter((text) => text !== undefined).join("\n\n");
  return {
    ...defaults,
    messages: conversation.messages,
    ...(system !== "" && { system }),
    ...(tools.length > 0 && { tools, toolChoice }),
    ...(outputSchema !== undefined && { outputSchema }),
  };
}
