import type { ToolWay } from "../host-tools/native-tools.ts";
import { conversationOf, toNativeRequest } from "../prompts/to-prompt.ts";
import { DEFAULT_TIMEOUTS } from "../request/defaults.ts";
import type { ResolvedTarget } from "../request/targets.ts";
import type { RunHost } from "../run/open-run.ts";
import { type Attempt, cancelledEnd, failedEnd, type PartContext } from "../run/part.ts";
import { bindTools } from "../schemas/validate-schema.ts";
import { createFailure, thrownMessage, toSeconds } from "../spec/failure/failure.ts";
import type { JsonObject } from "../spec/json.ts";
import type { HostCall, Message } from "../spec/message.ts";
import type { RunRequest } from "../spec/request.ts";
import type { RunResult } from "../spec/result.ts";
import type { CallTool, ToolAnswer } from "../spec/stream.ts";
import type { RunEnd } from "../spec/wire/events.ts";
import { askByText } from "./text-tools.ts";

export type RunParts = { readonly attempt: Attempt; readonly host: RunHost; readonly target: ResolvedTarget };

export type NativeParts = RunParts & { readonly way: Extract<ToolWay, { readonly tools: unknown }> };

/** Runs a request whose host tools are tools of the CLI: the function runs each call while the CLI waits for it. */
export async function callNatively(
  { attempt, host, target, way }: NativeParts,
  request: RunRequest,
  context: PartContext,
  callTool: CallTool,
): Promise<RunEnd> {
  const { tools, rules } = way;
  const { bridgeName: nameOf } = rules;
  const answerCall = answerByFunction(callTool, request, rules.resultBytes);
  const answered =
    (offer: Attempt): Attempt =>
    (cli, prompt, inner) =>
      offer(cli, { ...prompt, nativeTools: tools }, { ...inner, answerCall });
  const asked = toNativeRequest(request, tools);
  if (nameOf === undefined) return await askByText(answered(attempt), target, asked, context);
  const { bridged } = await import("../attempt/bridged-attempt.ts");
  const checks = bindTools(request.tools ?? []);
  return await askByText(answered(bridged(attempt, { tools, checks, rules, env: host.env, nameOf })), target, asked, context);
}

/** The answers of one run by text, if the request sets no turn limit. */
const MOST_ANSWERS = 100;
/** A longer result would not fit into the next prompt of most CLIs. */
const RESULT_BYTES = 450_000;

/** Runs host tools by text: executes the calls of each answer by the caller's function and asks again, until an answer has none. */
export async function loopByText(
  { attempt, target }: { readonly attempt: Attempt; readonly target: ResolvedTarget },
  request: RunRequest,
  context: PartContext,
  callTool: CallTool,
): Promise<RunEnd> {
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

/** Never rejects: a call that fails is a result for the model. */
type AnswerCall = NonNullable<PartContext["answerCall"]>;

/**
 * Makes a function of the caller answer calls, within the time of the request and the size that the CLI passes on. Unknown tools, wrong arguments,
 * errors, results that are too long and calls that take too long are failed calls, whose text says what is wrong.
 */
function answerByFunction(callTool: CallTool, request: RunRequest, resultBytes: number): AnswerCall {
  const { mode = "completion", timeouts, tools = [] } = request;
  const toolMs = timeouts?.toolMs ?? DEFAULT_TIMEOUTS[mode].toolMs ?? 0;
  const checks = bindTools(tools);
  return async ({ id, name, args }, signal) => {
    if (signal.aborted) return failed(`${name} was cancelled.`);
    const check = checks.get(name);
    if (check === undefined) return failed(`There is no tool ${JSON.stringify(name)}.`);
    const { value, problems } = check(args);
    if (problems.length > 0) return failed(`The arguments of ${name} do not match its schema: ${problems.join("; ")}.`);
    const call = { id, name, args: value as JsonObject };
    return withinBytes(await runInTime(call, callTool, { signal, toolMs }), resultBytes);
  };
}

type Bounds = { readonly signal: AbortSignal; readonly toolMs: number };

async function runInTime(call: HostCall, callTool: CallTool, { signal, toolMs }: Bounds): Promise<ToolAnswer> {
  const stopping = new AbortController();
  const { promise: stopped, resolve } = Promise.withResolvers<ToolAnswer>();
  const stop = (why: string): void => {
    resolve(failed(why));
    stopping.abort(new Error(why));
  };
  const timer = setTimeout(() => stop(`${call.name} took longer than ${toSeconds(toolMs)} and was cancelled.`), toolMs);
  const cancel = (): void => stop(`${call.name} was cancelled.`);
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await Promise.race([runToEnd(call, callTool, stopping.signal), stopped]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", cancel);
    // What the function has left running is not needed any more.
    stopping.abort();
  }
}

async function runToEnd(call: HostCall, callTool: CallTool, signal: AbortSignal): Promise<ToolAnswer> {
  try {
    const result = await callTool(call, { signal });
    return { text: typeof result === "string" ? result : (JSON.stringify(result) ?? ""), isError: false };
  } catch (error) {
    return failed(thrownMessage(error));
  }
}

/** CLIs cut long results or replace them by a file, and the model would not know. */
function withinBytes(answer: ToolAnswer, limit: number): ToolAnswer {
  const bytes = Buffer.byteLength(answer.text);
  if (bytes <= limit) return answer;
  return failed(`The result has ${bytes} bytes, but at most ${limit} can be passed on. Ask for a smaller part of it.`);
}

function failed(text: string): ToolAnswer {
  return { text, isError: true };
}
