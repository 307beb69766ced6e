import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import type { BaseLanguageModelInput, StructuredOutputMethodOptions } from "@langchain/core/language_models/base";
import { BaseChatModel, type BindToolsInput } from "@langchain/core/language_models/chat_models";
import { convertChunksToEvents } from "@langchain/core/language_models/compat";
import type { ChatModelStreamEvent } from "@langchain/core/language_models/event";
import type { AIMessage, AIMessageChunk, BaseMessage, MessageContent } from "@langchain/core/messages";
import type { ChatGenerationChunk, ChatResult } from "@langchain/core/outputs";
import type { Runnable } from "@langchain/core/runnables";
import type { ChatCliCallOptions } from "./call-settings.ts";
import { countTokens } from "./count-tokens.ts";
import { toLangChainError } from "./langchain-error.ts";
import { toChunk, withReasoningBlocks } from "./message-chunks.ts";
import { type ChatCliFields, toLangChainFields } from "./model-fields.ts";
import { type AnswerSchema, type StructuredAnswer, structureOutput } from "./structured-output.ts";
import { toDefinitions } from "./to-definitions.ts";

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

  /** The answer of a call as one message. */
  protected abstract answer(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): Promise<AIMessage>;

  /** The answer of a call in pieces. */
  protected abstract answerInPieces(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
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

  override async _generate(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): Promise<ChatResult> {
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
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
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
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatModelStreamEvent> {
    const chunks = this.disableStreaming
      ? this.asOneChunk(messages, options, runManager)
      : this._streamResponseChunks(messages, options, runManager);
    yield* convertChunksToEvents(withReasoningBlocks(chunks), options.signal === undefined ? {} : { signal: options.signal });
  }

  private async *asOneChunk(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const { generations } = await this._generate(messages, options, runManager);
    for (const { message } of generations) yield toChunk(message as AIMessage);
  }
}
