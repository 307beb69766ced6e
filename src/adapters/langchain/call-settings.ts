import type { BaseMessage } from "@langchain/core/messages";
import type { JsonObject } from "../../spec/json.ts";
import type { RunRequest } from "../../spec/request.ts";
import type { ToolChoice, ToolDefinition } from "../../spec/tool.ts";
import { splitSystem } from "../../tools/to-prompt.ts";
import type { ChatCliCallOptions, ChatCliFields } from "./chat-cli-options.ts";
import { toDefinitions, toPlainSchema, toToolChoice } from "./to-definitions.ts";
import { toMessages } from "./to-messages.ts";

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
