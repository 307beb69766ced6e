import { createFailure, type Failure, thrownMessage } from "../spec/failure/failure.ts";
import { RunError } from "../spec/failure/run-error.ts";
import type { RunRequest } from "../spec/request.ts";
import type { RunResult, RunWarning } from "../spec/result.ts";
import type { RunStream } from "../spec/stream.ts";
import type { RunEvent } from "../spec/wire/events.ts";
import { AnswerFacts, type Answering, type AnswerPart, addText, callsOf } from "./answer-part.ts";
import { GrowingJson } from "./growing-json.ts";
import { ShownText } from "./shown-text.ts";
import { answeredResult, joinText, stoppedResult, WholeAnswer } from "./whole-answer.ts";

export type DoorReading = {
  /** The sequences before which the answer ends. */
  readonly stop?: readonly string[];
  /** The request of the run, for an estimate of its tokens if a stop sequence ends it. */
  readonly asked?: RunRequest;
  /** True if nothing is passed on before the end, so that an attempt that failed leaves no trace. */
  readonly isWhole?: boolean;
  /** True if the answer is one JSON value: its text comes at once, when it is valid. */
  readonly isObject?: boolean;
  /** True if its text comes while it is written. Then a value that is corrected fails with `stream-diverged`. */
  readonly showsPartials?: boolean;
  /** True if the value so far comes as a part before its text. */
  readonly partialObjects?: boolean;
  /** Tools of the CLIs that only carry the JSON value; their calls are no parts. */
  readonly objectTools?: readonly string[];
  /** True if a refusal and a text that was cut at its limit are answers, as in the APIs of vendors; by default they are failures. */
  readonly acceptsCut?: boolean;
  /** Sees the events of tools before their parts are passed on, those of sub-agents too. */
  readonly onTool?: (event: ToolReport) => Promise<void>;
};

/** An event about a tool that has its arguments. */
export type ToolReport = Extract<RunEvent, { type: "tool-call" | "tool-end" | "tool-reset" }>;

type Parts = readonly AnswerPart[];

/**
 * Reads a run for a door, which cannot take back what it has sent. Parts come in batches; adjacent text of one batch is one part. Nothing
 * throws: a failure is in the result of the last part. Leaving the iteration early cancels the run.
 */
export class AnswerReader implements AsyncIterable<Parts> {
  private readonly run: RunStream;
  private readonly reading: DoorReading;
  private readonly text: ShownText;
  private readonly json = new GrowingJson();
  private readonly whole: WholeAnswer | undefined;
  private readonly facts: AnswerFacts;
  private readonly source: AsyncIterator<Parts>;
  private first: Promise<IteratorResult<Parts>> | undefined;

  constructor(run: RunStream, reading: DoorReading = {}) {
    this.run = run;
    this.reading = reading;
    this.text = new ShownText(reading.stop ?? []);
    this.facts = new AnswerFacts(reading.objectTools);
    this.whole = reading.isWhole === true ? new WholeAnswer() : undefined;
    this.source = this.read();
  }

  get answering(): Answering {
    return this.facts.answering;
  }

  /** The fields of the request that the answering provider does not support and left out. */
  get ignored(): readonly string[] {
    return this.facts.ignored;
  }

  get warnings(): readonly RunWarning[] {
    return this.facts.warnings;
  }

  /** Waits for the first part; returns the result of a run that ended without any other part. Nothing is lost to the iteration. */
  async begun(): Promise<RunResult | undefined> {
    this.first ??= this.source.next();
    const { value } = await this.first;
    const [part] = (value ?? []) as Parts;
    return part?.type === "end" ? part.result : undefined;
  }

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
    for await (const batch of onTool === undefined ? this.run.batches() : reported(this.run, onTool)) {
      const parts: AnswerPart[] = [];
      failure = failureIn(() => {
        for (const event of joinText(batch)) if (event.parentToolId === undefined) this.readEvent(event, parts);
      });
      if (parts.length > 0) yield parts;
      // Leaving the loop cancels the run.
      if (failure !== undefined || this.text.isStopped) break;
    }
    yield this.rest(await this.resultOf(failure));
  }

  private readEvent(event: RunEvent, parts: AnswerPart[]): void {
    const { isObject = false, showsPartials = false, partialObjects = false } = this.reading;
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
        if (event.isPartial !== true || this.whole !== undefined) return;
        if (partialObjects) parts.push({ type: "partial-object", object: event.object });
        if (showsPartials) addText(parts, "text", this.text.push("object", this.json.grow(event.object)));
        return;
      default: {
        const part = this.facts.see(event);
        if (part === undefined) return;
        if (this.whole === undefined) parts.push(part);
        else this.whole.add(part);
      }
    }
  }

  /** A run that was left at a stop sequence was cancelled by that, if it had not ended, and has stopped as it was asked to. */
  private async resultOf(failure: Failure | undefined): Promise<RunResult> {
    const result = await this.run.outcome();
    if (failure !== undefined) return { ...result, finish: "error", failure };
    if (this.text.isStopped) return stoppedResult(result, this.reading.asked);
    return this.reading.acceptsCut === true ? answeredResult(result) : result;
  }

  private rest(result: RunResult): Parts {
    if (result.failure !== undefined) return this.failedEnd(result);
    const parts: AnswerPart[] = [];
    const shown = this.whole?.parts(this.reading.stop ?? []);
    if (shown !== undefined) parts.push(...shown.parts);
    const failure = failureIn(() => {
      if (this.reading.isObject === true) addText(parts, "text", this.text.push("object", this.jsonOf(result)));
    });
    if (failure !== undefined) return this.failedEnd({ ...result, finish: "error", failure });
    addText(parts, "text", this.text.end());
    const stopSequence = this.text.stopSequence ?? shown?.stopSequence;
    if (stopSequence !== undefined)
      return [...parts, { type: "end", result: stoppedResult(result, this.reading.asked), stopSequence }];
    return [...parts, ...callsOf(result), { type: "end", result }];
  }

  private failedEnd(result: RunResult): Parts {
    const parts: AnswerPart[] = [];
    addText(parts, "text", this.text.end());
    return [...parts, { type: "end", result }];
  }

  /** The structured value as JSON; without one, because the model called a tool, the text. */
  private jsonOf({ object, text }: RunResult): string {
    return object === undefined ? text : this.json.end(object);
  }
}

/** The batches of a run, cut before each report, which is made when the events before it have been passed on. */
async function* reported(run: RunStream, onTool: (event: ToolReport) => Promise<void>): AsyncGenerator<readonly RunEvent[]> {
  for await (const batch of run.batches()) {
    let passed = 0;
    for (const [index, event] of batch.entries()) {
      if (!isToolReport(event)) continue;
      if (index > passed) yield batch.slice(passed, index);
      passed = index;
      await onTool(event);
    }
    yield batch.slice(passed);
  }
}

function isToolReport(event: RunEvent): event is ToolReport {
  const { type } = event;
  return type === "tool-call" || type === "tool-end" || type === "tool-reset";
}

/** The failure of an answer that began again with another text than had been shown. */
function failureIn(read: () => void): Failure | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return RunError.is(error) ? error.failure : createFailure("unclassified", thrownMessage(error));
  }
}
