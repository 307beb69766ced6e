import { createFailure } from "../spec/create-failure.ts";
import type { RunEvent } from "../spec/events.ts";
import type { Failure } from "../spec/failure.ts";
import type { RunResult, RunWarning } from "../spec/result.ts";
import { RunError } from "../spec/run-error.ts";
import type { RunStream } from "../spec/stream.ts";
import { AnswerFacts, type Answering } from "./answer-facts.ts";
import { type AnswerPart, addText, endOf, jsonOf } from "./answer-part.ts";
import { GrowingJson } from "./growing-json.ts";
import { ShownText } from "./shown-text.ts";

export type { Answering } from "./answer-facts.ts";
export type { AnswerPart } from "./answer-part.ts";

/** How an answer is read: up to which text, and whether it is one JSON value. */
export type AnswerReading = {
  readonly stop?: readonly string[];
  readonly isObject?: boolean;
  /** True: the JSON of a value is shown while it is written. Then a value that is corrected fails with `stream-diverged`. */
  readonly showsPartials?: boolean;
  /** Tools of the CLIs that only carry the JSON value; their calls are not shown. */
  readonly objectTools?: readonly string[];
};

type Parts = readonly AnswerPart[];
type TextEvent = Extract<RunEvent, { type: "text-delta" }>;

/**
 * Reads a run for a door, which cannot take back what it has sent. Parts come in batches; the text of one batch is one part. Nothing
 * throws: a failure is in the result of the last part. Leaving the iteration early cancels the run.
 */
export class AnswerReader implements AsyncIterable<Parts> {
  private readonly run: RunStream;
  private readonly text: ShownText;
  private readonly isObject: boolean;
  private readonly showsPartials: boolean;
  private readonly json = new GrowingJson();
  private readonly source: AsyncIterator<Parts>;
  private readonly facts: AnswerFacts;
  private first: Promise<IteratorResult<Parts>> | undefined;

  constructor(run: RunStream, { stop = [], isObject = false, showsPartials = false, objectTools }: AnswerReading = {}) {
    this.run = run;
    this.text = new ShownText(stop);
    this.isObject = isObject;
    this.showsPartials = showsPartials;
    this.facts = new AnswerFacts(objectTools);
    this.source = this.read();
  }

  /** The target of the attempt in progress. */
  get answering(): Answering {
    return this.facts.answering;
  }

  /** The warnings so far. */
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
    yield this.rest(await this.resultOf(failure));
  }

  /** Adds the parts of a batch; returns the failure of an answer that began again with another text. */
  private readBatch(batch: readonly RunEvent[], parts: AnswerPart[]): Failure | undefined {
    return failureIn(() => {
      for (let at = 0; at < batch.length; at += 1) {
        const event = batch[at];
        if (event?.type !== "text-delta") {
          if (event !== undefined) this.readEvent(event, parts);
          continue;
        }
        // The deltas of one message are joined first: a backlog has hundreds of them in a batch.
        const texts = [event.text];
        for (let next = batch[at + 1]; isSameText(next, event); next = batch[at + 1]) {
          texts.push(next.text);
          at += 1;
        }
        this.readText(event, texts.length === 1 ? event.text : texts.join(""), parts);
      }
    });
  }

  private readText({ messageId, parentToolId }: TextEvent, text: string, parts: AnswerPart[]): void {
    if (!this.isObject && parentToolId === undefined) addText(parts, "text", this.text.push(messageId, text));
  }

  private readEvent(event: RunEvent, parts: AnswerPart[]): void {
    if (event.parentToolId !== undefined) return;
    switch (event.type) {
      case "reasoning-delta":
        return addText(parts, "reasoning", event.text);
      case "object-delta":
        if (this.showsPartials && event.isPartial === true)
          addText(parts, "text", this.text.push("object", this.json.grow(event.object)));
        return;
      case "text-reset":
        return this.text.reset(event.messageId);
      default: {
        const part = this.facts.see(event);
        if (part !== undefined) parts.push(part);
      }
    }
  }

  /** A run that was left at a stop sequence was cancelled by that, and has stopped as it was asked to. */
  private async resultOf(failure: Failure | undefined): Promise<RunResult> {
    const result = await this.run.outcome();
    if (failure !== undefined) return { ...result, finish: "error", failure };
    if (!this.text.isStopped) return result;
    const { failure: _, ...stopped } = result;
    return { ...stopped, finish: "stop" };
  }

  private rest(result: RunResult): Parts {
    const isGood = result.failure === undefined && !this.text.isStopped;
    let text = "";
    const failure = failureIn(() => {
      if (this.isObject && isGood) text = this.text.push("object", this.wholeJson(result));
    });
    text += this.text.end();
    const ended: RunResult = failure === undefined ? result : { ...result, finish: "error", failure };
    return [...(text === "" ? [] : [{ type: "text" as const, text }]), ...endOf(ended, isGood && failure === undefined)];
  }

  private wholeJson(result: RunResult): string {
    return result.object === undefined ? jsonOf(result) : this.json.end(result.object);
  }
}

function isSameText(event: RunEvent | undefined, before: TextEvent): event is TextEvent {
  return event?.type === "text-delta" && event.messageId === before.messageId && event.parentToolId === before.parentToolId;
}

/** The failure of an answer that began again with another text than had been shown. */
function failureIn(read: () => void): Failure | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return RunError.is(error) ? error.failure : createFailure("unclassified", String(error));
  }
}
