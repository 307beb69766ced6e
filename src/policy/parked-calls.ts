import { cancelledEnd, failedEnd } from "../run/ends.ts";
import type { Attempt, ParkedCalls, PartContext } from "../run/part.ts";
import type { KnownTarget } from "../run/resolve-target.ts";
import { resumeAttempt } from "../run/resume-attempt.ts";
import { createFailure } from "../spec/create-failure.ts";
import type { RunEnd } from "../spec/events.ts";
import type { PromptRequest, RunRequest } from "../spec/request.ts";
import type { ToolAnswer } from "../spec/stream.ts";
import { conversationOf, withoutTools } from "../tools/to-prompt.ts";
import type { BoundTools } from "../tools/validate-schema.ts";
import { CallSink } from "./call-sink.ts";
import { conversationKey, splitResults } from "./conversation-key.ts";
import type { NativeParts } from "./native-calls.ts";
import { askByText } from "./text-tools.ts";

/** A turn that waits for exactly these results. */
type Waiting = { readonly parked: ParkedCalls; readonly results: ReadonlyMap<string, ToolAnswer> };

/** The turns of one run: the one that it continues, and the one that it leaves with the calls of its answer. */
type Turns = { waiting?: Waiting; left?: ParkedCalls; sink?: CallSink };

type ParkParts = NativeParts & { readonly tools: BoundTools; readonly turns: Turns; readonly request: RunRequest };

/** Ends the run with the calls. The CLI's turn stays open for the run that brings their results. */
export async function endWithCalls(parts: NativeParts, request: RunRequest, context: PartContext): Promise<RunEnd> {
  const { bindTools } = await import("../tools/validate-schema.ts");
  const turns: Turns = {};
  const waiting = takeParked(parts, request);
  if (waiting !== undefined) turns.waiting = waiting;
  const tools = bindTools(request.tools ?? []);
  const native: Attempt = (cli, prompt, inner) => parkCorrected({ ...parts, tools, turns, request }, cli, prompt, inner);
  try {
    const end = await askByText(native, parts.target, withoutTools(request), context);
    if (end.failure !== undefined || turns.left === undefined) return end;
    if (context.signal.aborted) return cancelledEnd();
    keep(parts, request, turns, { end, context });
    return end;
  } finally {
    discard(turns, context);
  }
}

/** Keeps the turn under the conversation with its answer; a caller may join the texts of an answer, as LangChain's door does. */
function keep(
  { host, target }: NativeParts,
  request: RunRequest,
  turns: Turns,
  { end, context }: { readonly end: RunEnd; readonly context: PartContext },
): void {
  if (turns.left === undefined) return;
  context.writer.flush();
  const { text, hostCalls = [], model } = context.resultAt(end);
  const keys = [text, turns.sink?.text() ?? text].map((said) => {
    const answer = { role: "assistant", text: said, toolCalls: hostCalls } as const;
    return conversationKey(target, request, [...conversationOf(request), answer]);
  });
  host.parked?.put(keys, { ...turns.left, ...(model !== undefined && { model }) });
  delete turns.left;
}

/** Ends the turns that no later run continues; the calls of such a turn are not left to the caller. */
function discard({ waiting, left }: Turns, { writer }: PartContext): void {
  waiting?.parked.turn.end();
  if (left === undefined) return;
  for (const id of left.calls.keys()) writer.write({ type: "tool-reset", id });
  left.turn.end();
}

/** One attempt whose turn is parked at its calls. If one of them is invalid, none is made, and the model gets the problems once. */
async function parkCorrected(parts: ParkParts, cli: KnownTarget, given: PromptRequest, inner: PartContext): Promise<RunEnd> {
  const { attempt, host, way, tools, turns } = parts;
  const prompt = { ...given, nativeTools: way.tools };
  const sink = new CallSink(inner.sink ?? inner.writer, tools);
  turns.sink = sink;
  const park = (turn: ParkedCalls): void => {
    turns.left = turn;
  };
  const context: PartContext = { ...inner, sink, park };
  const { waiting } = turns;
  delete turns.waiting;
  const resumed = waiting && (await resumeAttempt(host, waiting.parked, waiting.results)(cli, prompt, context));
  const first = resumed ?? (await attempt(cli, prompt, context));
  const { left } = turns;
  if (left === undefined || !hasProblem(sink) || inner.signal.aborted) return first;
  const results = refuseCalls(sink, left, inner);
  delete turns.left;
  // The budget has seen what the first answer spent, and may have stopped the run; the turn then ends with it.
  const second = await resumeAttempt(host, left, results)(cli, prompt, context);
  return concludeCorrection(second ?? first, parts, { sink, cli });
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

/** The end of the second answer: with its calls, or, if one of them is invalid again, as the request says. */
function concludeCorrection(
  end: RunEnd,
  { turns, request }: ParkParts,
  { sink, cli }: { readonly sink: CallSink; readonly cli: KnownTarget },
): RunEnd {
  const { left } = turns;
  if (left === undefined || !hasProblem(sink)) return end;
  delete turns.left;
  left.turn.end();
  const calls = sink.calls();
  for (const { id, name, args: input, problem } of calls) {
    sink.write({ type: "tool-reset", id });
    if (request.invalidCalls === "return" && problem !== "") sink.write({ type: "tool-call-invalid", id, name, input, problem });
  }
  if (request.invalidCalls === "return") return end;
  const problems = calls.flatMap(({ problem }) => (problem === "" ? [] : [problem]));
  return failedEnd(createFailure("tool-call-unreadable", `${cli.provider.label} gave an invalid answer: ${problems.join(" ")}`));
}

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
