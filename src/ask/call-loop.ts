import { conversationOf } from "../prompts/to-prompt.ts";
import type { KnownTarget } from "../request/targets.ts";
import { cancelledEnd, failedEnd } from "../run/failed-end.ts";
import type { Attempt, PartContext } from "../run/part.ts";
import { createFailure } from "../spec/failure/create-failure.ts";
import type { Message } from "../spec/message.ts";
import type { RunRequest } from "../spec/request.ts";
import type { RunResult } from "../spec/result.ts";
import type { CallTool } from "../spec/stream.ts";
import type { HostCall } from "../spec/tool.ts";
import type { RunEnd } from "../spec/wire/events.ts";
import type { AnswerCall } from "./function-calls.ts";
import { askByText } from "./text-tools.ts";

/** The answers of one run by text, if the request sets no turn limit. */
const MOST_ANSWERS = 100;
/** A longer result would not fit into the next prompt of most CLIs. */
const RESULT_BYTES = 450_000;

type LoopParts = { readonly attempt: Attempt; readonly target: KnownTarget };

/** Runs host tools by text: executes the calls of each answer by the caller's function and asks again, until an answer has none. */
export async function loopByText(
  { attempt, target }: LoopParts,
  request: RunRequest,
  context: PartContext,
  callTool: CallTool,
): Promise<RunEnd> {
  // Loaded on demand: the validators import libraries that runs without tools do not need.
  const { answerByFunction } = await import("./function-calls.ts");
  const answerCall = answerByFunction(callTool, request, RESULT_BYTES);
  let asked = request;
  for (let answers = 1; ; answers += 1) {
    const end = await askByText(attempt, target, asked, context);
    if (end.failure !== undefined || end.finish !== "tool-calls") return end;
    context.writer.flush();
    const result = context.resultAt(end);
    const calls = result.hostCalls ?? [];
    if (calls.length === 0) return end;
    if (answers >= (request.maxTurns ?? MOST_ANSWERS)) return failedEnd(turnLimit(answers), result.text);
    const results = await Promise.all(calls.map((call) => callOne(call, answerCall, context)));
    if (context.signal.aborted) return cancelledEnd(result.text);
    asked = continued(asked, result, calls, results);
  }
}

async function callOne(call: HostCall, answerCall: AnswerCall, { writer, signal }: PartContext): Promise<Message> {
  const { id, name, args } = call;
  const startedAt = performance.now();
  const { text, isError } = await answerCall(call, signal);
  const durationMs = Math.round(performance.now() - startedAt);
  writer.tick();
  writer.write({ type: "tool-end", id, name, input: args, output: text, isError, durationMs });
  writer.flush();
  return { role: "tool", callId: id, text, ...(isError && { isError }) };
}

/** The request for the next answer: the results in the CLI's session, or the whole conversation with them. */
function continued(asked: RunRequest, result: RunResult, calls: readonly HostCall[], results: readonly Message[]): RunRequest {
  const { prompt: _, images: __, messages: ___, toolChoice: ____, ...rest } = asked;
  if (asked.session !== undefined && result.sessionId !== undefined)
    return { ...rest, messages: results, session: { resume: result.sessionId } };
  const answer = { role: "assistant", text: result.text, toolCalls: calls } as const;
  return { ...rest, messages: [...conversationOf(asked), answer, ...results] };
}

function turnLimit(answers: number): ReturnType<typeof createFailure> {
  return createFailure("turn-limit", `The model still called host tools in its answer number ${answers}.`);
}
