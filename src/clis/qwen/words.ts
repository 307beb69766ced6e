import { numberOf, objectOf } from "../../dialects/json-access.ts";
import type { JsonObject } from "../../spec/json.ts";

/** A text whose end, or whole, is what Qwen Code says itself where the model should speak. */
export type OwnWords = {
  /** What the model had said before. */
  readonly before: string;
  readonly words: string;
  /** Whether they tell of an error of the API. */
  readonly isApiError: boolean;
};

const API_ERROR = "[API Error: ";
const API_ERROR_WORDS =
  /^\[API Error: .*\](?:\n(?:Possible quota limitations in place or slow response times detected\.|Please wait and try again later\.).*)?$/s;
const COMMAND_WORDS = /^The command "\/.*" is not supported in this mode\.$/s;
const EMPTY_ANSWER = "[API Error: Model stream ended with empty response text.]";

/** Finds the CLI's own words by their form alone; whether they are its own depends on the other signs too. */
export function findOwnWords(text: string): OwnWords | undefined {
  if (COMMAND_WORDS.test(text)) return { before: "", words: text, isApiError: false };
  const from = text.lastIndexOf(API_ERROR);
  const words = from === -1 ? "" : text.slice(from);
  return API_ERROR_WORDS.test(words) ? { before: text.slice(0, from), words, isApiError: true } : undefined;
}

/** Whether the other sign holds: nothing was counted for the message, or it is the sentence for an empty answer, which was. */
export function isUncounted(message: JsonObject, words: string): boolean {
  const usage = objectOf(message["usage"]);
  return (
    words === EMPTY_ANSWER || ((numberOf(usage?.["input_tokens"]) ?? 0) === 0 && (numberOf(usage?.["output_tokens"]) ?? 0) === 0)
  );
}

/** The tool by which the model gives a structured answer. */
const OBJECT_TOOL = "structured_output";

/** What a `result` line of Claude's says of a turn that failed with these words. */
export function toClaudeError(words: string, lastTool: string | undefined): JsonObject {
  // A model that repeats an object against its schema is stopped by the guard against loops (recording soalwaysbad of 0.24.4).
  const isUnmetSchema = lastTool === OBJECT_TOOL && words.startsWith("Loop detection halted the run");
  return {
    is_error: true,
    result: words,
    api_error_status: statusOfWords(words) ?? null,
    ...(isUnmetSchema && { subtype: "error_max_structured_output_retries" }),
  };
}

/** The HTTP status that begins the words. */
function statusOfWords(words: string): number | undefined {
  const match = /^\[API Error: (\d{3})\b/.exec(words);
  return match === null ? undefined : Number(match[1]);
}
