import type { JsonValue } from "../spec/json.ts";
import type { HostCall, InvalidCall } from "../spec/message.ts";
import { type RunResult, type RunWarning, toRunWarning } from "../spec/result.ts";
import type { RunEvent } from "../spec/wire/events.ts";

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
  /** The structured answer so far; it replaces the one before it. */
  | { readonly type: "partial-object"; readonly object: JsonValue }
  | { readonly type: "host-call"; readonly call: HostCall }
  /** The model called an unknown tool or gave wrong arguments; the call must not be made. */
  | { readonly type: "invalid-call"; readonly call: InvalidCall }
  | AnswerEnd;

/** The last part; the result has a failure if the run failed. `stopSequence` is the one at which the answer ended. */
export type AnswerEnd = { readonly type: "end"; readonly result: RunResult; readonly stopSequence?: string };

/** Joins text to the part before it, if that has the same type. */
export function addText(parts: AnswerPart[], type: "text" | "reasoning", text: string): void {
  if (text === "") return;
  const last = parts.at(-1);
  if (last?.type === type) parts[parts.length - 1] = { type, text: last.text + text };
  else parts.push({ type, text });
}

export function callsOf({ hostCalls = [], invalidCalls = [] }: RunResult): readonly AnswerPart[] {
  return [
    ...hostCalls.map((call) => ({ type: "host-call", call }) as const),
    ...invalidCalls.map((call) => ({ type: "invalid-call", call }) as const),
  ];
}

/** The target that answers, as far as it is known; `attempt` counts from 1, and 0 means that no attempt began. */
export type Answering = {
  readonly provider?: string;
  readonly model?: string;
  readonly attempt: number;
  readonly isWarm: boolean;
};

/** The results, as errors, of a call whose result was not seen and of one that was abandoned: doors must give every call a result. */
export const NO_RESULT = "The run ended before the result of this call was seen.";
export const NOT_MADE = "The call was abandoned and not made.";

/** What the events of a run say besides its text: which target answers, its warnings, and the tools that the CLI runs itself. */
export class AnswerFacts {
  answering: Answering = { attempt: 0, isWarm: false };
  readonly warnings: RunWarning[] = [];
  /** The fields of the request that a provider left out, by provider: it says so once, at its first attempt. */
  private readonly leftOut = new Map<string | undefined, string[]>();
  /** The names of the calls that the CLI makes itself and that have not ended, by id. */
  private readonly open = new Map<string, string>();
  private readonly hidden: readonly string[];

  /** The calls of the hidden tools are no parts. */
  constructor(hidden: readonly string[] = []) {
    this.hidden = hidden;
  }

  /** The fields of the request that the answering provider left out. */
  get ignored(): readonly string[] {
    return this.leftOut.get(this.answering.provider) ?? [];
  }

  /** Notes the event; returns the part of a tool that the CLI runs itself. */
  see(event: RunEvent): AnswerPart | undefined {
    switch (event.type) {
      case "attempt-start": {
        const { provider, model, attempt, warm } = event;
        this.answering = { provider, ...(model !== undefined && { model }), attempt, isWarm: warm };
        return undefined;
      }
      case "session-start":
        if (event.model !== undefined) this.answering = { ...this.answering, model: event.model };
        return undefined;
      case "warning":
        this.warnings.push(toRunWarning(event));
        if (event.setting !== undefined) this.leftOut.set(this.answering.provider, [...this.ignored, event.setting]);
        return undefined;
      case "tool-call":
        if (event.executor === "host" || this.hidden.includes(event.name)) return undefined;
        this.open.set(event.id, event.name);
        return { type: "cli-call", id: event.id, name: event.name, input: event.input };
      case "tool-end": {
        const { id, output, isError, synthetic } = event;
        return this.end(id, synthetic === true ? { output: NO_RESULT, isError: true } : { output, isError });
      }
      case "tool-reset":
        return this.end(event.id, { output: NOT_MADE, isError: true });
      default:
        return undefined;
    }
  }

  private end(id: string, result: { readonly output: JsonValue; readonly isError: boolean }): AnswerPart | undefined {
    const name = this.open.get(id);
    return this.open.delete(id) && name !== undefined ? { type: "cli-result", id, name, ...result } : undefined;
  }
}
