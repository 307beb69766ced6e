import { toNativeRequest, toPromptRequest } from "../prompts/to-prompt.ts";
import type { ResolvedTarget } from "../request/targets.ts";
import { type Attempt, cancelledEnd, failedEnd, type PartContext } from "../run/part.ts";
import type { EventSink } from "../run/run-writer.ts";
import type { BoundTools } from "../schemas/validate-schema.ts";
import { createFailure } from "../spec/failure/failure.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../spec/json.ts";
import type { InvalidCall } from "../spec/message.ts";
import type { PromptRequest, RunRequest } from "../spec/request.ts";
import type { RunResult } from "../spec/result.ts";
import type { ToolAnswer } from "../spec/stream.ts";
import type { EventBody, RunEnd } from "../spec/wire/events.ts";
import type { KeptTurn } from "../warm/kept-turns.ts";
import type { NativeParts } from "./function-calls.ts";
import { askByText } from "./text-tools.ts";

type ParkParts = NativeParts & { readonly tools: BoundTools; readonly turns: Turns; readonly request: RunRequest };

/** The turns of one run, as `RunTurns` of ask.ts makes them. */
export type Turns = {
  /** The turn that the last attempt has left. */
  left: KeptTurn | undefined;
  ask(cli: ResolvedTarget, encode: () => PromptRequest, context: PartContext): Promise<RunEnd>;
  /** Gives the results to the turn that was left; undefined if its process was lost. */
  answer(
    results: ReadonlyMap<string, ToolAnswer>,
    cli: ResolvedTarget,
    encode: () => PromptRequest,
    context: PartContext,
  ): Promise<RunEnd | undefined>;
  keep(texts: readonly string[], result: Pick<RunResult, "hostCalls" | "model">): void;
  discard(): void;
};

type TurnParts = NativeParts & { readonly turnsOf: (attempt: Attempt, resultBytes: number) => Turns };

/** What the answer of a run consists of: the sink of its last attempt. */
type Answer = { sink?: CallSink };

/** Ends the run with the calls. The CLI's turn stays open for the run that brings their results, or the next message after an answer. */
export async function endWithCalls(parts: TurnParts, request: RunRequest, context: PartContext): Promise<RunEnd> {
  const { bindTools } = await import("../schemas/validate-schema.ts");
  const tools = bindTools(request.tools ?? []);
  const attempt = await attemptOf(parts, tools);
  const { tools: nativeTools, rules } = parts.way;
  const turns = parts.turnsOf(attempt, rules.resultBytes);
  const answer: Answer = {};
  const native = (cli: ResolvedTarget, encode: () => PromptRequest, inner: PartContext): Promise<RunEnd> =>
    parkCorrected({ ...parts, tools, turns, request }, answer, cli, { encode, inner });
  const asked = toNativeRequest(request, nativeTools);
  try {
    const end =
      asked.outputSchema === undefined
        ? await native(parts.target, () => toPromptRequest(asked, parts.target.provider), context)
        : await askByText((cli, prompt, inner) => native(cli, () => prompt, inner), parts.target, asked, context);
    if (end.failure !== undefined || turns.left === undefined) return end;
    if (turns.left.turn.waitsFor === "results") {
      if (context.signal.aborted) return cancelledEnd();
      context.writer.flush();
    }
    const { hostCalls = [], ...result } = context.resultAt(end);
    // A caller may join the texts of an answer, as LangChain's door does.
    const { text } = turns.left;
    turns.keep([text, answer.sink?.text() ?? text], { ...result, hostCalls });
    return end;
  } finally {
    discard(turns, context);
  }
}

/** The attempt that offers the tools: by the wire, or by a bridge. */
async function attemptOf({ attempt, host, way: { tools, rules } }: NativeParts, checks: BoundTools): Promise<Attempt> {
  const { bridgeName: nameOf } = rules;
  if (nameOf === undefined) return attempt;
  const { bridged } = await import("../attempt/bridged-attempt.ts");
  return bridged(attempt, { tools, checks, rules, env: host.env, nameOf });
}

