import type { ParkedCalls } from "../resident/parked-turns.ts";
import { DEFAULT_TIMEOUTS } from "../run/defaults.ts";
import { cancelledEnd, failedEnd } from "../run/ends.ts";
import type { Attempt, PartContext } from "../run/part.ts";
import type { KnownTarget } from "../run/resolve-target.ts";
import { resumeAttempt } from "../run/resume-attempt.ts";
import type { RunHost } from "../run/run-host.ts";
import { createFailure } from "../spec/create-failure.ts";
import type { RunEnd } from "../spec/events.ts";
import type { PromptRequest, RunRequest } from "../spec/request.ts";
import type { ToolAnswer } from "../spec/stream.ts";
import { callHostTool } from "../tools/call-host-tool.ts";
import type { ToolWay } from "../tools/native-tools.ts";
import { conversationOf, withoutTools } from "../tools/to-prompt.ts";
import type { BoundTools } from "../tools/validate-schema.ts";
import { CallSink } from "./call-sink.ts";
import { conversationKey, splitResults } from "./conversation-key.ts";
import { askByText } from "./text-tools.ts";

/** What a native run needs besides its request. */
export type NativeParts = {
  readonly attempt: Attempt;
  readonly host: RunHost;
  readonly target: KnownTarget;
  readonly way: Extract<ToolWay, { readonly tools: unknown }>;
};

/** Runs a request whose host tools are tools of the CLI. The CLI's own turn goes on with each result. */
export async function runNatively(parts: NativeParts, request: RunRequest, context: PartContext): Promise<RunEnd> {
  // Loaded on demand: the validators import libraries that runs without tools do not need.
  const { findSchemaProblem } = await import("../tools/open-reader.ts");
  const unusable = findSchemaProblem(request);
  if (unusable !== undefined) return failedEnd(createFailure("schema-unreadable", unusable));
  return await (context.callTool === undefined ? endWithCalls : callFunctions)(parts, request, context);
}

/** A function of the caller runs each call while the CLI waits for it. */
async function callFunctions(
  { attempt, host, target, way }: NativeParts,
  request: RunRequest,
  context: PartContext,
): Promise<RunEnd> {
  const { callTool } = context;
  if (callTool === undefined) return cancelledEnd();
  const { bindTools } = await import("../tools/validate-schema.ts");
  const { mode = "completion", timeouts, tools = [] } = request;
  const toolMs = timeouts?.toolMs ?? DEFAULT_TIMEOUTS[mode].toolMs ?? 0;
  const { resultBytes, bridgeName: nameOf } = way.rules;
  const options = { tools: bindTools(tools), callTool, toolMs, resultBytes };
  const answerCall: NonNullable<PartContext["answerCall"]> = (call, signal) => callHostTool(call, { ...options, signal });
  const byWire: Attempt = (cli, prompt, inner) => attempt(cli, { ...prompt, nativeTools: way.tools }, { ...inner, answerCall });
  if (nameOf === undefined) return await askByText(byWire, target, withoutTools(request), context);
  const { bridged } = await import("../run/bridged-attempt.ts");
  const native = bridged(attempt, {
    tools: way.tools,
    checks: options.tools,
    rules: way.rules,
    env: host.env,
    nameOf,
    answerCall,
  });
  return await askByText(native, target, withoutTools(request), context);
}

/** The run ends with the calls. The CLI's turn stays open for the run that brings their results. */
async function endWithCalls(parts: NativeParts, request: RunRequest, context: PartContext): Promise<RunEnd> {
  const { host, target } = parts;
  const held: { turn?: ParkedCalls } = {};
  const { bindTools } = await import("../tools/validate-schema.ts");
  const tools = bindTools(request.tools ?? []);
  const native: Attempt = (cli, prompt, inner) => parkCorrected({ ...parts, tools, held }, cli, prompt, { request, inner });
  const end = await askByText(native, target, withoutTools(request), context);
  if (held.turn === undefined) return end;
  if (end.failure !== undefined || context.signal.aborted) {
    held.turn.turn.end();
    return end.failure === undefined ? cancelledEnd() : end;
  }
  context.writer.flush();
  const { text, hostCalls = [], model } = context.resultAt(end);
  const answer = { role: "assistant", text, toolCalls: hostCalls } as const;
  const key = conversationKey(target, request, [...conversationOf(request), answer]);
  host.parked?.put(key, { ...held.turn, ...(model !== undefined && { model }) });
  return end;
}

