import type { Fields } from "../../formats/fields.ts";
import type { HostCall, Message } from "../../spec/message.ts";
import { readContent } from "./request-fields.ts";
import { modelName, readArguments } from "./tools.ts";

export type Input = { readonly messages: readonly Message[]; readonly tools: readonly Fields[] };

export function readInput(body: Fields): Input {
  const value = body.value("input");
  if (typeof value === "string") return { messages: [{ role: "user", text: value }], tools: [] };
  const items = body.objects("input");
  if (items.length === 0) throw body.unsupported("input", "'input' must be a text or a list with at least one item.");
  const reader = new ItemReader();
  for (const item of items) reader.read(item);
  return reader;
}

type Answer = Extract<Message, { role: "assistant" }>;

/** Makes messages of items: the calls of an answer are items of their own behind its text. */
class ItemReader implements Input {
  readonly messages: Message[] = [];
  readonly tools: Fields[] = [];
  /** True behind reasoning, which can be in the middle of one answer. */
  private isInAnswer = false;
  /** The calls of the last answer. It grows in place: copying it for each call would take minutes for a large request. */
  private calls: HostCall[] = [];

  read(item: Fields): void {
    const type = item.text("type") ?? "message";
    const isInAnswer = this.isInAnswer;
    this.isInAnswer = type === "reasoning";
    switch (type) {
      case "message":
        return this.addMessage(item, isInAnswer);
      case "function_call":
        return this.addCall(item, { args: readArguments(item.neededText("arguments")) });
      case "custom_tool_call":
        return this.addCall(item, { args: { input: item.neededText("input") } });
      case "function_call_output":
      case "custom_tool_call_output":
        this.messages.push({ role: "tool", callId: item.neededText("call_id"), ...readContent(item, "output") });
        return;
      case "additional_tools":
        this.tools.push(...item.objects("tools"));
        return;
      case "reasoning":
        return;
      default:
        throw item.unsupported("type", `Items of type '${type}' are not supported.`);
    }
  }

  private addMessage(item: Fields, isInAnswer: boolean): void {
    const role = item.neededText("role");
    const content = readContent(item, "content");
    if (role === "system" || role === "developer") this.messages.push({ role: "system", ...content });
    else if (role === "user") this.messages.push({ role, ...content });
    else if (role !== "assistant") throw item.unsupported("role", `Messages of the role '${role}' are not supported.`);
    else if (isInAnswer && this.lastAnswer !== undefined) this.replaceLast({ text: this.lastAnswer.text + content.text });
    else this.messages.push({ role, ...content });
  }

  private addCall(item: Fields, { args }: Pick<HostCall, "args">): void {
    const name = modelName(item.neededText("name"), item.text("namespace"));
    if (this.lastAnswer === undefined) this.messages.push({ role: "assistant", text: "" });
    if (this.lastAnswer?.toolCalls === undefined) {
      this.calls = [];
      this.replaceLast({ toolCalls: this.calls });
    }
    this.calls.push({ id: item.neededText("call_id"), name, args });
  }

  private get lastAnswer(): Answer | undefined {
    const last = this.messages.at(-1);
    return last?.role === "assistant" ? last : undefined;
  }

  private replaceLast(fields: Partial<Answer>): void {
    const last = this.lastAnswer;
    if (last !== undefined) this.messages[this.messages.length - 1] = { ...last, ...fields };
  }
}
