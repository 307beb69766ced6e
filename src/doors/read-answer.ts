import { createFailure } from "../spec/create-failure.ts";
import type { RunEvent } from "../spec/events.ts";
import type { Failure } from "../spec/failure.ts";
import type { JsonValue } from "../spec/json.ts";
import type { RunResult } from "../spec/result.ts";
import { RunError } from "../spec/run-error.ts";
import type { RunStream } from "../spec/stream.ts";
import type { HostCall, InvalidCall } from "../spec/tool.ts";
import { ShownText } from "./shown-text.ts";

/** A piece of an answer, as doors pass it on: text and reasoning as they come, calls for the caller behind them, the result last. */
export type AnswerPart =
  | { readonly type: "text" | "reasoning"; readonly text: string }
  /** The CLI calls a tool of its own; `cli-result` follows. */
  | { readonly type: "cli-call"; readonly id: string; readonly name: string; readonly input: JsonValue }
  | {
      readonly type: "cli-result";
      readonly id: string;
      readonly name: string;
      readonly output: JsonValue;
      readonly isError: boolean;
    }
  /** The caller must make the call. */
  | { readonly type: "host-call"; readonly call: HostCall }
  | { readonly type: "invalid-call"; readonly call: InvalidCall }
  /** The last part; the result has a failure if the run failed. `stopSequence` is the one at which the answer ended. */
  | { readonly type: "end"; readonly result: RunResult; readonly stopSequence?: string };

/** The target that answers, as far as it is known; `attempt` counts from 1, and 0 means that no attempt began. */
export type Answering = {
  readonly provider?: string;
  readonly model?: string;
  readonly attempt: number;
  readonly isWarm: boolean;
};

/** How an answer is read: up to which text, and whether it is one JSON value. */
export type AnswerReading = { readonly stop?: readonly string[]; readonly isObject?: boolean };

type Parts = readonly AnswerPart[];

/**
 * Reads a run for a door, which cannot take back what it has sent. Parts come in batches; the text of one batch is one part. Nothing
 * throws: a failure is in the result of the last part. Leaving the iteration early cancels the run.
 */
export class AnswerReader implements AsyncIterable<Parts> {
  private readonly run: RunStream;
  private readonly text: ShownText;
  private readonly isObject: boolean;
  private readonly source: AsyncIterator<Parts>;
  private first: Promise<IteratorResult<Parts>> | undefined;
  private now: Answering = { attempt: 0, isWarm: false };
  /** The ids of calls that the CLI makes itself and that have not ended. */
  private readonly open = new Set<string>();

  constructor(run: RunStream, { stop = [], isObject = false }: AnswerReading = {}) {
    this.run = run;
    this.text = new ShownText(stop);
    this.isObject = isObject;
    this.source = this.read();
  }

  /** The target of the attempt in progress. */
  get answering(): Answering {
    return this.now;
  }

  /** Waits for the first part; returns the result of a run that ended without any other part. Nothing is lost to the iteration. */
  async begun(): Promise<RunResult | undefined> {
    this.first ??= this.source.next();
    const { value } = await this.first;
    const [part] = (value ?? []) as Parts;
    return part?.type === "end" ? part.result : undefined;
  }

  [Symbol.asyncIterator](): AsyncIterator<Parts> {
    return {
      next: () => {
        const next = this.first ?? this.source.next();
        this.first = undefined;
        return next;
      },
      return: async () => {
        this.run.interrupt();
        await this.source.return?.();
        return { done: true, value: undefined };
      },
    };
  }

  private async *read(): AsyncGenerator<Parts> {
    let failure: Failure | undefined;
    for await (const batch of this.run.batches()) {
      const parts: AnswerPart[] = [];
      failure = this.readBatch(batch, parts);
      if (parts.length > 0) yield parts;
      // Leaving the loop cancels the run.
      if (failure !== undefined || this.text.isStopped) break;
    }
    yield [...this.rest(await this.resultOf(failure))];
  }

  /** Adds the parts of a batch; returns the failure of an answer that began again with another text. */
  private readBatch(batch: readonly RunEvent[], parts: AnswerPart[]): Failure | undefined {
    try {
      for (const event of batch) this.readEvent(event, parts);
      return undefined;
    } catch (error) {
      return RunError.is(error) ? error.failure : createFailure("unclassified", String(error));
    }
  }

  private readEvent(event: RunEvent, parts: AnswerPart[]): void {
    if (event.parentToolId !== undefined) return;
    switch (event.type) {
      case "text-delta":
        if (!this.isObject) addText(parts, "text", this.text.push(event.messageId, event.text));
        return;
      case "reasoning-delta":
        return addText(parts, "reasoning", event.text);
      case "text-reset":
        return this.text.reset(event.messageId);
      case "attempt-start": {
        const { provider, model, attempt, warm } = event;
        this.now = { provider, ...(model !== undefined && { model }), attempt, isWarm: warm };
        return;
      }
      case "session-start":
        if (event.model !== undefined) this.now = { ...this.now, model: event.model };
        return;
      case "tool-call":
        if (event.executor === "host") return;
        this.open.add(event.id);
        parts.push({ type: "cli-call", id: event.id, name: event.name, input: event.input });
        return;
      case "tool-end": {
        const { id, name, output, isError } = event;
        if (this.open.delete(id)) parts.push({ type: "cli-result", id, name, output, isError });
      }
    }
  }

  /** A run that was left at a stop sequence was cancelled by that, and has stopped as it was asked to. */
  private async resultOf(failure: Failure | undefined): Promise<RunResult> {
    const result = await this.run.outcome();
    if (failure !== undefined) return { ...result, finish: "error", failure };
    const finish = this.text.isStopped ? "stop" : answeredFinish(result);
    if (finish === undefined) return result;
    const { failure: ended, ...answer } = result;
    return { ...answer, finish, ...(finish !== "stop" && { text: ended?.partialText ?? "" }) };
  }

  private *rest(result: RunResult): Generator<AnswerPart> {
    const isGood = result.failure === undefined && !this.text.isStopped;
    const whole = this.isObject && isGood ? this.text.push("object", jsonOf(result)) : "";
    const text = whole + this.text.end();
    if (text !== "") yield { type: "text", text };
    if (isGood) {
      for (const call of result.hostCalls ?? []) yield { type: "host-call", call };
      for (const call of result.invalidCalls ?? []) yield { type: "invalid-call", call };
    }
    const { stopSequence } = this.text;
    yield { type: "end", result, ...(stopSequence !== undefined && { stopSequence }) };
  }
}

/** Joins text to the part before it, if that has the same type. */
function addText(parts: AnswerPart[], type: "text" | "reasoning", text: string): void {
  if (text === "") return;
  const last = parts.at(-1);
  if (last?.type === type) parts[parts.length - 1] = { type, text: last.text + text };
  else parts.push({ type, text });
}

/** The finish of a run that failed, but whose failure is an answer in the APIs of doors: a refusal, and a text that was cut at its limit. */
function answeredFinish({ finish, failure }: RunResult): "content-filter" | "length" | undefined {
  if (failure?.code === "refused") return "content-filter";
  const isCut = finish === "length" && failure?.code === "output-truncated" && failure.partialText !== undefined;
  return isCut ? "length" : undefined;
}

/** The structured value as JSON; without one, because the model called a tool, the text. */
function jsonOf({ object, text }: RunResult): string {
  return object === undefined ? text : JSON.stringify(object);
}
