import type { BaseLanguageModelInput } from "@langchain/core/language_models/base";
import { BaseChatModel, type BaseChatModelCallOptions, type BindToolsInput } from "@langchain/core/language_models/chat_models";
import type { AIMessage, AIMessageChunk, BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import type { Runnable } from "@langchain/core/runnables";
import { ChatCli } from "./chat-cli.ts";

/** Options of an adapter's call. */
export type InvokeOptions = { readonly signal?: AbortSignal };

/** The minimum of a model: messages in, one answer out. */
export interface ModelAdapter {
  invoke(messages: BaseMessage[], options?: InvokeOptions): Promise<AIMessage>;
  /** Returns an adapter with these tools; the original does not change. */
  bindTools?(tools: readonly BindToolsInput[]): ModelAdapter;
}

/** True for an adapter, false for a LangChain chat model and anything else; never throws. */
export function isModelAdapter(candidate: unknown): candidate is ModelAdapter {
  if (typeof candidate !== "object" || candidate === null) return false;
  return "invoke" in candidate && typeof candidate.invoke === "function" && !("_generate" in candidate);
}

type AdapterCallOptions = BaseChatModelCallOptions & { boundTools?: readonly BindToolsInput[] };

const ofAdapters = new WeakMap<ModelAdapter, BaseChatModel>();
const ofNames = new Map<string, BaseChatModel>();

/** Makes a chat model from an adapter or a name such as `codex/gpt-5.5`: one for each. A chat model is returned as it is. */
export function toChatModel(model: BaseChatModel | ModelAdapter | string): BaseChatModel {
  if (typeof model === "string") return remember(ofNames, model, () => new ChatCli({ provider: model }));
  return isModelAdapter(model) ? remember(ofAdapters, model, () => new AdapterChatModel(model)) : model;
}

function remember<Key>(
  known: { get(key: Key): BaseChatModel | undefined; set(key: Key, model: BaseChatModel): unknown },
  key: Key,
  make: () => BaseChatModel,
): BaseChatModel {
  const model = known.get(key) ?? make();
  known.set(key, model);
  return model;
}

class AdapterChatModel extends BaseChatModel<AdapterCallOptions, AIMessageChunk> {
  private readonly adapter: ModelAdapter;

  static override lc_name(): string {
    return "AdapterChatModel";
  }

  constructor(adapter: ModelAdapter) {
    super({});
    this.adapter = adapter;
  }

  override _llmType(): string {
    return "coxswain-adapter";
  }

  /** An adapter that cannot bind tools is called without them. */
  override bindTools(
    tools: readonly BindToolsInput[],
    kwargs: Partial<AdapterCallOptions> = {},
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, AdapterCallOptions> {
    return this.withConfig({ ...kwargs, boundTools: tools });
  }

  override async _generate(messages: BaseMessage[], options: this["ParsedCallOptions"]): Promise<ChatResult> {
    const { boundTools = [], signal } = options;
    signal?.throwIfAborted();
    const adapter = boundTools.length > 0 ? (this.adapter.bindTools?.(boundTools) ?? this.adapter) : this.adapter;
    const message = await adapter.invoke(messages, signal === undefined ? {} : { signal });
    return { generations: [{ text: message.text, message }] };
  }
}
