import { type ToolWay, withNativeCalls } from "../host-tools/native-tools.ts";
import { type FittedSchema, fitSchema } from "../schemas/fit-schema.ts";
import type { Message, NativeTool } from "../spec/message.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { PromptRequest, RunRequest } from "../spec/request.ts";
import { encodeTextThread, encodeXmlThread, isOwnThread } from "./threads.ts";
import { describeSchema, describeTools, markOf, withoutMark } from "./tool-prompt.ts";

type PromptTaker = Pick<Provider, "options" | "schemaDialect" | "traits"> & Partial<Pick<Provider, "transports">>;

/**
 * The schema for the CLI's own option; undefined if the schema goes into the prompt. By text the option would force the value
 * at once, so in a request with host tools by text it is not used.
 */
export function nativeSchemaOf({ options, schemaDialect }: PromptTaker, request: RunRequest): FittedSchema | undefined {
  const { tools = [], outputSchema } = request;
  if (outputSchema === undefined || tools.length > 0 || !options.includes("output-schema")) return undefined;
  return fitSchema(outputSchema, schemaDialect);
}

const THREAD_NOTES = {
  xml: "The user message holds a conversation as an XML thread of events. You are its assistant (type ai); events of type system are your instructions. Answer its last event with the text of your reply alone, not as XML.",
  text: "The user message holds a conversation in blocks with a label each. You are [Assistant]; [System] holds your instructions. Answer its last block with the text of your reply alone, without a label.",
} as const;

/** A notice in front of the conversation, the mark of its calls if it is not that of these messages, and the first message that is sent. */
type PromptAdditions = { readonly notice?: string; readonly mark?: string; readonly from?: number };

/** The request as one prompt: tools, schema and an optional notice in front of the conversation. */
export function toPromptRequest(request: RunRequest, taker: PromptTaker, added: PromptAdditions = {}): PromptRequest {
  const { messages, tools = [], toolChoice = "auto", outputSchema, ...settings } = request;
  const { threadEncoding: _, hostTools: __, trustThread: ___, marks: ____, ...rest } = settings;
  const native = nativeSchemaOf(taker, request);
  const { notice, from = 0 } = added;
  const mark = added.mark ?? callMarkOf(request);
  const clean = (text: string): string => (mark === undefined ? text : withoutMark(text, mark));
  const preface = [
    ...(tools.length === 0 ? [] : [describeTools(tools, toolChoice, mark)]),
    ...(outputSchema === undefined || native !== undefined ? [] : [clean(describeSchema(outputSchema))]),
    ...(notice === undefined ? [] : [notice]),
  ];
  const { body, note } = encodeConversation(request, preface.length === 0, from);
  const prompt = [...preface, clean(body)].join("\n\n");
  const images = messages?.slice(from).flatMap((message) => message.images ?? []) ?? rest.images;
  const isNoted = note !== undefined && taker.traits.systemPrompt !== "none" && rest.mode !== "agent";
  const ownSystem = rest.system === undefined ? undefined : clean(rest.system);
  const system = !isNoted ? ownSystem : [ownSystem, note].filter(Boolean).join("\n\n");
  return {
    ...rest,
    prompt,
    ...(images !== undefined && images.length > 0 && { images }),
    ...(system !== undefined && { system }),
    ...(preface.length === 0 && from === 0 && toConversation(request, taker)),
    ...(native !== undefined && { outputSchema: native.schema }),
  };
}

/** The mark that calls of host tools by text must carry; undefined if there are no tools, or calls need none. */
export function callMarkOf(request: RunRequest): string | undefined {
  const { tools = [], marks = true } = request;
  return tools.length > 0 && marks ? markOf(conversationOf(request)) : undefined;
}

/** The messages of a request, or its prompt as one user message. */
export function conversationOf(request: RunRequest): readonly Message[] {
  const { messages, prompt = "", images } = request;
  return messages ?? [{ role: "user", text: prompt, ...(images !== undefined && { images }) }];
}

/**
 * Splits the system messages off the front of a conversation, for the CLI's own system prompt option. One with a name or images stays,
 * because the option takes only text, and so do all if there is nothing else to answer.
 */
export function splitSystem(messages: readonly Message[]): { readonly system?: string; readonly messages: readonly Message[] } {
  const first = messages.findIndex(({ role, name, images = [] }) => role !== "system" || name !== undefined || images.length > 0);
  if (first <= 0) return { messages };
  const leading = messages.slice(0, first);
  return { system: leading.map(({ text }) => text).join("\n\n"), messages: messages.slice(leading.length) };
}

