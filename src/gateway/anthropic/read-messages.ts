import type { JsonObject } from "../../spec/json.ts";
import type { HostCall, Message } from "../../spec/message.ts";
import { badField, type Field, flagAt, listAt, objectAt, stringAt } from "./fields.ts";
import { type Block, blocksAt, type Content, joinContent, readBlock, wantsCitations } from "./read-content.ts";

export type Conversation = {
  readonly messages: readonly Message[];
  /** The instructions that come before the first answer; they belong to the system prompt. */
  readonly instructions: readonly string[];
  readonly toolChanges: ToolChanges;
  /** The names of fields that no CLI honours. */
  readonly ignored: readonly string[];
};

/** The tools that a conversation has loaded, added or withdrawn. */
export type ToolChanges = {
  /** Whether a tool is offered, by its name; the last change counts. */
  readonly offered: ReadonlyMap<string, boolean>;
  /** Tools that are defined in the conversation. */
  readonly defined: readonly JsonObject[];
};

type Changes = { readonly offered: Map<string, boolean>; readonly defined: JsonObject[] };

/**
 * Reads the messages of a request. The same message is read to the same value, with and without `cache_control` and as a string or as
 * blocks, so that a conversation is recognised when it continues. Thinking is left out.
 */
export function readMessages(value: Field): Conversation {
  const list = listAt(value, "messages");
  if (list.length === 0) throw badField("messages", "at least one message is required");
  const [messages, instructions, ignored]: [Message[], string[], Set<string>] = [[], [], new Set()];
  const toolChanges: Changes = { offered: new Map(), defined: [] };
  let hasAnswer = false;
  for (const [index, entry] of list.entries()) {
    const path = `messages.${index}`;
    const message = objectAt(entry, path);
    const read = readMessage(message, path, toolChanges);
    hasAnswer ||= read.some(({ role }) => role === "assistant");
    if (message["role"] === "system" && !hasAnswer) instructions.push(...read.map(({ text }) => text));
    else for (const one of read) messages.push(one);
    if (message["output_config"] !== undefined) ignored.add("messages.output_config");
    if (blocksAt(message["content"], path).some(wantsCitations)) ignored.add("citations");
  }
  if (messages.at(-1)?.role === "assistant") {
    const hint = "End the conversation with a user message; use output_config.format for a fixed form.";
    throw badField("messages", "CLIs do not support assistant message prefill.", hint);
  }
  return { messages, instructions, toolChanges, ignored: [...ignored] };
}

function readMessage({ role, content }: JsonObject, path: string, changes: Changes): readonly Message[] {
  const blocks = blocksAt(content, `${path}.content`);
  switch (role) {
    case "user":
      return readUser(blocks, changes);
    case "assistant":
      return readAssistant(blocks);
    case "system":
      return withText("system", joinContent(blocks.filter((block) => !readToolChange(block, changes)).map(readBlock)));
    default:
      throw badField(`${path}.role`, "Input should be 'user', 'assistant' or 'system'");
  }
}

/** Reads a block that adds or withdraws a tool; false for any other. */
function readToolChange({ type, block, path }: Block, { offered, defined }: Changes): boolean {
  if (type !== "tool_addition" && type !== "tool_removal") return false;
  const tool = objectAt(block["tool"], `${path}.tool`);
  const kind = stringAt(tool["type"], `${path}.tool.type`);
  if (kind !== "tool_reference" && kind !== "tool_definition")
    throw badField(`${path}.tool`, `Tools of type ${JSON.stringify(kind)} cannot be offered to a CLI.`);
  const definition = kind === "tool_definition" ? objectAt(tool["definition"], `${path}.tool.definition`) : undefined;
  if (definition !== undefined) defined.push(definition);
  offered.set(stringAt((definition ?? tool)["name"], `${path}.tool.name`), type === "tool_addition");
  return true;
}

/** Results of tools are messages of their own, in their order among the rest. */
function readUser(blocks: readonly Block[], changes: Changes): readonly Message[] {
  const messages: Message[] = [];
  let spoken: Content[] = [];
  const endSpoken = (): void => {
    messages.push(...withText("user", joinContent(spoken)));
    spoken = [];
  };
  for (const block of blocks) {
    if (block.type !== "tool_result") {
      spoken.push(readBlock(block));
      continue;
    }
    endSpoken();
    messages.push(readResult(block, changes));
  }
  endSpoken();
  return messages;
}

function withText(role: "user" | "system", { text, images }: Content): readonly Message[] {
  return text === "" && images.length === 0 ? [] : [{ role, text, ...(images.length > 0 && { images }) }];
}

function readResult({ block, path }: Block, { offered }: Changes): Message {
  const inner = block["content"] === undefined ? [] : blocksAt(block["content"], `${path}.content`);
  for (const { type, block: reference } of inner)
    if (type === "tool_reference") offered.set(String(reference["tool_name"]), true);
  const { text, images } = joinContent(inner.map(readBlock));
  return {
    role: "tool",
    callId: stringAt(block["tool_use_id"], `${path}.tool_use_id`),
    text,
    ...(images.length > 0 && { images }),
    ...(flagAt(block["is_error"], `${path}.is_error`) && { isError: true }),
  };
}

/** The blocks of an answer continue one another, so nothing comes between their texts. */
function readAssistant(blocks: readonly Block[]): readonly Message[] {
  const toolCalls: HostCall[] = [];
  let text = "";
  for (const { type, block, path } of blocks) {
    if (type === "thinking" || type === "redacted_thinking") continue;
    if (type !== "tool_use") text += readBlock({ type, block, path }).text;
    else
      toolCalls.push({
        id: stringAt(block["id"], `${path}.id`),
        name: stringAt(block["name"], `${path}.name`),
        args: objectAt(block["input"], `${path}.input`),
      });
  }
  if (text === "" && toolCalls.length === 0) return [];
  return [{ role: "assistant", text, ...(toolCalls.length > 0 && { toolCalls }) }];
}
