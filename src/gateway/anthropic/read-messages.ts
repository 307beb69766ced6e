import { type Content, imageOfDataUrl, joinContent } from "../../doors/content.ts";
import type { Fields } from "../../formats/fields.ts";
import type { HostCall, Image, Message } from "../../spec/message.ts";

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
  readonly offered: Map<string, boolean>;
  readonly defined: Fields[];
};

/**
 * Reads the messages of a request. The same message is read to the same value, with and without `cache_control` and as a string or as
 * blocks, so that a conversation is recognised when it continues. Thinking is left out.
 */
export function readMessages(body: Fields): Conversation {
  const list = body.neededObjects("messages");
  if (list.length === 0) throw body.unsupported("messages", "at least one message is required");
  const [messages, instructions, ignored]: [Message[], string[], Set<string>] = [[], [], new Set()];
  const toolChanges: ToolChanges = { offered: new Map(), defined: [] };
  let hasAnswer = false;
  for (const message of list) {
    const blocks = blocksOf(message, "content");
    const read = readMessage(message, blocks, toolChanges);
    hasAnswer ||= read.some(({ role }) => role === "assistant");
    if (message.value("role") === "system" && !hasAnswer) instructions.push(...read.map(({ text }) => text));
    else for (const one of read) messages.push(one);
    if (message.values["output_config"] !== undefined) ignored.add("messages.output_config");
    if (blocks.some(wantsCitations)) ignored.add("citations");
  }
  if (messages.at(-1)?.role === "assistant") {
    const hint = "End the conversation with a user message; use output_config.format for a fixed form.";
    throw body.unsupported("messages", "CLIs do not support assistant message prefill.", hint);
  }
  return { messages, instructions, toolChanges, ignored: [...ignored] };
}

function readMessage(message: Fields, blocks: readonly Fields[], changes: ToolChanges): readonly Message[] {
  switch (message.value("role")) {
    case "user":
      return readUser(blocks, changes);
    case "assistant":
      return readAssistant(blocks);
    case "system":
      return withText("system", joinContent(blocks.filter((block) => !readToolChange(block, changes)).map(readBlock)));
    default:
      throw message.unsupported("role", "Input should be 'user', 'assistant' or 'system'");
  }
}

/** Reads a block that adds or withdraws a tool; false for any other. */
function readToolChange(block: Fields, { offered, defined }: ToolChanges): boolean {
  const type = block.value("type");
  if (type !== "tool_addition" && type !== "tool_removal") return false;
  const tool = block.neededObject("tool");
  const kind = tool.neededText("type");
  if (kind !== "tool_reference" && kind !== "tool_definition")
    throw tool.refused(`Tools of type ${JSON.stringify(kind)} cannot be offered to a CLI.`);
  const definition = kind === "tool_definition" ? tool.neededObject("definition") : undefined;
  if (definition !== undefined) defined.push(definition);
  offered.set((definition ?? tool).neededText("name"), type === "tool_addition");
  return true;
}

/** Results of tools are messages of their own, in their order among the rest. */
function readUser(blocks: readonly Fields[], changes: ToolChanges): readonly Message[] {
  const messages: Message[] = [];
  let spoken: Content[] = [];
  const endSpoken = (): void => {
    messages.push(...withText("user", joinContent(spoken)));
    spoken = [];
  };
  for (const block of blocks) {
    if (block.value("type") !== "tool_result") {
      spoken.push(readBlock(block));
      continue;
    }
    endSpoken();
    messages.push(readResult(block, changes));
  }
  endSpoken();
  return messages;
}

function withText(role: "user" | "system", content: Content): readonly Message[] {
  return content.text === "" && content.images === undefined ? [] : [{ role, ...content }];
}

function readResult(block: Fields, { offered }: ToolChanges): Message {
  const inner = block.values["content"] === undefined ? [] : blocksOf(block, "content");
  for (const { values } of inner) if (values["type"] === "tool_reference") offered.set(String(values["tool_name"]), true);
  const content = joinContent(inner.map(readBlock));
  return {
    role: "tool",
    callId: block.neededText("tool_use_id"),
    ...content,
    ...(block.flag("is_error") === true && { isError: true }),
  };
}

/** The blocks of an answer continue one another, so nothing comes between their texts. */
function readAssistant(blocks: readonly Fields[]): readonly Message[] {
  const toolCalls: HostCall[] = [];
  let text = "";
  for (const block of blocks) {
    const type = block.value("type");
    if (type === "thinking" || type === "redacted_thinking") continue;
    if (type !== "tool_use") text += readBlock(block).text;
    else {
      const [id, name] = [block.neededText("id"), block.neededText("name")];
      toolCalls.push({ id, name, args: block.neededObject("input").values });
    }
  }
  if (text === "" && toolCalls.length === 0) return [];
  return [{ role: "assistant", text, ...(toolCalls.length > 0 && { toolCalls }) }];
}

export function blocksOf(fields: Fields, name: string): readonly Fields[] {
  const text = fields.value(name);
  if (typeof text === "string") return [fields.below(name, { type: "text", text })];
  const blocks = fields.neededObjects(name);
  for (const block of blocks) block.neededText("type");
  return blocks;
}

/** Reads a block of text, an image, a document or a search result; throws for any other. */
function readBlock(block: Fields): Content {
  const type = block.neededText("type");
  switch (type) {
    case "text":
      return { text: block.neededText("text") };
    case "image":
      return { text: "", images: [readImage(block.neededObject("source"))] };
    case "document":
      return readDocument(block);
    case "search_result":
      return titled(`Search result ${JSON.stringify(block.neededText("title"))}`, readBlocks(block));
    case "tool_reference":
      return { text: `The tool ${block.neededText("tool_name")} is now available.` };
    default:
      throw block.refused(`Content blocks of type ${JSON.stringify(type)} cannot be sent to a CLI.`, "Leave them out.");
  }
}

function readBlocks(fields: Fields): Content {
  return joinContent(blocksOf(fields, "content").map(readBlock));
}

function titled(title: string, content: Content): Content {
  return { ...content, text: `${title}:\n${content.text}` };
}

function readImage(source: Fields): Image {
  const kind = source.neededText("type");
  if (kind === "base64") return { mediaType: source.neededText("media_type"), data: source.neededText("data") };
  const image = kind === "url" ? imageOfDataUrl(source.neededText("url")) : undefined;
  if (image !== undefined) return image;
  throw source.refused("Coxswain does not download images.", "Give the image as base64 data.");
}

function readDocument(block: Fields): Content {
  const source = block.neededObject("source");
  const [title, context] = [block.text("title"), block.text("context")];
  const content = readSource(source);
  const named = title === undefined ? "Document" : `Document ${JSON.stringify(title)}`;
  return titled(named, context === undefined ? content : { ...content, text: `${context}\n${content.text}` });
}

function readSource(source: Fields): Content {
  const kind = source.neededText("type");
  if (kind === "text") return { text: source.neededText("data") };
  if (kind === "content") return readBlocks(source);
  throw source.refused(`Documents of type ${JSON.stringify(kind)} cannot be sent to a CLI.`, "Give the document as plain text.");
}

/** True if a block asks for citations, which no CLI gives. A block of an earlier answer has a list of them. */
function wantsCitations(block: Fields): boolean {
  return !Array.isArray(block.value("citations")) && block.object("citations")?.flag("enabled") === true;
}