/** Ends the turns that no later run continues; the calls of such a turn are not left to the caller. */
function discard(turns: Turns, { writer }: PartContext): void {
  for (const id of turns.left?.calls.keys() ?? []) writer.write({ type: "tool-reset", id });
  turns.discard();
}

type Asked = { readonly encode: () => PromptRequest; readonly inner: PartContext };

/** One attempt whose turn is parked at its calls. If one of them is invalid, none is made, and the model gets the problems once. */
async function parkCorrected(parts: ParkParts, answer: Answer, cli: ResolvedTarget, { encode, inner }: Asked): Promise<RunEnd> {
  const { tools, turns } = parts;
  const sink = new CallSink(inner.sink ?? inner.writer, tools);
  answer.sink = sink;
  const context: PartContext = { ...inner, sink };
  const first = await turns.ask(cli, encode, context);
  if (turns.left === undefined || !hasProblem(sink) || inner.signal.aborted) return first;
  const results = refuseCalls(sink, turns.left, inner);
  // The budget has seen what the first answer spent, and may have stopped the run; the turn then ends with it.
  const second = await turns.answer(results, cli, encode, context);
  return concludeCorrection(second ?? first, parts, { sink, cli });
}

function hasProblem(sink: CallSink): boolean {
  return sink.calls().some(({ problem }) => problem !== "");
}

/** Ends the calls of an answer with an invalid one; returns what the model is told about each. */
function refuseCalls(sink: CallSink, { calls }: KeptTurn, { writer }: PartContext): ReadonlyMap<string, ToolAnswer> {
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
  { sink, cli }: { readonly sink: CallSink; readonly cli: ResolvedTarget },
): RunEnd {
  const { left } = turns;
  if (left === undefined || !hasProblem(sink)) return end;
  turns.left = undefined;
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

/** Passes events on and checks the calls of native host tools: their arguments get the defaults of the schema. */
export class CallSink implements EventSink {
  private readonly next: EventSink;
  private readonly tools: BoundTools;
  /** The calls without a result, with what is wrong with their arguments; an empty problem if nothing is. */
  private readonly open = new Map<string, InvalidCall>();

  private readonly texts = new Map<string, string[]>();

  constructor(next: EventSink, tools: BoundTools) {
    this.next = next;
    this.tools = tools;
  }

  writeText(messageId: string, text: string): void {
    this.addText(messageId, text);
    this.next.writeText(messageId, text);
  }

  write(event: EventBody & { readonly parentToolId?: string }): void {
    if (event.type === "tool-end" || event.type === "tool-reset") this.open.delete(event.id);
    if (event.type === "text-reset") this.texts.delete(event.messageId);
    if (event.type === "text-delta" && event.parentToolId === undefined) this.addText(event.messageId, event.text);
    const isHostCall = event.type === "tool-call" && event.executor === "host";
    this.next.write(isHostCall ? { ...event, input: this.check(event.id, event.name, toObject(event.input)) } : event);
  }

  /** All texts of the answer, with a blank line between them. */
  text(): string {
    return [...this.texts.values()].map((pieces) => pieces.join("")).join("\n\n");
  }

  calls(): readonly InvalidCall[] {
    return [...this.open.values()];
  }

  private addText(messageId: string, text: string): void {
    const pieces = this.texts.get(messageId);
    if (pieces === undefined) this.texts.set(messageId, [text]);
    else pieces.push(text);
  }

  private check(id: string, name: string, given: JsonObject): JsonObject {
    const { value, problems } = this.tools.get(name)?.(given) ?? { value: given, problems: [`There is no tool ${name}.`] };
    const args = problems.length > 0 ? given : toObject(value);
    this.open.set(id, { id, name, args, problem: problems.join(" ") });
    return args;
  }
}

/** A model can only be wrong in this way if the CLI lets it; the schema then finds what is missing. */
function toObject(value: JsonValue): JsonObject {
  return isJsonObject(value) ? value : {};
}
