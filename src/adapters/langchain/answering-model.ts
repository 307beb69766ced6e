import type { CallbackManagerForLLMRun as RunManager } from "@langchain/core/callbacks/manager";
import { getRetryable, stampRetryable } from "@langchain/core/errors";
import type { BaseLanguageModelInput, StructuredOutputMethodOptions } from "@langchain/core/language_models/base";
import { BaseChatModel, type BindToolsInput } from "@langchain/core/language_models/chat_models";
import { convertChunksToEvents } from "@langchain/core/language_models/compat";
import type { ChatModelStreamEvent } from "@langchain/core/language_models/event";
import {
  assembleStructuredOutputPipeline,
  createContentParser,
  createFunctionCallingParser,
} from "@langchain/core/language_models/structured_output";
import type { AIMessage, AIMessageChunk, BaseMessage, MessageContent } from "@langchain/core/messages";
import { JsonOutputParser } from "@langchain/core/output_parsers";
import type { ChatGenerationChunk, ChatResult } from "@langchain/core/outputs";
import type { Runnable } from "@langchain/core/runnables";
import type { SerializableSchema } from "@langchain/core/utils/standard_schema";
import type { InteropZodType } from "@langchain/core/utils/types";
import { toFailure } from "../../failures/classify.ts";
import type { JsonObject } from "../../spec/json.ts";
import { estimateTokens } from "../../spec/wire/usage.ts";
import type { ChatCliCallOptions } from "./call-settings.ts";
import { PartialAnswerParser, toChunk, withReasoningBlocks } from "./message-chunks.ts";
import { type ChatCliFields, toLangChainFields } from "./model-fields.ts";
import { toDefinitions, toPlainSchema } from "./to-definitions.ts";

export type ParsedOptions = AnsweringModel["ParsedCallOptions"];

/**
 * What the chat models of this package have in common: tools, structured output, streams, token counts and the errors that LangChain
 * gets. A model only says how a call is answered.
 */
export abstract class AnsweringModel extends BaseChatModel<ChatCliCallOptions, AIMessageChunk> {
  /** True if `invoke` reports the pieces of its answer to callbacks. */
  private readonly streaming: boolean;

  constructor(fields: Partial<ChatCliFields>) {
    super(toLangChainFields(fields));
    this.lc_kwargs = {};
    this.streaming = fields.streaming === true;
    this.disableStreaming = fields.disableStreaming ?? fields.streaming === false;
  }

  protected abstract answer(messages: BaseMessage[], options: ParsedOptions, runManager?: RunManager): Promise<AIMessage>;

  protected abstract answerInPieces(
    messages: BaseMessage[],
    options: ParsedOptions,
    runManager?: RunManager,
  ): AsyncGenerator<ChatGenerationChunk>;

