import type { JSONValue, LanguageModelV4Content, LanguageModelV4ToolCall, LanguageModelV4ToolResult } from "@ai-sdk/provider";
import type { AnswerPart } from "../../doors/answer-part.ts";
import type { HostCall } from "../../spec/message.ts";

/** The content of a part; the end and a value that is not complete have none. */
export function toContent(part: AnswerPart): readonly LanguageModelV4Content[] {
  switch (part.type) {
    case "text":
    case "reasoning":
      return [{ type: part.type, text: part.text }];
    case "cli-call":
      return [toCliCall(part)];
    case "cli-result":
      return [toCliResult(part)];
    case "host-call":
    case "invalid-call":
      return [toToolCall(part.call)];
    case "partial-object":
    case "end":
      return [];
  }
}

/** A call that the AI SDK checks and makes. */
export function toToolCall({ id, name, args }: HostCall): LanguageModelV4ToolCall {
  return { type: "tool-call", toolCallId: id, toolName: name, input: JSON.stringify(args) };
}

/** A call that the CLI made itself: the AI SDK shows it and does not make it. */
export function toCliCall({ id, name, input }: Extract<AnswerPart, { type: "cli-call" }>): LanguageModelV4ToolCall {
  const tool = { toolCallId: id, toolName: name, dynamic: true, providerExecuted: true } as const;
  return { type: "tool-call", ...tool, input: JSON.stringify(input) };
}

export function toCliResult(part: Extract<AnswerPart, { type: "cli-result" }>): LanguageModelV4ToolResult {
  const { id, name, output, isError } = part;
  const result = (output ?? "") as NonNullable<JSONValue>;
  return { type: "tool-result", toolCallId: id, toolName: name, dynamic: true, result, ...(isError && { isError: true }) };
}
