import type { BaseLanguageModelInput } from "@langchain/core/language_models/base";
import type { BaseChatModel, BindToolsInput } from "@langchain/core/language_models/chat_models";
import type { AIMessage, AIMessageChunk, BaseMessage } from "@langchain/core/messages";
import type { ChatGenerationChunk } from "@langchain/core/outputs";
import type { Runnable } from "@langchain/core/runnables";
import { StopSequences } from "../../doors/shown-text.ts";
import { defined } from "../../spec/json.ts";
import { AnsweringModel, type ParsedOptions } from "./answering-model.ts";
import { askAdapter, isModelAdapter, type ModelAdapter } from "./ask-adapter.ts";
import { type ChatCliCallOptions, readCallSettings } from "./call-settings.ts";
import { ChatCli } from "./chat-cli.ts";
import { withText } from "./cli-message.ts";
import { requestOf } from "./cli-provider.ts";
import { type AdapterParts, partsOf } from "./cli-provider-options.ts";
import { toChunk } from "./message-chunks.ts";
import { readModelSettings } from "./model-fields.ts";

const ofAdapters = new WeakMap<ModelAdapter, BaseChatModel>();
const ofNames = new Map<string, BaseChatModel>();

/** Makes a chat model from an adapter or a name such as `codex/gpt-5.5`: one for each. A chat model is returned as it is. */
export function toChatModel(model: BaseChatModel | ModelAdapter | string): BaseChatModel {
  if (typeof model === "string") return remember(ofNames, model, () => new ChatCli({ provider: model }));
  return isModelAdapter(model) ? remember(ofAdapters, model, () => fromAdapter(model)) : model;
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

/** An adapter of a CLI is asked as that CLI, so that nothing of a chat model is lost. */
function fromAdapter(adapter: ModelAdapter): BaseChatModel {
  const parts = partsOf(adapter);
  return parts === undefined ? new AdapterChatModel(adapter) : ofCli(parts);
}

function ofCli(parts: AdapterParts): ChatCli {
  const { features, compatibility } = parts.options;
  return new ChatCli({
    provider: parts.name,
    client: parts.openClient(),
    request: requestOf(parts),
    ...defined({ model: parts.model, features, compatibility }),
  });
}

/** Any other adapter, with the tools, structured output, streams and errors of the package's chat models. */
class AdapterChatModel extends AnsweringModel {
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

  /** The adapter gets the tools as they are. One that cannot bind tools is called without them. */
  override bindTools(
    tools: readonly BindToolsInput[],
    kwargs: Partial<ChatCliCallOptions> = {},
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, ChatCliCallOptions> {
    return this.withConfig({ ...kwargs, tools: [...tools] });
  }

  protected override async answer(messages: BaseMessage[], options: ParsedOptions): Promise<AIMessage> {
    const { tools = [], signal } = options;
    const settings = readCallSettings({ ...(options as ChatCliCallOptions), tools: [] }, readModelSettings({}));
    const message = await askAdapter(this.adapter, messages, { ...settings, tools: tools as readonly BindToolsInput[], signal });
    return untilStop(message, settings.stop);
  }

  /** An adapter gives whole answers. */
  protected override async *answerInPieces(messages: BaseMessage[], options: ParsedOptions): AsyncGenerator<ChatGenerationChunk> {
    yield toChunk(await this.answer(messages, options));
  }
}

/** The message up to the first stop sequence in its text; what the model wrote behind it, calls included, is not part of it. */
function untilStop(message: AIMessage, stops: readonly string[]): AIMessage {
  const stop = new StopSequences(stops);
  const text = stop.push(message.text);
  if (stop.reached === undefined) return message;
  return withText(message, text, "finish_reason" in message.response_metadata ? { finish_reason: "stop" } : {});
}