  override bindTools(
    tools: readonly BindToolsInput[],
    kwargs: Partial<ChatCliCallOptions> = {},
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, ChatCliCallOptions> {
    return this.withConfig({ ...kwargs, tools: toDefinitions(tools) });
  }

  /** A model whose answers match a schema: by the CLI's own option, or by a tool call with `method: "functionCalling"`. */
  override withStructuredOutput<Output extends StructuredAnswer = StructuredAnswer>(
    schema: AnswerSchema<Output>,
    options?: StructuredOutputMethodOptions<false>,
  ): Runnable<BaseLanguageModelInput, Output>;
  override withStructuredOutput<Output extends StructuredAnswer = StructuredAnswer>(
    schema: AnswerSchema<Output>,
    options?: StructuredOutputMethodOptions<true>,
  ): Runnable<BaseLanguageModelInput, { raw: BaseMessage; parsed: Output }>;
  override withStructuredOutput<Output extends StructuredAnswer>(
    schema: AnswerSchema<Output>,
    options: StructuredOutputMethodOptions<boolean> = {},
  ): Runnable<BaseLanguageModelInput, Output> | Runnable<BaseLanguageModelInput, { raw: BaseMessage; parsed: Output }> {
    return structureOutput(this, schema, options);
  }

  /** An estimate, made on this machine; LangChain's own method downloads a tokenizer. */
  override async getNumTokens(content: MessageContent): Promise<number> {
    return countTokens(content);
  }

  override async _generate(messages: BaseMessage[], options: ParsedOptions, runManager?: RunManager): Promise<ChatResult> {
    if (this.streaming && !this.disableStreaming) {
      let whole: ChatGenerationChunk | undefined;
      for await (const piece of this._streamResponseChunks(messages, options, runManager)) whole = whole?.concat(piece) ?? piece;
      return { generations: whole === undefined ? [] : [whole] };
    }
    try {
      options.signal?.throwIfAborted();
      const message = await this.answer(messages, options, runManager);
      const { input_tokens = 0, output_tokens = 0, total_tokens = 0 } = message.usage_metadata ?? {};
      const tokenUsage = { promptTokens: input_tokens, completionTokens: output_tokens, totalTokens: total_tokens };
      return { generations: [{ text: message.text, message }], llmOutput: { tokenUsage } };
    } catch (error) {
      throw toLangChainError(error, options.signal);
    }
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: ParsedOptions,
    runManager?: RunManager,
  ): AsyncGenerator<ChatGenerationChunk> {
    try {
      options.signal?.throwIfAborted();
      for await (const chunk of this.answerInPieces(messages, options, runManager)) {
        yield chunk;
        await runManager?.handleLLMNewToken(chunk.text, { prompt: 0, completion: 0 }, undefined, undefined, undefined, { chunk });
      }
    } catch (error) {
      throw toLangChainError(error, options.signal);
    }
  }

  /** LangChain converts the content of chunks to events, so the reasoning is put into the content here. */
  override async *_streamChatModelEvents(
    messages: BaseMessage[],
    options: ParsedOptions,
    runManager?: RunManager,
  ): AsyncGenerator<ChatModelStreamEvent> {
    const chunks = this.disableStreaming
      ? this.asOneChunk(messages, options, runManager)
      : this._streamResponseChunks(messages, options, runManager);
    yield* convertChunksToEvents(withReasoningBlocks(chunks), options.signal === undefined ? {} : { signal: options.signal });
  }

  private async *asOneChunk(
    messages: BaseMessage[],
    options: ParsedOptions,
    runManager?: RunManager,
  ): AsyncGenerator<ChatGenerationChunk> {
    const { generations } = await this._generate(messages, options, runManager);
    for (const { message } of generations) yield toChunk(message as AIMessage);
  }
}

/**
 * The error in LangChain's form: the reason of the signal for an aborted call, else the error itself with a mark whether and when a
 * retry can help. What an adapter marked itself stays.
 */
function toLangChainError(error: unknown, signal: AbortSignal | undefined): unknown {
  const { category, retryAfterMs, shouldRetry } = toFailure(error);
  if (category === "cancelled" && signal?.aborted === true) return signal.reason;
  if (getRetryable(error) === undefined) stampRetryable(error, shouldRetry);
  const isOpen = typeof error === "object" && error !== null && Object.isExtensible(error) && !("retryAfterMs" in error);
  if (isOpen && retryAfterMs !== undefined)
    Object.defineProperty(error, "retryAfterMs", { value: retryAfterMs, configurable: true });
  return error;
}

/** Estimates the tokens of a content on this machine; images and other blocks without text count as none. */
function countTokens(content: MessageContent): number {
  if (typeof content === "string") return estimateTokens(content.length);
  const blocks = content as readonly (string | { readonly text?: unknown })[];
  const texts = blocks.map((block) => (typeof block === "string" ? block : block.text));
  return estimateTokens(texts.filter((text) => typeof text === "string").join("\n").length);
}

// biome-ignore lint/suspicious/noExplicitAny: LangChain's own type of it
type StructuredAnswer = Record<string, any>;

/** A schema of Zod 3 or 4, a Standard Schema, or a JSON Schema. */
type AnswerSchema<Output extends StructuredAnswer> = SerializableSchema<Output> | InteropZodType<Output> | StructuredAnswer;

type StructuringModel = Required<Pick<BaseChatModel<ChatCliCallOptions, AIMessageChunk>, "withConfig" | "bindTools">>;

/**
 * The model with a parser behind it: `jsonSchema` and `jsonMode` ask for the value itself, `functionCalling` for a call with it. Without a
 * method, a `name` asks for a call of a function with that name, as LangChain's callers expect.
 */
function structureOutput<Output extends StructuredAnswer>(
  model: StructuringModel,
  schema: AnswerSchema<Output>,
  options: StructuredOutputMethodOptions<boolean>,
): ReturnType<typeof assembleStructuredOutputPipeline<Output>> {
  const { includeRaw = false, method: asked = options.name === undefined ? "jsonSchema" : "functionCalling" } = options;
  const json = unwrap(toPlainSchema(schema));
  // The arguments of a call are always an object.
  const method = asked === "functionCalling" && (json["type"] ?? "object") !== "object" ? "jsonSchema" : asked;
  const format = { ls_structured_output_format: { kwargs: { method }, schema: json } };
  if (method !== "functionCalling") {
    const structured = model.withConfig({ outputSchema: json, ...format });
    const parser = createContentParser<Output>(schema);
    // A value so far does not match a schema of a library: only its JSON is streamed.
    const streaming = parser instanceof JsonOutputParser ? new PartialAnswerParser<Output>() : parser;
    return assembleStructuredOutputPipeline(structured, streaming, includeRaw, "StructuredOutput");
  }
  const name = options.name ?? nameOf(json) ?? "extract";
  const description = typeof json["description"] === "string" ? json["description"] : "The answer as an object.";
  const tool = { type: "function", function: { name, description, parameters: json } };
  const calling = model.bindTools([tool], { tool_choice: name, invalidToolCalls: "throw", ...format });
  return assembleStructuredOutputPipeline(calling, createFunctionCallingParser(schema, name), includeRaw, "StructuredOutput");
}

/** Takes the schema out of OpenAI's `{ name, parameters }`. */
function unwrap(schema: JsonObject): JsonObject {
  const { name, parameters } = schema;
  const isWrapped = typeof name === "string" && typeof parameters === "object" && parameters !== null && !("type" in schema);
  return isWrapped ? (parameters as JsonObject) : schema;
}

function nameOf({ title }: JsonObject): string | undefined {
  return typeof title === "string" && /^[\w.-]+$/.test(title) ? title : undefined;
}
