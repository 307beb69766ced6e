import type { BaseLanguageModelInput } from "@langchain/core/language_models/base";
import { BaseChatModel, type BaseChatModelCallOptions, type BindToolsInput } from "@langchain/core/language_models/chat_models";
import type { AIMessageChunk, BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import type { Runnable } from "@langchain/core/runnables";
import { ChatCli } from "./chat-cli.ts";
import { isModelAdapter, type ModelAdapter } from "./model-adapter.ts";

type AdapterCallOptions = BaseChatModelCallOptions & { boundTools?: readonly BindToolsInput[] };

const ofAdapters = new WeakMap<ModelAdapter, BaseChatModel>();
const ofNames = new Map<string, BaseChatModel>();

/**
 * Makes a LangChain chat model from any adapter (two methods are enough) or from a name such as `claude` or `codex/gpt-5.5`. A
 * chat model is returned as it is. The same adapter or name gives the same model.
 */
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
