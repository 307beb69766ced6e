import type { PartialObject } from "../answers/partial-object.ts";
import { EventLog } from "../attempt/event-log.ts";
import { callMarkOf, conversationOf, nativeSchemaOf, toPromptRequest } from "../prompts/to-prompt.ts";
import { describeProblems } from "../prompts/tool-prompt.ts";
import { DEFAULT_TIMEOUTS } from "../request/defaults.ts";
import type { ResolvedTarget } from "../request/targets.ts";
import { type Attempt, cancelledEnd, failedEnd, type PartContext, waitFor } from "../run/part.ts";
import type { EventSink, RunWriter } from "../run/run-writer.ts";
import type { OutputValidator } from "../schemas/standard-schema.ts";
import { createFailure } from "../spec/failure/failure.ts";
import type { JsonValue } from "../spec/json.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { PromptRequest, RunRequest } from "../spec/request.ts";
import type { EventBody, RunEnd } from "../spec/wire/events.ts";
import { AnswerSink } from "./answer-sink.ts";
import type { ReadAnswer } from "./open-reader.ts";

/**
 * Encodes the conversation, host tools and schema of a request as one prompt. If the request has tools or a schema, it reads
 * the calls or the value from the answer and asks the model once to correct an unusable answer.
 */
export async function askByText(
  attempt: Attempt,
  target: ResolvedTarget,
  request: RunRequest,
  context: PartContext,
): Promise<RunEnd> {
  const isPlain = (request.tools ?? []).length === 0 && request.outputSchema === undefined;
  if (!isPlain) return await readAnswers(attempt, target, request, context);
  return await attempt(target, toPromptRequest(request, target.provider), context);
}

async function readAnswers(attempt: Attempt, target: ResolvedTarget, request: RunRequest, context: PartContext): Promise<RunEnd> {
  const { provider } = target;
  const { writer, signal } = context;
  // Loaded on demand: the readers import libraries that runs without tools or schema do not need.
  const [{ findSchemaProblem }, { openReader }] = await Promise.all([
    import("../schemas/validate-schema.ts"),
    import("./open-reader.ts"),
  ]);
  const { output } = context;
  const unusable = findSchemaProblem(request);
  if (unusable !== undefined) return failedEnd(createFailure("schema-unreadable", unusable));
  const native = nativeSchemaOf(provider, request);
  const reader = openReader(request, { native, hasOwnValidator: output !== undefined });
  const shown = new EventLog(writer, writer);
  const check = output && ((value: JsonValue) => checkInTime(output, value, request, context));
  const isStopped = (): boolean => signal.aborted || (context.total?.leftMs() ?? 1) <= 0;
  const ask = async (prompt: PromptRequest, isFirst: boolean): Promise<ReadAnswer> => {
    const answer = new AnswerSink(reader, shown, writer, { isFirst, isStopped, check });
    const source = { partial: reader.openPartial?.(), objectTool: native && provider.objectTool };
    return answer.read(await showPartials(answer, writer, source, (sink) => attempt(target, prompt, { ...context, sink })));
  };
  const first = await ask(toPromptRequest(request, provider), true);
  const refusal = native === undefined ? undefined : first.end.failure;
  if (refusal?.code === "schema-unreadable" && !isStopped()) {
    shown.add({
      type: "warning",
      code: "schema-by-text",
      message: `${refusal.message} The schema goes into the prompt instead.`,
    });
    writer.repeats(refusal);
    return readAnswers(attempt, withoutSchemaOption(target), request, context);
  }
  if (first.isUnread || signal.aborted || isFinal(first, request)) return conclude(first, shown, target, { request, signal });
  const code = first.wanted === "calls" ? "tool-call-corrected" : "object-corrected";
  shown.add({ type: "warning", code, message: first.problems.slice(0, 8).join(" ") });
  reader.release(first.invalidCalls);
  // The text of a CLI with its own schema was shown as it came.
  if (native !== undefined) for (const messageId of first.shownIds) shown.add({ type: "text-reset", messageId });
  // The budget sees what the first answer spent, and may stop the run.
  writer.flush();
  if (signal.aborted) return cancelledEnd(shown.facts().partialText);
  return conclude(await ask(toCorrection(request, provider, first), false), shown, target, { request, signal });
}

/** True if the model is not asked for another answer. An agent must not repeat its work only because its report has the wrong form. */
function isFinal({ problems, end }: ReadAnswer, { mode }: RunRequest): boolean {
  return problems.length === 0 || end.failure !== undefined || end.finish === "tool-calls" || mode === "agent";
}

/** The problems that a validator of the caller finds; undefined if the run is cancelled, or its total time is over, before it has decided. */
async function checkInTime(
  output: OutputValidator,
  value: JsonValue,
  request: RunRequest,
  context: PartContext,
): Promise<readonly string[] | undefined> {
  let problems: readonly string[] | undefined;
  await waitFor(context, context.total?.leftMs() ?? totalMsOf(request), (wake) => {
    void output.check(value).then((found) => {
      problems = found;
      wake();
    });
  });
  return problems;
}