type ParkParts = NativeParts & { readonly tools: BoundTools; readonly held: { turn?: ParkedCalls } };
type Asked = { readonly request: RunRequest; readonly inner: PartContext };

/** One attempt whose turn is parked at its calls. If one of them is invalid, none is made, and the model gets the problems once. */
async function parkCorrected(parts: ParkParts, cli: KnownTarget, given: PromptRequest, asked: Asked): Promise<RunEnd> {
  const { attempt, host, way, held, tools } = parts;
  const { request, inner } = asked;
  const prompt = { ...given, nativeTools: way.tools };
  const sink = new CallSink(inner.sink ?? inner.writer, tools);
  const context: PartContext = {
    ...inner,
    sink,
    park: (turn) => {
      held.turn = turn;
    },
  };
  const waiting = takeParked(parts, request);
  const resumed = waiting && (await resumeAttempt(host, waiting.parked, waiting.results)(cli, prompt, context));
  const first = resumed ?? (await attempt(cli, prompt, context));
  const turn = held.turn;
  if (turn === undefined || !hasProblem(sink) || inner.signal.aborted) return first;
  delete held.turn;
  const results = refuseCalls(sink, turn, inner);
  const second = await resumeAttempt(host, turn, results)(cli, prompt, context);
  return second === undefined ? first : concludeCorrection(second, { sink, held, request, cli });
}

function hasProblem(sink: CallSink): boolean {
  return sink.calls().some(({ problem }) => problem !== "");
}

/** Ends the calls of an answer with an invalid one; returns what the model is told about each. */
function refuseCalls(sink: CallSink, { calls }: ParkedCalls, { writer }: PartContext): ReadonlyMap<string, ToolAnswer> {
  const results = new Map<string, ToolAnswer>();
  const problems = sink.calls().flatMap(({ name, problem }) => (problem === "" ? [] : [`${name}: ${problem}`]));
  writer.write({ type: "warning", code: "tool-call-corrected", message: problems.slice(0, 8).join(" ") });
  for (const { id, name, args: input, problem } of sink.calls()) {
    const text = problem === "" ? OTHER_IS_WRONG : `The arguments do not match the schema: ${problem}`;
    sink.write({ type: "tool-end", id, name, input, output: text, isError: true, durationMs: 0 });
    results.set(calls.get(id) ?? id, { text, isError: true });
  }
  writer.flush();
  return results;
}

const OTHER_IS_WRONG =
  "The call was not made, because another call of the same answer was invalid. Repeat it if it is still needed.";

type Corrected = Pick<ParkParts, "held"> & { readonly sink: CallSink; readonly request: RunRequest; readonly cli: KnownTarget };

/** The end of the second answer: with its calls, or, if one of them is invalid again, as the request says. */
function concludeCorrection(end: RunEnd, { sink, held, request, cli }: Corrected): RunEnd {
  if (held.turn === undefined || !hasProblem(sink)) return end;
  held.turn.turn.end();
  delete held.turn;
  const calls = sink.calls();
  for (const { id, name, args: input, problem } of calls) {
    sink.write({ type: "tool-reset", id });
    if (request.invalidCalls === "return" && problem !== "") sink.write({ type: "tool-call-invalid", id, name, input, problem });
  }
  if (request.invalidCalls === "return") return end;
  const problems = calls.flatMap(({ problem }) => (problem === "" ? [] : [problem]));
  return failedEnd(createFailure("tool-call-unreadable", `${cli.provider.label} gave an invalid answer: ${problems.join(" ")}`));
}

type Waiting = { readonly parked: ParkedCalls; readonly results: ReadonlyMap<string, ToolAnswer> };

/** The turn that waits for exactly these results, if this conversation has one. */
function takeParked({ host, target, way }: NativeParts, request: RunRequest): Waiting | undefined {
  const { before, results } = splitResults(conversationOf(request));
  if (results.length === 0) return undefined;
  const parked = host.parked?.take(conversationKey(target, request, before), target.id);
  if (parked === undefined) return undefined;
  const answers = new Map<string, ToolAnswer>();
  for (const { callId, text, isError = false, images = [] } of results) {
    const id = parked.calls.get(callId);
    const fits = images.length === 0 && Buffer.byteLength(text) <= way.rules.resultBytes;
    if (id !== undefined && fits && !answers.has(id)) answers.set(id, { text, isError });
  }
  if (answers.size === parked.calls.size && answers.size === results.length) return { parked, results: answers };
  parked.turn.end();
  return undefined;
}
