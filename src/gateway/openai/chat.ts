import type { AnswerPart } from "../../doors/answer-part.ts";
import {
  type ChatCall,
  type ChatHead,
  ChunkWriter,
  completionOf,
  finishReasonOf,
  toChatUsage,
} from "../../formats/openai-chat.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { HostCall } from "../../spec/message.ts";
import type { RunResult } from "../../spec/result.ts";
import { type AnswerHead, type Frame, type FrameWriter, type Protocol, usageField } from "../protocol.ts";
import { readChatRequest } from "./chat-request.ts";
import { toError, toErrorReply } from "./error.ts";
import { type ClientTool, toCallText, toolsByName } from "./tools.ts";

export const chatCompletions: Protocol = {
  read: readChatRequest,
  whole: toCompletion,
  frames: chatFrames,
  error: toErrorReply,
};

/** The body of a whole answer: a `chat.completion`. */
function toCompletion(head: AnswerHead, parts: readonly AnswerPart[]): JsonObject {
  const tools = toolsByName(head.asked.kept?.["tools"]);
  const textOf = (type: "text" | "reasoning"): string =>
    parts.flatMap((part) => (part.type === type ? [part.text] : [])).join("");
  const calls = parts.flatMap((part) => ("call" in part ? [toChatCall(part.call, tools)] : []));
  const end = parts.at(-1);
  const result = end?.type === "end" ? end.result : undefined;
  return completionOf(headOf(head), {
    text: textOf("text"),
    reasoning: textOf("reasoning"),
    calls,
    reason: reasonOf(result, calls.length > 0),
    ...usageField(result, toChatUsage),
  });
}

/** Writes an answer as `chat.completion.chunk`s. */
function chatFrames(head: AnswerHead): FrameWriter {
  const wantsUsage = head.asked.wantsUsage === true;
  const chunks = new ChunkWriter(headOf(head), wantsUsage);
  const tools = toolsByName(head.asked.kept?.["tools"]);
  let hasCalls = false;
  const toFrames = (part: AnswerPart): readonly Frame[] => {
    if (part.type === "text" || part.type === "reasoning") return [{ data: chunks.textJson(part.type, part.text) }];
    if ("call" in part) {
      hasCalls = true;
      const call = toChatCall(part.call, tools);
      return chunks.call(call, [call.input]).map((data) => ({ data }));
    }
    if (part.type !== "end") return [];
    const { usage } = wantsUsage ? usageField(part.result, toChatUsage) : {};
    return [
      { data: chunks.end(reasonOf(part.result, hasCalls)) },
      ...(usage === undefined ? [] : [{ data: chunks.usage(usage) }]),
      { data: "[DONE]" },
    ];
  };
  return {
    begin: () => [{ data: chunks.begin() }],
    write: (parts) => parts.flatMap(toFrames),
    fail: (failure) => [{ data: { error: toError(failure) } }],
  };
}

function headOf({ id, createdAt, asked }: AnswerHead): ChatHead {
  return { id: `chatcmpl-${id}`, created: createdAt, model: asked.model };
}

/** A call of the client's tools. An invalid one is passed on as OpenAI does it: the client checks names and arguments. */
function toChatCall(call: HostCall, tools: ReadonlyMap<string, ClientTool>): ChatCall & { readonly input: string } {
  const tool = tools.get(call.name);
  return { id: call.id, name: call.name, isCustom: tool?.isCustom === true, input: toCallText(call, tool) };
}

function reasonOf(result: RunResult | undefined, hasCalls: boolean): string {
  return finishReasonOf(hasCalls ? "tool-calls" : (result?.finish ?? "stop"));
}
