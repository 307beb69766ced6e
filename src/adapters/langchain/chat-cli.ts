import { createHash } from "node:crypto";
import type { CallbackManagerForLLMRun as RunManager } from "@langchain/core/callbacks/manager";
import type { LangSmithParams } from "@langchain/core/language_models/chat_models";
import type { ModelProfile } from "@langchain/core/language_models/profile";
import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { ChatGenerationChunk } from "@langchain/core/outputs";
import type { RunnableConfig } from "@langchain/core/runnables";
import type { Client } from "../../client.ts";
import { checkCompatibility } from "../../compatibility/check-compatibility.ts";
import { firstTarget, withModel } from "../../doors/named-targets.ts";
import type { RunError } from "../../spec/failure/run-error.ts";
import { defined } from "../../spec/json.ts";
import { capabilitiesOf } from "../../spec/provider/cli-data.ts";
import type { Provider } from "../../spec/provider/provider.ts";
import type { Target, Targets } from "../../spec/request.ts";
import type { RunContext, RunStream } from "../../spec/stream.ts";
import type { About } from "./answer-fields.ts";
import { AnsweringModel, type ParsedOptions } from "./answering-model.ts";
import { type CallSettings, type ChatCliCallOptions, hideRequest, readCallSettings, toRequest } from "./call-settings.ts";
import { sharedClient } from "./cli-provider-options.ts";
import { type ChatCliFields, type ModelSettings, readModelSettings, refuseUnknownField } from "./model-fields.ts";
import { readMessage, toChunks } from "./read-run.ts";
import { refuse } from "./refusal.ts";
import { ToolReports } from "./report-tools.ts";

/** Any AI CLI as a LangChain chat model; the CLI itself makes every call, with the user's own login. */
export class ChatCli extends AnsweringModel {
  readonly #name: string | Targets;
  readonly #model: string | undefined;
  /** A `#` field, because the settings may contain secrets, and models are logged and traced. */
  readonly #settings: ModelSettings;
  readonly #client: Client | undefined;
  readonly #refusal: RunError | undefined;

  static override lc_name(): string {
    return "ChatCli";
  }

  constructor(fields: ChatCliFields) {
    super(fields ?? {});
    if (!(typeof fields?.provider === "string" || Array.isArray(fields?.provider)) || fields.provider.length === 0)
      throw new TypeError('ChatCli needs a provider, such as new ChatCli({ provider: "claude" }).');
    const { provider, model } = fields;
    if (model !== undefined && typeof provider === "string" && provider.split(",")[0]?.includes("/"))
      throw new TypeError(`The model ${model} and the provider ${provider} contradict each other; name the model in one place.`);
    this.#name = provider;
    this.#model = model;
    this.lc_kwargs = defined({ provider, model });
    this.#client = fields.client;
    const { warnings } = checkCompatibility(fields, () => this.cli);
    const settings = readModelSettings(fields);
    this.#settings = { ...settings, warnings: [...settings.warnings, ...warnings] };
    this.#refusal = refuseUnknownField(fields);
  }

  override _llmType(): string {
    return "coxswain";
  }

  /** The model's capabilities; agents choose their strategies by it. */
  override get profile(): ModelProfile {
    return toProfile(this.cli, this.model);
  }

  /** The id of the provider that is asked first; the name itself if it means none. */
  get provider(): string {
    return this.first.provider;
  }

  /** The model of the provider that is asked first; undefined if its CLI chooses one. */
  get model(): string | undefined {
    return this.first.model;
  }

  /** The provider that is asked first; undefined if the name means none. */
  get cli(): Provider | undefined {
    const { provider } = this;
    return this.client.providers.find(({ id }) => id === provider);
  }

  override getLsParams(options: ParsedOptions): LangSmithParams {
    const params: LangSmithParams = {
      ls_provider: "coxswain",
      ls_model_name: this.model ?? this.provider,
      ls_model_type: "chat",
    };
    return Object.assign(params, {
      ls_temperature: undefined,
      ls_max_tokens: this.#settings.request.maxOutputTokens,
      ls_stop: options.stop ?? this.#settings.stop,
    });
  }

