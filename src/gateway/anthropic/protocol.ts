import type { AnswerEnd, AnswerPart } from "../../doors/answer-part.ts";
import { estimateInput } from "../../doors/whole-answer.ts";
import {
  type Block,
  BlockWriter,
  callBlock,
  countsOf,
  emptyMessage,
  endEvents,
  errorBody,
  errorTypeOf,
  foldMessage,
  type MessageEvent,
  stopOf,
  textBlock,
  thinkingBlock,
} from "../../formats/anthropic.ts";
import { type Failure, failureSentences } from "../../spec/failure/failure.ts";
import type { FailureCode } from "../../spec/failure/failure-codes.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Usage } from "../../spec/wire/usage.ts";
import { type AnswerHead, type Frame, type FrameWriter, type Protocol, scopeFields } from "../protocol.ts";
import { readCountRequest, readRequest } from "./read-request.ts";

/** Anthropic's Messages API. docs/gateway-anthropic.md lists its fields. */
export const anthropicMessages: Protocol = {
  read: readRequest,
  whole: writeMessage,
  frames: messageFrames,
  error: (failure, id) => ({
    status: statusOf(failure),
    body: failureBody(failure, id),
    headers: { "request-id": requestId(id) },
  }),
  headers: ({ id }) => ({ "request-id": requestId(id) }),
  count(body) {
    const asked = readCountRequest(body);
    if ("category" in asked) return asked;
    return { model: asked.model, body: { input_tokens: estimateInput(asked.request) } };
  },
};

/** Anthropic's statuses that differ from those of Coxswain's failures. */
const STATUSES: Readonly<Record<number, number>> = { 503: 529 };

const CODES: Partial<Readonly<Record<FailureCode, number>>> = { "prompt-too-large": 413 };

const ERROR_CODES: Partial<Readonly<Record<FailureCode, string>>> = { "session-unknown": "thread_not_found" };

function statusOf({ code, replyStatus }: Failure): number {
  return CODES[code] ?? STATUSES[replyStatus] ?? replyStatus;
}

function failureBody(failure: Failure, id: string): JsonObject & { readonly type: string } {
  const errorCode = ERROR_CODES[failure.code];
  const details: JsonObject = errorCode === undefined ? {} : { details: { error_code: errorCode } };
  return { ...errorBody(errorTypeOf(statusOf(failure)), messageOf(failure), details), request_id: requestId(id) };
}

function requestId(id: string): string {
  return `req_${id}`;
}

/** Clients such as Claude Code shorten the conversation when they read these first words. */
function messageOf(failure: Failure): string {
  const text = failureSentences(failure);
  return failure.code === "context-overflow" ? `prompt is too long: ${text}` : text;
}

/** The place of Anthropic's signature of a thought. It proves nothing; a thought that a client sends back is dropped. */
const SIGNATURE = "coxswain";

function writeMessage(head: AnswerHead, parts: readonly AnswerPart[]): JsonObject {
  return foldMessage([...beginEvents(head), ...parts.flatMap(partWriter(head))]);
}

/** Writes an answer as Anthropic's events: the message begins, its blocks follow one another, and it ends with the usage. */
function messageFrames(head: AnswerHead): FrameWriter {
  const write = partWriter(head);
  return {
    begin: () => beginEvents(head).map(toFrame),
    write: (parts) => parts.flatMap(write).map(toFrame),
    fail: (failure) => [toFrame(failureBody(failure, head.id))],
  };
}

/** The model has the name that the client used. The input is estimated, because most CLIs tell its tokens only at their end. */
function beginEvents({ id, asked }: AnswerHead): readonly MessageEvent[] {
  const usage = usageOf({ inputTokens: estimateInput(asked.request) });
  const message = { ...emptyMessage(`msg_${id}`, asked.model), stop_details: null, container: null, usage };
  return [{ type: "message_start", message }, { type: "ping" }];
}

const TEXT: Block = { ...textBlock(), citations: null };
const DIRECT: JsonObject = { type: "direct" };

/** Parts of one kind that follow one another are one block. */
function partWriter({ asked }: AnswerHead): (part: AnswerPart) => readonly MessageEvent[] {
  const blocks = new BlockWriter(SIGNATURE);
  return (part) => {
    switch (part.type) {
      case "text":
        return [...(blocks.isIn("text") ? [] : blocks.begin(TEXT)), blocks.piece(part.text)];
      case "reasoning":
        if (asked.wantsReasoning !== true) return [];
        return [...(blocks.isIn("thinking") ? [] : blocks.begin(thinkingBlock())), blocks.piece(part.text)];
      case "host-call":
      case "invalid-call": {
        const begun = blocks.begin({ ...callBlock(part.call), caller: DIRECT });
        return [...begun, blocks.piece(JSON.stringify(part.call.args)), ...blocks.end()];
      }
      case "end":
        return [...blocks.end(), ...endEvents(endOf(part), usageOfEnd(part))];
      default:
        return [];
    }
  };
}

function toFrame(event: JsonObject & { readonly type: string }): Frame {
  return { event: event.type, data: event };
}

function endOf({ result: { finish }, stopSequence }: AnswerEnd): JsonObject {
  return stopSequence === undefined ? stopOf(finish) : { stop_reason: "stop_sequence", stop_sequence: stopSequence };
}

function usageOfEnd({ result }: AnswerEnd): JsonObject {
  return { ...usageOf(result.usage), ...scopeFields(result) };
}

function usageOf(usage: Partial<Usage> = {}): JsonObject {
  const { reasoningTokens } = usage;
  return {
    ...countsOf(usage),
    output_tokens_details: reasoningTokens === undefined ? null : { thinking_tokens: reasoningTokens },
    server_tool_use: null,
    service_tier: "standard",
  };
}
