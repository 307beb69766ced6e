import { createFailure } from "../spec/create-failure.ts";
import type { RunEvent } from "../spec/events.ts";
import type { Failure } from "../spec/failure.ts";
import type { RunResult } from "../spec/result.ts";
import { RunError } from "../spec/run-error.ts";
import type { RunStream } from "../spec/stream.ts";
import { thrownMessage } from "../spec/thrown.ts";
import type { AnswerPart } from "./answer-part.ts";
import { ShownText } from "./shown-text.ts";
import { WholeAnswer } from "./whole-answer.ts";

/** The target that answers, as far as it is known; `attempt` counts from 1, and 0 means that no attempt began. */
export type Answering = {
  readonly provider?: string;
  readonly model?: string;
  readonly attempt: number;
  readonly isWarm: boolean;
};

/** How an answer is read. */
export type AnswerReading = {
  /** The sequences before which the answer ends. */
  readonly stop?: readonly string[];
  /** True if the answer is one JSON value: its text comes at once, when it is valid. */
  readonly isObject?: boolean;
  /** True if the value so far comes before that. */
  readonly partialObjects?: boolean;
  /** True if nothing is passed on before the end, so that an attempt that failed leaves no trace. */
  readonly isWhole?: boolean;
  /** Sees the events of tools before their parts are passed on, those of sub-agents too. */
  readonly onTool?: (event: Extract<RunEvent, { type: "tool-call" | "tool-end" }>) => Promise<void>;
};

type Parts = readonly AnswerPart[];

/**
 * Reads a run for a door, which cannot take back what it has sent. Parts come in batches; adjacent text of one batch is one part. Nothing
 * throws: a failure is in the result of the last part. Leaving the iteration early cancels the run.
 */
export class AnswerReader implements AsyncIterable<Parts> {
  private readonly run: RunStream;
  private readonly reading: AnswerReading;
  private readonly text: ShownText;
  private readonly whole: WholeAnswer | undefined;
  private readonly source: AsyncIterator<Parts>;
  private first: Promise<IteratorResult<Parts>> | undefined;
  private now: Answering = { attempt: 0, isWarm: false };
  /** The ids of calls that the CLI makes itself and that have not ended. */
  private readonly open = new Set<string>();