/** The same CLI for a schema that its own option refuses, such as one of a version that is newer than the provider. */
function withoutSchemaOption({ provider, ...target }: ResolvedTarget): ResolvedTarget {
  return { ...target, provider: { ...provider, options: provider.options.filter((option) => option !== "output-schema") } };
}

/** The request for a corrected answer: in the CLI's session if it has one, otherwise with the whole conversation again. */
function toCorrection(request: RunRequest, provider: Provider, answer: ReadAnswer): PromptRequest {
  const mark = callMarkOf(request);
  const notice = describeProblems(answer.problems, answer.wanted, mark);
  const { prompt: _, messages: __, images: ___, ...rest } = request;
  if (request.session !== undefined && answer.sessionId !== undefined) {
    const { tools: ____, toolChoice: _____, threadEncoding: ______, outputSchema, ...settings } = rest;
    const schema = outputSchema !== undefined && nativeSchemaOf(provider, request) !== undefined ? { outputSchema } : {};
    return { ...toPromptRequest({ ...settings, ...schema, prompt: notice }, provider), session: { resume: answer.sessionId } };
  }
  const messages = [...conversationOf(request), { role: "assistant", text: shorten(answer.fullText) } as const];
  return toPromptRequest({ ...rest, messages }, provider, { notice, ...(mark !== undefined && { mark }) });
}

/** How much of each end of a long answer is sent back. */
const LONGEST_END = 50_000;

/** The text with its middle left out if it is long: the model needs its own answer only to see the mistake. */
function shorten(text: string): string {
  const missing = text.length - 2 * LONGEST_END;
  return missing <= 0 ? text : `${text.slice(0, LONGEST_END)}\n[${missing} characters left out]\n${text.slice(-LONGEST_END)}`;
}

type Asked = { readonly request: RunRequest; readonly signal: AbortSignal };

function conclude(
  answer: ReadAnswer,
  shown: EventLog,
  { provider: { label } }: ResolvedTarget,
  { request, signal }: Asked,
): RunEnd {
  const { end, calls, problems, wanted, answerId, fullText } = answer;
  const { partialText } = shown.facts();
  if (end.failure !== undefined) return failedEnd(end.failure, partialText, end.finish);
  if (signal.aborted) return cancelledEnd(partialText);
  // The CLI waits for results of host tools; the value comes with a later answer.
  if (end.finish === "tool-calls") return { type: "run-end", finish: "tool-calls", ...(answerId !== undefined && { answerId }) };
  if (answer.isUnread) {
    const message = `The answer was being read and validated when the total timeout of ${totalMsOf(request)} ms was over.`;
    return failedEnd(createFailure("total-timeout", message), partialText || fullText);
  }
  const { invalidCalls } = answer;
  if (invalidCalls.length > 0 && request.invalidCalls === "return") {
    for (const { id, name, args, problem } of invalidCalls)
      shown.add({ type: "tool-call-invalid", id, name, input: args, problem });
    return { type: "run-end", finish: "tool-calls", ...(answerId !== undefined && { answerId }) };
  }
  if (problems.length > 0) {
    const code = wanted === "calls" ? "tool-call-unreadable" : "schema-mismatch";
    return failedEnd(
      createFailure(code, `${label} gave an invalid answer: ${problems.slice(0, 8).join(" ")}`, { partialText: fullText }),
      partialText,
    );
  }
  for (const { id, name, args } of calls) shown.add({ type: "tool-call", id, name, input: args, executor: "host" });
  return { type: "run-end", finish: calls.length > 0 ? "tool-calls" : end.finish, ...(answerId !== undefined && { answerId }) };
}

function totalMsOf({ timeouts, mode = "completion" }: RunRequest): number | undefined {
  return timeouts?.totalMs ?? DEFAULT_TIMEOUTS[mode].totalMs;
}

type PartialSource = {
  /** Undefined if no structured answer is wanted. */
  readonly partial: PartialObject | undefined;
  /** The CLI's tool whose input is the answer; without one the answer is text. */
  readonly objectTool: string | undefined;
};

/** Does an attempt with a sink that also shows the structured answer so far, at most once in each batch of the run. */
async function showPartials<End>(
  sink: EventSink,
  writer: RunWriter,
  { partial, objectTool }: PartialSource,
  attempt: (sink: EventSink) => Promise<End>,
): Promise<End> {
  if (partial === undefined) return await attempt(sink);
  const remove = writer.beforeFlush(() => {
    const object = partial.next();
    if (object !== undefined) writer.write({ type: "object-delta", object, isPartial: true });
  });
  let callId: string | undefined;
  const see = (event: EventBody): void => {
    if (event.type === "text-reset") partial.forget(event.messageId);
    else if (event.type === "tool-reset") partial.forget(event.id);
    else if (event.type === "tool-start" && event.name === objectTool) callId = event.id;
    else if (event.type === "tool-input-delta" && event.id === callId) partial.push(event.id, event.delta);
  };
  const write: EventSink["write"] = (event) => {
    if (event.parentToolId === undefined) see(event);
    sink.write(event);
  };
  const writeText: EventSink["writeText"] = (messageId, text) => {
    if (objectTool === undefined) partial.push(messageId, text);
    sink.writeText(messageId, text);
  };
  try {
    return await attempt({ write, writeText });
  } finally {
    remove();
  }
}