/** The conversation as messages, if the CLI takes them, the request does not prescribe an encoding, and they can say the same. */
function toConversation(request: RunRequest, { transports }: PromptTaker): Pick<PromptRequest, "conversation"> {
  const takesMessages = transports?.resident?.takesMessages === true || transports?.spawn.takesMessages === true;
  const { threadEncoding, trustThread, mode, system, messages = [] } = request;
  if (
    !takesMessages ||
    threadEncoding !== undefined ||
    trustThread === true ||
    mode === "agent" ||
    !isThread(request) ||
    !canBeMessages(messages)
  )
    return {};
  return { conversation: { messages, ...(system !== undefined && { system }) } };
}

/** True if the conversation of a request without tools and schema is sent as a thread: it is more than one message of the user. */
export function isThread(request: RunRequest): boolean {
  const messages = conversationOf(request);
  const [only] = messages;
  return request.threadEncoding !== undefined || messages.length !== 1 || only?.role !== "user" || only.name !== undefined;
}

/** The prompt that continues the conversation of a CLI with the last message: as the rest of its thread, if it began as one. */
export function toNextPrompt(request: RunRequest, taker: PromptTaker, isInThread: boolean): PromptRequest {
  const messages = conversationOf(request);
  if (isInThread) return toPromptRequest(request, taker, { from: messages.length - 1 });
  const { prompt: _, images: __, ...rest } = request;
  return toPromptRequest({ ...rest, messages: messages.slice(-1) }, taker);
}

/** A message that is no thread is sent as it is, unless tools, a schema or a notice come before it: the message could imitate those. */
function encodeConversation(
  request: RunRequest,
  isAlone: boolean,
  from: number,
): { readonly body: string; readonly note?: string } {
  const [only] = conversationOf(request);
  const marked = withImageMarks(conversationOf(request));
  if (isAlone && !isThread(request)) return { body: (only?.text.trim() === "" ? marked[0]?.text : only?.text) ?? "" };
  const encoding = request.threadEncoding ?? "xml";
  const { trustThread } = request;
  const body = encoding === "xml" ? encodeXmlThread(marked, { from, trustThread }) : encodeTextThread(marked);
  return { body, note: THREAD_NOTES[encoding] };
}

/** In a thread the images come before the text, so their places are marked by number. */
function withImageMarks(messages: readonly Message[]): readonly Message[] {
  let count = 0;
  return messages.map((message) => {
    if (message.images === undefined) return message;
    const marks = message.images.map((_, index) => `[image ${count + index + 1}]`);
    count += marks.length;
    return { ...message, text: [message.text, ...marks].filter((part) => part !== "").join("\n") };
  });
}

/** The request as one prompt, with host tools as tools of the CLI if that is their way. */
export function toWayRequest(request: RunRequest, taker: PromptTaker, way: ToolWay): PromptRequest {
  if (!("tools" in way)) return toPromptRequest(request, taker);
  return { ...toPromptRequest(toNativeRequest(request, way.tools), taker), nativeTools: way.tools };
}

/** The request without its host tools, which are tools of the CLI. */
export function toNativeRequest(request: RunRequest, tools: readonly NativeTool[]): RunRequest {
  return withNativeCalls(withoutTools(request), tools);
}

export function withoutTools({ tools: _, hostTools: __, toolChoice: ___, ...request }: RunRequest): RunRequest {
  return request as RunRequest;
}

/** CLIs cut a longer result of a tool in a history. */
const LONGEST_RESULT_BYTES = 40_000;

/**
 * True if a conversation means the same as messages of the model's API as it does as a thread: no speaker has a name, every call has its
 * result at once, and the last message is for the model to answer.
 */
export function canBeMessages(messages: readonly Message[]): boolean {
  const last = messages.at(-1);
  const isForModel = last?.role === "tool" || (last?.role === "user" && last.text.trim() !== "");
  return isForModel && messages.every(isPlain) && hasWholeCalls(messages);
}

function isPlain(message: Message): boolean {
  if (message.role === "other" || (message.name !== undefined && message.role !== "tool")) return false;
  if (message.role !== "user" && (message.images ?? []).length > 0) return false;
  if (message.role === "user" && isOwnThread(message.text)) return false;
  if (message.role === "tool") return Buffer.byteLength(message.text) <= LONGEST_RESULT_BYTES;
  return message.text !== "" || (message.role === "assistant" && (message.toolCalls ?? []).length > 0);
}

/** An API refuses calls without a result, results without a call, and an id that comes twice; a CLI drops or invents them. */
function hasWholeCalls(messages: readonly Message[]): boolean {
  const seen = new Set<string>();
  const open = new Set<string>();
  for (const message of messages) {
    if (message.role === "tool") {
      if (!open.delete(message.callId)) return false;
      continue;
    }
    if (open.size > 0) return false;
    for (const { id } of message.role === "assistant" ? (message.toolCalls ?? []) : []) {
      if (seen.has(id)) return false;
      seen.add(id);
      open.add(id);
    }
  }
  return open.size === 0;
}
