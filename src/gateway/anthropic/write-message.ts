import type { AnswerPart } from "../../doors/answer-part.ts";
import type { JsonObject, JsonValue } from "../../spec/json.ts";
import type { Usage } from "../../spec/wire/usage.ts";
import { type AnswerHead, scopeFields } from "../protocol.ts";

type AnswerEnd = Extract<AnswerPart, { type: "end" }>;

/** The place of Anthropic's signature of a thought. It proves nothing; a thought that a client sends back is dropped. */
export const SIGNATURE = "coxswain";

/** The body of a whole answer. */
export function writeMessage(head: AnswerHead, parts: readonly AnswerPart[]): JsonObject {
  const end = parts.find((part) => part.type === "end");
  return {
    ...emptyMessage(head),
    content: contentOf(parts, head.asked.wantsReasoning === true),
    ...(end !== undefined && { ...stopOf(end), usage: resultUsage(end.result) }),
  };
}

/** A message before its content; the model has the name that the client used. */
export function emptyMessage({ id, asked: { model } }: AnswerHead): JsonObject {
  return {
    id: `msg_${id}`,
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    container: null,
  };
}

/** The kind of content block that a part belongs to; undefined if clients are not told of it. */
export function blockOf(part: AnswerPart, wantsReasoning: boolean): JsonObject | undefined {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text, citations: null };
    case "reasoning":
      return wantsReasoning ? { type: "thinking", thinking: part.text, signature: SIGNATURE } : undefined;
    case "host-call":
    case "invalid-call": {
      const { id, name, args } = part.call;
      return { type: "tool_use", id, name, input: args, caller: { type: "direct" } };
    }
    default:
      return undefined;
  }
}

/** Parts of one kind that follow one another are one block. */
function contentOf(parts: readonly AnswerPart[], wantsReasoning: boolean): readonly JsonValue[] {
  const joined: AnswerPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    const isText = part.type === "text" || part.type === "reasoning";
    if (isText && last?.type === part.type && "text" in last)
      joined[joined.length - 1] = { ...part, text: last.text + part.text };
    else if (part.type !== "cli-call" && part.type !== "cli-result") joined.push(part);
  }
  return joined.flatMap((part) => blockOf(part, wantsReasoning) ?? []);
}

/** Why an answer ended. */
export function stopOf({ result: { finish }, stopSequence }: AnswerEnd): JsonObject {
  if (stopSequence !== undefined) return { stop_reason: "stop_sequence", stop_sequence: stopSequence };
  if (finish === "content-filter")
    return { stop_reason: "refusal", stop_sequence: null, stop_details: { type: "refusal", category: null, explanation: null } };
  return {
    stop_reason: finish === "tool-calls" ? "tool_use" : finish === "length" ? "max_tokens" : "end_turn",
    stop_sequence: null,
  };
}

/** The tokens of a result, and whether they are those of a whole session. */
export function resultUsage(result: AnswerEnd["result"]): JsonObject {
  return { ...usageOf(result.usage), ...scopeFields(result) };
}

/** The tokens of an answer; Anthropic does not count cached tokens as input. A count that is not known is zero, as the type demands. */
export function usageOf(usage: Partial<Usage> = {}): JsonObject {
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0, reasoningTokens } = usage;
  return {
    input_tokens: Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cacheReadTokens,
    output_tokens: outputTokens,
    output_tokens_details: reasoningTokens === undefined ? null : { thinking_tokens: reasoningTokens },
    server_tool_use: null,
    service_tier: "standard",
  };
}