  /** The settings that traces and caches may contain; those that can hold secrets are left out. */
  override _identifyingParams(): Record<string, unknown> {
    const { system, systemMode, mode, effort, maxOutputTokens, maxTurns, outputSchema } = this.#settings.request;
    const request = { system, systemMode, mode, effort, maxOutputTokens, maxTurns, outputSchema };
    const found = this.client.resolve(this.#name);
    const others = "failure" in found ? [] : found.targets.slice(1);
    return { provider: this.provider, model: this.model, ...(others.length > 0 && { fallback: others }), request };
  }

  override invocationParams(options?: ParsedOptions): Record<string, unknown> {
    const { tools, toolChoice, outputSchema } = this.read(options ?? {});
    return { ...this._identifyingParams(), tools, tool_choice: toolChoice, output_schema: outputSchema };
  }

  override _getSerializedCacheKeyParametersForCall(options: ChatCliCallOptions): string {
    const { request, ...call } = this.read(options);
    const { metadata: _, timeouts: __, ...settings } = { ...this.#settings.request, ...request };
    const account = createHash("sha256").update(JSON.stringify(settings)).digest("base64");
    return JSON.stringify({ ...this._identifyingParams(), account, call, type: this._llmType() });
  }

  protected override _separateRunnableConfigFromCallOptionsCompat(
    options?: Partial<ChatCliCallOptions>,
  ): [RunnableConfig, ParsedOptions] {
    const [config, call] = super._separateRunnableConfigFromCallOptionsCompat(options);
    return [config, hideRequest(call)];
  }

  protected override async answer(messages: BaseMessage[], options: ParsedOptions, runManager?: RunManager): Promise<AIMessage> {
    const settings = this.read(options);
    // The pieces are not shown, so a failed attempt may be repeated until the end.
    const asked = toRequest(messages, this.#settings.request, settings);
    const run = this.start(asked, settings, { ...options, commit: "end" });
    return await readMessage(run, this.about(settings), { ...settings, asked, reports: new ToolReports(runManager) });
  }

  protected override async *answerInPieces(
    messages: BaseMessage[],
    options: ParsedOptions,
    runManager?: RunManager,
  ): AsyncGenerator<ChatGenerationChunk> {
    const settings = this.read(options);
    const asked = toRequest(messages, this.#settings.request, settings);
    const reading = { ...settings, asked, reports: new ToolReports(runManager) };
    yield* toChunks(this.start(asked, settings, options), this.about(settings), reading);
  }

  private get client(): Client {
    return this.#client ?? sharedClient();
  }

  private get first(): Target {
    return firstTarget(this.client, this.#name, this.#model);
  }

  private about({ warnings }: CallSettings): About {
    return { ...this.first, warnings };
  }

  private read(options: Partial<ChatCliCallOptions>): CallSettings {
    return readCallSettings(options, this.#settings);
  }

  /** Starts the run of a call. It waits in the queue however long that is: LangChain has no way to ask for a later try. */
  private start(
    request: ReturnType<typeof toRequest>,
    settings: CallSettings,
    { signal, commit }: { readonly signal?: AbortSignal; readonly commit?: "end" },
  ): RunStream {
    if (this.#refusal !== undefined) throw this.#refusal;
    const [ignored] = settings.warnings;
    if ({ ...this.#settings.request, ...settings.request }.strict === true && ignored !== undefined)
      throw refuse(ignored.message);
    const context: RunContext = {
      fullQueue: "wait",
      ...defined({ signal, commit }),
    };
    return this.client.run(withModel(this.client, this.#name, this.#model), request, context);
  }
}

/** The profile of a provider's model; an unknown provider has only what Coxswain does itself. */
function toProfile(provider: Provider | undefined, model: string | undefined): ModelProfile {
  const capabilities = provider && capabilitiesOf(provider);
  const maxInputTokens = provider && inputTokensOf(provider, model ?? provider.defaultModel);
  return {
    toolCalling: true,
    toolChoice: true,
    structuredOutput: true,
    imageInputs: capabilities?.images === true,
    imageToolMessage: capabilities?.images === true,
    imageUrlInputs: false,
    reasoningOutput: capabilities?.reasoning === true,
    ...(maxInputTokens !== undefined && { maxInputTokens }),
  };
}

/** By the longest known name within that of the model; without a model the least of all, because the CLI chooses one of them. */
function inputTokensOf({ maxInputTokens = {} }: Provider, model: string | undefined): number | undefined {
  const known = Object.entries(maxInputTokens);
  if (model === undefined) return known.length === 0 ? undefined : Math.min(...known.map(([, tokens]) => tokens));
  const named = known.filter(([name]) => model.includes(name)).toSorted(([left], [right]) => right.length - left.length);
  return named[0]?.[1];
}
