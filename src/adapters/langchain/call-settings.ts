import type { BaseChatModelCallOptions, BindToolsInput } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";
import { splitSystem } from "../../prompts/to-prompt.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { ToolChoice, ToolDefinition } from "../../spec/message.ts";
import type { RunRequest } from "../../spec/request.ts";
import type { RunWarning } from "../../spec/result.ts";
import { type ChatCliFields, type ModelSettings, samplingWarnings } from "./model-fields.ts";
import { toDefinitions, toPlainSchema, toToolChoice } from "./to-definitions.ts";
import { toMessages } from "./to-messages.ts";

/** Options of a single call, besides LangChain's own. */
export type ChatCliCallOptions = BaseChatModelCallOptions & {
  tools?: readonly (ToolDefinition | BindToolsInput)[];
  /** JSON Schema of the answer. */
  outputSchema?: JsonObject;
  /** The schema of the answer in OpenAI's shape, as agents pass it. */
  response_format?: { type: string; json_schema?: { schema?: unknown } };
  /** Replaces the model's own setting. */
  invalidToolCalls?: "return" | "throw";
  /** Settings of this call, such as `mode`, `permissions` or `mcpServers`; each replaces that of the model. Traces do not contain them. */
  request?: ChatCliFields["request"];
};

export type CallSettings = {
  readonly tools: readonly ToolDefinition[];
  readonly toolChoice: ToolChoice;
  readonly outputSchema?: JsonObject;
  readonly stop: readonly string[];
  readonly invalidCalls: "fail" | "return";
  readonly request: Partial<RunRequest>;
  /** About the options of the call and of the model that CLIs do not have. */
  readonly warnings: readonly RunWarning[];
};

/** Picks the options that a CLI supports; agents pass many others. The model's own stop sequences hold unless the call has some. */
export function readCallSettings(options: Partial<ChatCliCallOptions>, model: ModelSettings): CallSettings {
  const { tools = [], tool_choice: choice, outputSchema, response_format: format, stop } = options;
  const schema = outputSchema ?? schemaOf(format);
  return {
    tools: toDefinitions(tools),
    toolChoice: toToolChoice(choice),
    ...(schema !== undefined && { outputSchema: schema }),
    stop: stop === undefined ? model.stop : [stop].flat(),
    request: openRequest(options.request) ?? {},
    invalidCalls: (options.invalidToolCalls ?? model.invalidToolCalls) === "throw" ? "fail" : "return",
    warnings: [...model.warnings, ...samplingWarnings(options)],
  };
}

function schemaOf(format: ChatCliCallOptions["response_format"]): JsonObject | undefined {
  const schema = format?.json_schema?.schema;
  if (schema !== undefined) return toPlainSchema(schema);
  return format?.type === "json_object" ? { type: "object" } : undefined;
}

/** The request of one call. Leading system messages go into the CLI's system prompt, after the model's own. */
export function toRequest(messages: readonly BaseMessage[], model: ModelSettings["request"], call: CallSettings): RunRequest {
  const { outputSchema, toolChoice, invalidCalls } = call;
  const defaults = { ...model, ...call.request };
  const conversation = splitSystem(toMessages(messages, "blocks"));
  const system = [defaults.system, conversation.system].filter((text) => text !== undefined).join("\n\n");
  const tools = call.tools.length > 0 ? call.tools : (defaults.tools ?? []);
  return {
    ...defaults,
    messages: conversation.messages,
    ...(system !== "" && { system }),
    ...(tools.length > 0 && { tools, toolChoice, invalidCalls }),
    ...(outputSchema !== undefined && { outputSchema }),
  };
}

type CallRequest = ChatCliFields["request"];

/** The settings of a call as LangChain's callbacks get them: without their values, which may be secrets. */
class HiddenRequest {
  readonly #request: CallRequest;

  constructor(request: CallRequest) {
    this.#request = request;
  }

  open(): CallRequest {
    return this.#request;
  }

  toJSON(): string {
    return `[${Object.keys(this.#request ?? {}).join(", ")}]`;
  }
}

/** The options of a call whose `request` does not show its values; LangChain passes them to every callback. */
export function hideRequest<Options extends { request?: CallRequest }>(options: Options): Options {
  const { request } = options;
  if (request === undefined || request instanceof HiddenRequest) return options;
  // Only `openRequest` reads it.
  return { ...options, request: new HiddenRequest(request) as CallRequest };
}

function openRequest(request: CallRequest): CallRequest {
  return request instanceof HiddenRequest ? request.open() : request;
}
