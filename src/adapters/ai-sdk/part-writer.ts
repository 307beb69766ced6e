import type {
  JSONValue,
  LanguageModelV4Content,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  LanguageModelV4ToolResult,
} from "@ai-sdk/provider";
import type { Answering, AnswerPart } from "../../doors/answer-part.ts";
import type { HostCall } from "../../spec/message.ts";
import type { RunResult } from "../../spec/result.ts";
import { finishReasonOf, metadataOf, toUsage } from "./finish.ts";

type Write = (part: LanguageModelV4StreamPart) => void;

export type StreamEnd = {
  readonly answering: () => Answering;
  readonly toError: (result: RunResult) => unknown;
};

/** Writes the parts of an answer as stream parts: text and reasoning in blocks with a start and an end, one open at a time. */
export class PartWriter {
  private readonly end: StreamEnd;
  private open: { readonly type: "text" | "reasoning"; readonly id: string } | undefined;
  private blocks = 0;

  constructor(end: StreamEnd) {
    this.end = end;
  }

  /** Returns false if the part is the last one. */
  write(part: AnswerPart, write: Write): boolean {
    if ("text" in part) {
      this.writeText(part, write);
      return true;
    }
    this.close(write);
    if ("result" in part) {
      this.writeEnd(part.result, write);
      return false;
    }
    if ("call" in part) writeCall(toToolCall(part.call), write);
    else if (part.type === "cli-call") writeCall(toCliCall(part), write, { dynamic: true, providerExecuted: true });
    else if (part.type === "cli-result") write(toCliResult(part));
    return true;
  }

  private writeText({ type, text }: { readonly type: "text" | "reasoning"; readonly text: string }, write: Write): void {
    if (this.open?.type !== type) {
      this.close(write);
      this.open = { type, id: `${type}-${this.blocks}` };
      this.blocks += 1;
      write({ type: `${type}-start`, id: this.open.id });
    }
    write({ type: `${type}-delta`, id: this.open.id, delta: text });
  }

  private close(write: Write): void {
    if (this.open !== undefined) write({ type: `${this.open.type}-end`, id: this.open.id });
    this.open = undefined;
  }

  private writeEnd(result: RunResult, write: Write): void {
    if (result.failure !== undefined) write({ type: "error", error: this.end.toError(result) });
    write({
      type: "finish",
      finishReason: finishReasonOf(result),
      usage: toUsage(result.usage),
      providerMetadata: metadataOf(result, this.end.answering()),
    });
  }
}

/** A call is known only as a whole, so its input is one piece. `ran` marks a tool that the CLI runs itself. */
function writeCall(call: LanguageModelV4ToolCall, write: Write, ran: { dynamic?: true; providerExecuted?: true } = {}): void {
  const id = call.toolCallId;
  write({ type: "tool-input-start", id, toolName: call.toolName, ...ran });
  write({ type: "tool-input-delta", id, delta: call.input });
  write({ type: "tool-input-end", id });
  write(call);
}

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
function toToolCall({ id, name, args }: HostCall): LanguageModelV4ToolCall {
  return { type: "tool-call", toolCallId: id, toolName: name, input: JSON.stringify(args) };
}

/** A call that the CLI made itself: the AI SDK shows it and does not make it. */
function toCliCall({ id, name, input }: Extract<AnswerPart, { type: "cli-call" }>): LanguageModelV4ToolCall {
  const tool = { toolCallId: id, toolName: name, dynamic: true, providerExecuted: true } as const;
  return { type: "tool-call", ...tool, input: JSON.stringify(input) };
}

function toCliResult(part: Extract<AnswerPart, { type: "cli-result" }>): LanguageModelV4ToolResult {
  const { id, name, output, isError } = part;
  const result = (output ?? "") as NonNullable<JSONValue>;
  return { type: "tool-result", toolCallId: id, toolName: name, dynamic: true, result, ...(isError && { isError: true }) };
}
