import type { JsonValue } from "../spec/json.ts";
import type { RunResult } from "../spec/result.ts";
import type { HostCall, InvalidCall } from "../spec/tool.ts";

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
  /** The last part; the result has a failure if the run failed. */
  | { readonly type: "end"; readonly result: RunResult };

/** Joins text to the part before it, if that has the same type. */
export function addText(parts: AnswerPart[], type: "text" | "reasoning", text: string): void {
  if (text === "") return;
  const last = parts.at(-1);
  if (last?.type === type) parts[parts.length - 1] = { type, text: last.text + text };
  else parts.push({ type, text });
}

/** The parts behind the text of a run: the calls that the caller must make, and the result. */
export function* endOf(result: RunResult, hasCalls: boolean): Generator<AnswerPart> {
  if (hasCalls) {
    for (const call of result.hostCalls ?? []) yield { type: "host-call", call };
    for (const call of result.invalidCalls ?? []) yield { type: "invalid-call", call };
  }
  yield { type: "end", result };
}

/** The structured value as JSON; without one, because the model called a tool, the text. */
export function jsonOf({ object, text }: RunResult): string {
  return object === undefined ? text : JSON.stringify(object);
}
