import type { JsonValue } from "../spec/json.ts";
import type { HostCall, InvalidCall } from "../spec/message.ts";
import type { RunResult } from "../spec/result.ts";

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
  /** The caller must make the call. */
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

/** The parts of the calls that a result leaves to the caller. */
export function callsOf({ hostCalls = [], invalidCalls = [] }: RunResult): readonly AnswerPart[] {
  return [
    ...hostCalls.map((call) => ({ type: "host-call", call }) as const),
    ...invalidCalls.map((call) => ({ type: "invalid-call", call }) as const),
  ];
}
