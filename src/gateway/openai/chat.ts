import type { AnswerPart } from "../../doors/answer-part.ts";
import { type Fields, readFields } from "../../formats/fields.ts";
import {
  type ChatCall,
  type ChatHead,
  ChunkWriter,
  completionOf,
  finishReasonOf,
  toChatUsage,
} from "../../formats/openai-chat.ts";
import { splitSystem } from "../../prompts/to-prompt.ts";
import type { Failure } from "../../spec/failure/failure.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { HostCall, Message } from "../../spec/message.ts";
import type { RunResult } from "../../spec/result.ts";
import { type AnswerHead, type Frame, type FrameWriter, type GatewayRequest, type Protocol, usageField } from "../protocol.ts";
import { toError, toErrorReply } from "./error.ts";
import {
  findIgnored,
  findParallel,
  findUnusedFormat,
  openAiFields,
  pick,
  readContent,
  readEffort,
  readFormat,
  refuseUnless,
} from "./request-fields.ts";
import { type ClientTool, readArguments, readTools, toCallText, toolSettings, toolsByName } from "./tools.ts";

export const chatCompletions: Protocol = {
  read: readChatRequest,
  whole: toCompletion,
  frames: chatFrames,
  error: toErrorReply,
};

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

/** Parameters that are used, and those without a meaning for a CLI and its answer; all others are named as ignored. */
const KNOWN: ReadonlySet<string> = new Set([
  ...["model", "messages", "stream", "stream_options", "stop", "max_tokens", "max_completion_tokens", "reasoning_effort"],
  ...["tools", "tool_choice", "parallel_tool_calls", "response_format", "n", "logprobs", "top_logprobs", "modalities"],
  ...["user", "metadata", "store", "service_tier", "safety_identifier"],
  ...["prompt_cache_key", "prompt_cache_options", "prompt_cache_retention"],
]);

export function readChatRequest(values: JsonObject): GatewayRequest | Failure {
  return readFields(() => {
    const body = openAiFields(values);
    refuseOthers(body);
    const { tools, ignored } = readTools(body.objects("tools"));
    const settings = toolSettings(body, tools);
    const format = body.object("response_format");
    const limit = body.count("max_completion_tokens") ?? body.count("max_tokens");
    const limitName = body.value("max_completion_tokens") === undefined ? "max_tokens" : "max_completion_tokens";
    const request = {
      ...splitSystem(readMessages(body)),
      ...settings,
      ...readFormat(format),
      ...readEffort(body, "reasoning_effort"),
      ...(limit !== undefined && { maxOutputTokens: limit }),
    };
    return {
      model: body.neededText("model"),
      request,
      stop: body.texts("stop"),
      isStream: body.flag("stream") ?? false,
      ignored: [...findIgnored(body, KNOWN), ...findUnusedFormat(format), ...findParallel(body, settings), ...ignored],
      named: { maxOutputTokens: limitName, effort: "reasoning_effort" },
      wantsUsage: body.object("stream_options")?.flag("include_usage") ?? false,
      kept: pick(body, ["tools"]),
    };
  });
}

function refuseOthers(body: Fields): void {
  refuseUnless(body, "n", [1], "a CLI gives one answer.");
  refuseUnless(body, "logprobs", [false], "CLIs report no probabilities.");
  refuseUnless(body, "top_logprobs", [0], "CLIs report no probabilities.");
  refuseUnless(body, "audio", [], "CLIs answer with text.");
  refuseUnless(body, "functions", [], "use tools instead.");
  refuseUnless(body, "function_call", [], "use tool_choice instead.");
  if (body.texts("modalities").some((modality) => modality !== "text"))
    throw body.unsupported("modalities", "'modalities' is not supported: CLIs answer with text.", "Leave out modalities.");
}

function readMessages(body: Fields): readonly Message[] {
  const messages = body.objects("messages").map(readMessage);
  if (messages.length === 0) throw body.unsupported("messages", "'messages' must have at least one message.");
  return messages;
}

function readMessage(message: Fields): Message {
  const role = message.neededText("role");
  const name = message.text("name") ?? "";
  const spoken = { ...readContent(message, "content"), ...(name !== "" && { name }) };
  switch (role) {
    case "system":
    case "developer":
      return { role: "system", ...spoken };
    case "user":
      return { role, ...spoken };
    case "tool":
      return { role, callId: message.neededText("tool_call_id"), ...spoken };
    case "assistant": {
      refuseUnless(message, "function_call", [], "use tool_calls instead.");
      refuseUnless(message, "audio", [], "CLIs take text.");
      const said = spoken.text === "" ? (message.text("refusal") ?? "") : spoken.text;
      const toolCalls = message.objects("tool_calls").map(readCall);
      return { role, ...spoken, text: said, ...(toolCalls.length > 0 && { toolCalls }) };
    }
    default:
      throw message.unsupported("role", `Messages of the role '${role}' are not supported.`);
  }
}

function readCall(call: Fields): HostCall {
  const id = call.neededText("id");
  if (call.text("type") === "custom") {
    const custom = call.neededObject("custom");
    return { id, name: custom.neededText("name"), args: { input: custom.neededText("input") } };
  }
  const called = call.neededObject("function");
  return { id, name: called.neededText("name"), args: readArguments(called.neededText("arguments")) };
}
