import type { JSONValue, LanguageModelV4Content, LanguageModelV4ToolCall, LanguageModelV4ToolResult } from "@ai-sdk/provider";
import type { AnswerPart } from "../../doors/answer-part.ts";
import type { HostCall } from "../../spec/tool.ts";

/** The content of a part; the end and a value that is not complete have none. */
export function toContent(part: AnswerPart): readonly LanguageModelV4Content[] {
  switch (part.type) {
    case "text":
    case "reasoning":
      return [{ type: part.type, text: part.text }];
    case "cli-call":
    case "cli-result":
      return [toCliTool(part)];
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

/** A call that the CLI made itself, or its result: the AI SDK shows it and does not make it. */
export function toCliTool(
  part: Extract<AnswerPart, { type: "cli-call" | "cli-result" }>,
): LanguageModelV4ToolCall | LanguageModelV4ToolResult {
  const tool = { toolCallId: part.id, toolName: part.name, dynamic: true } as const;
  if (part.type === "cli-call") return { type: "tool-call", ...tool, input: JSON.stringify(part.input), providerExecuted: true };
  const result = (part.output ?? "") as NonNullable<JSONValue>;
  return { type: "tool-result", ...tool, result, ...(part.isError && { isError: true }) };
}