  constructor(run: RunStream, reading: AnswerReading = {}) {
    this.run = run;
    this.reading = reading;
    this.text = new ShownText(reading.stop ?? []);
    this.whole = reading.isWhole === true ? new WholeAnswer() : undefined;
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

  /** Reads all parts and the result. */
  async all(): Promise<{ readonly parts: Parts; readonly result: RunResult }> {
    const all: AnswerPart[] = [];
    for await (const parts of this) all.push(...parts);
    const end = all.at(-1);
    return { parts: all, result: end?.type === "end" ? end.result : await this.run.outcome() };
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
    const { onTool } = this.reading;
    let failure: Failure | undefined;
    for await (const batch of this.run.batches()) {
      if (onTool !== undefined) for (const event of batch) if (isOfTool(event)) await onTool(event);
      const parts: AnswerPart[] = [];
      failure = this.readBatch(batch, parts);
      if (parts.length > 0) yield parts;
      // Leaving the loop cancels the run.
      if (failure !== undefined || this.text.isStopped) break;
    }
    yield this.rest(await this.resultOf(failure));
  }

  /** Adds the parts of a batch; returns the failure of an answer that began again with another text. */
  private readBatch(batch: readonly RunEvent[], parts: AnswerPart[]): Failure | undefined {
    try {
      for (const event of batch) if (event.parentToolId === undefined) this.readEvent(event, parts);
      return undefined;
    } catch (error) {
      return RunError.is(error) ? error.failure : createFailure("unclassified", thrownMessage(error));
    }
  }

  private readEvent(event: RunEvent, parts: AnswerPart[]): void {
    const { isObject = false, partialObjects = false } = this.reading;
    switch (event.type) {
      case "text-delta":
        if (isObject) return;
        if (this.whole !== undefined) return this.whole.push("text", event.messageId, event.text);
        return addText(parts, "text", this.text.push(event.messageId, event.text));
      case "reasoning-delta":
        if (this.whole !== undefined) return this.whole.push("reasoning", event.messageId, event.text);
        return addText(parts, "reasoning", event.text);
      case "text-reset":
        return this.whole === undefined ? this.text.reset(event.messageId) : this.whole.forget(event);
      case "retry":
      case "fallback":
        return this.whole?.forget(event);
      case "object-delta":
        if (partialObjects && event.isPartial === true) parts.push({ type: "partial-object", object: event.object });
        return;
      case "tool-call":
      case "tool-end":
        return this.readTool(event, parts);
      default:
        this.noteTarget(event);
    }
  }

  private readTool(event: Extract<RunEvent, { type: "tool-call" | "tool-end" }>, parts: AnswerPart[]): void {
    const add = (part: AnswerPart): void => (this.whole === undefined ? void parts.push(part) : this.whole.add(part));
    const { id, name } = event;
    if (event.type === "tool-call") {
      if (event.executor === "host") return;
      this.open.add(id);
      add({ type: "cli-call", id, name, input: event.input });
    } else if (this.open.delete(id)) add({ type: "cli-result", id, name, output: event.output, isError: event.isError });
  }

  private noteTarget(event: RunEvent): void {
    if (event.type === "attempt-start") {
      const { provider, model, attempt, warm } = event;
      this.now = { provider, ...(model !== undefined && { model }), attempt, isWarm: warm };
    } else if (event.type === "session-start" && event.model !== undefined) this.now = { ...this.now, model: event.model };
  }

  /** A run that was left at a stop sequence was cancelled by that, if it had not ended, and has stopped as it was asked to. */
  private async resultOf(failure: Failure | undefined): Promise<RunResult> {
    const result = await this.run.outcome();
    if (failure !== undefined) return { ...result, finish: "error", failure };
    return this.text.isStopped ? stopped(result) : result;
  }

  private rest(result: RunResult): Parts {
    if (result.failure !== undefined)
      return [...textParts(this.whole === undefined ? this.text.end() : ""), { type: "end", result }];
    const shown = this.whole?.parts(this.reading.stop ?? []);
    const object = this.reading.isObject === true && !this.text.isStopped ? this.text.push("object", jsonOf(result)) : "";
    const parts = [...(shown?.parts ?? []), ...textParts(object + this.text.end())];
    if (this.text.isStopped || shown?.isStopped === true) return [...parts, { type: "end", result: stopped(result) }];
    return [
      ...parts,
      ...(result.hostCalls ?? []).map((call) => ({ type: "host-call", call }) as const),
      ...(result.invalidCalls ?? []).map((call) => ({ type: "invalid-call", call }) as const),
      { type: "end", result },
    ];
  }
}

function isOfTool(event: RunEvent): event is Extract<RunEvent, { type: "tool-call" | "tool-end" }> {
  return event.type === "tool-call" || event.type === "tool-end";
}

/** The result of an answer that ended at a stop sequence; what the model wrote behind it, calls included, is not part of it. */
function stopped({ failure: _, hostCalls: __, invalidCalls: ___, ...result }: RunResult): RunResult {
  return { ...result, finish: "stop" };
}

function textParts(text: string): readonly AnswerPart[] {
  return text === "" ? [] : [{ type: "text", text }];
}

/** Joins text to the part before it, if that has the same type. */
function addText(parts: AnswerPart[], type: "text" | "reasoning", text: string): void {
  if (text === "") return;
  const last = parts.at(-1);
  if (last?.type === type) parts[parts.length - 1] = { type, text: last.text + text };
  else parts.push({ type, text });
}

/** The structured value as JSON; without one, because the model called a tool, the text. */
function jsonOf({ object, text }: RunResult): string {
  return object === undefined ? text : JSON.stringify(object);
}
