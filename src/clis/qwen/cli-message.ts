import type { KnownError } from "../../dialects/claude/claude-turn.ts";
import { type JsonObject, numberOf, objectOf } from "../../spec/json.ts";
import type { Fault } from "../../spec/wire/wire.ts";

/** A text that ends with, or consists of, a message of Qwen Code itself instead of the model. */
export type CliMessage = {
  /** The model's text before it. */
  readonly before: string;
  readonly text: string;
  readonly isApiError: boolean;
};

const API_ERROR = "[API Error: ";
const API_ERROR_TEXT =
  /^\[API Error: .*\](?: \(Press Ctrl\+Y to retry\))?(?:\n(?:Possible quota limitations in place or slow response times detected\.|Please wait and try again later\.).*)?$/s;
const COMMAND_TEXT = /^The command "\/.*" is not supported in this mode\.$/s;
const EMPTY_ANSWER = "[API Error: Model stream ended with empty response text.]";

/** Finds a CLI message by its form alone; other signs decide whether it is one. */
export function findCliMessage(block: string): CliMessage | undefined {
  if (COMMAND_TEXT.test(block)) return { before: "", text: block, isApiError: false };
  const from = block.lastIndexOf(API_ERROR);
  const text = from === -1 ? "" : block.slice(from);
  return API_ERROR_TEXT.test(text) ? { before: block.slice(0, from), text, isApiError: true } : undefined;
}

/** Whether a message that has the form of a CLI message is one: it has no token counts, or it is the sentence for an empty answer, which has them. */
export function isUncounted(message: JsonObject, text: string): boolean {
  const usage = objectOf(message["usage"]);
  return (
    text === EMPTY_ANSWER || ((numberOf(usage?.["input_tokens"]) ?? 0) === 0 && (numberOf(usage?.["output_tokens"]) ?? 0) === 0)
  );
}

/** The tool with which the model gives a structured answer. */
const OBJECT_TOOL = "structured_output";

/** The error of a turn that failed with this message. */
export function toKnownError(text: string, lastTool: string | undefined): KnownError {
  // The loop guard stops a model that repeats an object that does not match its schema (recording soalwaysbad of 0.24.4).
  const isUnmetSchema = lastTool === OBJECT_TOOL && text.startsWith("Loop detection halted the run");
  return { text, status: statusOf(text), ...(isUnmetSchema && { kind: "error_max_structured_output_retries" }) };
}

/** The fault of an error that was reported as one, in the words of the other output formats. */
export function toApiError(details: string): Fault {
  const message = `[API Error: ${details}]`;
  const status = statusOf(message);
  return { message, ...(status !== undefined && { status }) };
}

/** The HTTP status at the start of the message. */
function statusOf(text: string): number | undefined {
  const match = /^\[API Error: (\d{3})\b/.exec(text);
  return match === null ? undefined : Number(match[1]);
}
