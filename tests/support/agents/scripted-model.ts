import { BaseChatModel, type BindToolsInput } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";

/** What a scripted model answers: a text, calls, a whole message, or what a function makes of the conversation. */
export type Answer =
  | string
  | readonly ScriptedCall[]
  | AIMessage
  | ((messages: readonly BaseMessage[]) => Answer | Promise<Answer>);

/** A call of a scripted model; its id is its name unless it has one. */
export type ScriptedCall = { readonly name: string; readonly args?: Record<string, unknown>; readonly id?: string };

/** A chat model that gives these answers in order, and the last one again and again. */
export class ScriptedModel extends BaseChatModel {
  /** The conversations that the model was asked with. */
  readonly asked: (readonly BaseMessage[])[] = [];
  bound: readonly BindToolsInput[] = [];
  private readonly answers: readonly Answer[];

  constructor(...answers: readonly Answer[]) {
    super({});
    this.answers = answers;
  }

  override _llmType(): string {
    return "scripted";
  }

  override bindTools(tools: BindToolsInput[]): this {
    this.bound = tools;
    return this;
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const answer = this.answers[Math.min(this.asked.length, this.answers.length - 1)] ?? "";
    this.asked.push([...messages]);
    const message = await toMessage(answer, messages);
    return { generations: [{ text: message.text, message }] };
  }
}

async function toMessage(answer: Answer, messages: readonly BaseMessage[]): Promise<AIMessage> {
  if (typeof answer === "function") return await toMessage(await answer(messages), messages);
  if (typeof answer === "string") return new AIMessage(answer);
  if (!Array.isArray(answer)) return answer as AIMessage;
  const calls: readonly ScriptedCall[] = answer;
  return new AIMessage({
    content: "",
    tool_calls: calls.map(({ name, args = {}, id = name }) => ({ name, args, id, type: "tool_call" })),
  });
}

/** The results of tools that the model saw in its last call, as `name: content`. */
export function resultsIn(messages: readonly BaseMessage[] = []): readonly string[] {
  return messages.filter(({ type }) => type === "tool").map(({ name, text }) => `${name}: ${text}`);
}
