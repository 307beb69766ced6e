import { createHash } from "node:crypto";
import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import type { BaseLanguageModelInput, StructuredOutputMethodOptions } from "@langchain/core/language_models/base";
import { BaseChatModel, type BindToolsInput, type LangSmithParams } from "@langchain/core/language_models/chat_models";
import type { ModelProfile } from "@langchain/core/language_models/profile";
import type { AIMessageChunk, BaseMessage } from "@langchain/core/messages";
import type { ChatGenerationChunk, ChatResult } from "@langchain/core/outputs";
import type { Runnable } from "@langchain/core/runnables";
import { type Client, createClient } from "../../client.ts";
import { capabilitiesOf } from "../../spec/capabilities.ts";
import type { RunStream } from "../../spec/stream.ts";
import { type CallSettings, type ChatCliCallOptions, type ChatCliFields, readCallSettings, toRequest } from "./call-settings.ts";
import { toChunks } from "./chat-chunks.ts";
import { toLangChainError } from "./langchain-error.ts";
import { StopSequences } from "./stop-sequences.ts";
import { type AnswerSchema, type StructuredAnswer, structureOutput } from "./structured-output.ts";
import { type About, toAIMessage } from "./to-ai-message.ts";
import { toDefinitions } from "./to-definitions.ts";

let sharedClient: Client | undefined;

/** Any AI CLI as a LangChain chat model; the CLI itself makes every call, with the user's own login. */
export class ChatCli extends BaseChatModel<ChatCliCallOptions, AIMessageChunk> {
  readonly provider: string;
  readonly model: string | undefined;
  /** A `#` field, because the settings may contain secrets, and models are logged and traced. */
  readonly #defaults: NonNullable<ChatCliFields["request"]>;
  readonly #client: Client | undefined;

  static override lc_name(): string {
    return "ChatCli";
  }

  constructor(fields: ChatCliFields) {
    super(fields ?? {});
    if (typeof fields?.provider !== "string" || fields.provider === "")
      throw new TypeError('ChatCli needs a provider, such as new ChatCli({ provider: "claude" }).');
    const [provider = "", ...model] = fields.provider.split("/");
    this.provider = provider;
    this.model = fields.model ?? (model.length > 0 ? model.join("/") : undefined);
    this.#defaults = fields.request ?? {};
    this.#client = fields.client;
  }

  override _llmType(): string {
    return "coxswain";
  }

  /** The model's capabilities; agents choose their strategies by it. */
  override get profile(): ModelProfile {
    const provider = this.client.providers.find(({ id }) => id === this.provider);
    const capabilities = provider && capabilitiesOf(provider);
    return {
      toolCalling: true,
      toolChoice: true,
      structuredOutput: true,
      imageInputs: capabilities?.images === true,
      imageUrlInputs: false,
      reasoningOutput: capabilities?.reasoning === true,
    };
  }

  override getLsParams(options: this["ParsedCallOptions"]): LangSmithParams {
    const params: LangSmithParams = {
      ls_provider: "coxswain",
      ls_model_name: this.model ?? this.provider,
      ls_model_type: "chat",
    };
    return Object.assign(params, {
      ls_temperature: undefined,
      ls_max_tokens: this.#defaults.maxOutputTokens,
      ls_stop: options.stop,
    });
  }

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

  /** The settings that traces and caches may contain; those that can hold secrets are left out. */
  override _identifyingParams(): Record<string, unknown> {
    const { system, systemMode, mode, effort, maxOutputTokens, maxTurns, outputSchema } = this.#defaults;
    const request = { system, systemMode, mode, effort, maxOutputTokens, maxTurns, outputSchema };
    return { provider: this.provider, model: this.model, request };
  }

  override invocationParams(options?: this["ParsedCallOptions"]): Record<string, unknown> {
    const { tools, toolChoice, outputSchema } = readCallSettings(options ?? {});
    return { ...this._identifyingParams(), tools, tool_choice: toolChoice, output_schema: outputSchema };
  }

  override _getSerializedCacheKeyParametersForCall(options: ChatCliCallOptions): string {
    const { metadata: _, timeouts: __, ...settings } = this.#defaults;
    const account = createHash("sha256").update(JSON.stringify(settings)).digest("base64");
    return JSON.stringify({ ...this._identifyingParams(), account, call: readCallSettings(options), type: this._llmType() });
  }

  override async _generate(messages: BaseMessage[], options: this["ParsedCallOptions"]): Promise<ChatResult> {
    const settings = readCallSettings(options);
    try {
      const result = await this.start(messages, settings, options.signal).result();
      const message = toAIMessage(result, this.about);
      const { input_tokens = 0, output_tokens = 0, total_tokens = 0 } = message.usage_metadata ?? {};
      const tokenUsage = { promptTokens: input_tokens, completionTokens: output_tokens, totalTokens: total_tokens };
      const stop = new StopSequences(settings.stop);
      if (typeof message.content === "string") message.content = stop.push(message.content) + stop.end();
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
    const settings = readCallSettings(options);
    try {
      for await (const chunk of toChunks(this.start(messages, settings, options.signal), this.about, settings.stop)) {
        yield chunk;
        await runManager?.handleLLMNewToken(chunk.text, { prompt: 0, completion: 0 }, undefined, undefined, undefined, { chunk });
      }
    } catch (error) {
      throw toLangChainError(error, options.signal);
    }
  }

  private get client(): Client {
    if (this.#client !== undefined) return this.#client;
    sharedClient ??= createClient();
    return sharedClient;
  }

  private get about(): About {
    return { provider: this.provider, ...(this.model !== undefined && { model: this.model }) };
  }

  private start(messages: readonly BaseMessage[], settings: CallSettings, signal?: AbortSignal): RunStream {
    const request = toRequest(messages, this.#defaults, settings);
    return this.client.run(this.about, request, signal === undefined ? {} : { signal });
  }
}
