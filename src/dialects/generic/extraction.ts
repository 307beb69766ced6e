import { amountOf, defined, type JsonObject, type JsonValue, listOf, numberOf, objectOf, stringOf } from "../../spec/json.ts";
import type { Usage } from "../../spec/wire/usage.ts";
import type { Fault } from "../../spec/wire/wire.ts";
import { readReportedUsage, toUsage } from "../kit/counts.ts";

/**
 * The fields of a CLI without a wire of its own: paths such as `data.reply` or `choices.0.text`; the first that
 * leads to a value counts.
 */
export type ExtractionRules = {
  /** The answer, or a piece of it; checked before the usual fields. */
  readonly content?: readonly string[];
  readonly error?: readonly string[];
  readonly sessionId?: readonly string[];
  readonly inputTokens?: readonly string[];
  readonly outputTokens?: readonly string[];
  /** Fields of the line that ends a turn, such as `{ "type": "done" }`; a run without that line has failed. */
  readonly end?: Readonly<Record<string, string | number | boolean>>;
};

/** The text at the first path that leads to a string. */
export function extractText(value: JsonObject, paths: readonly string[] | undefined): string | undefined {
  return first(paths, (path) => stringOf(valueAt(value, path)));
}

/** The tokens that an object reports, at the paths of the rules or in the usual fields of the APIs. */
export function extractUsage(value: JsonObject, rules: ExtractionRules): Usage | undefined {
  const countAt = (path: string) => amountOf(valueAt(value, path));
  const named = toUsage(first(rules.inputTokens, countAt), first(rules.outputTokens, countAt));
  return named ?? readReportedUsage(value["usage"]);
}

/** The error that an object reports, or undefined when it reports none. */
export function extractFault(value: JsonObject, rules: ExtractionRules): Fault | undefined {
  const error = value["error"];
  const details = objectOf(error) ?? value;
  const isError = ["error", "turn.failed"].includes(String(value["type"])) || value["is_error"] === true || Boolean(error);
  const named = extractText(value, rules.error);
  if (named === undefined && !isError) return undefined;
  const message = named ?? extractText(value, ["error.message", "error", "message", "result", "content"]);
  const kind = stringOf(details["code"]) ?? stringOf(objectOf(error)?.["type"]);
  const status = first(["status", "statusCode", "code"], (path) => numberOf(valueAt(details, path)));
  return {
    message: message ?? "The CLI reported an error without a message.",
    ...defined({ kind, status }),
    event: value,
  };
}

/** Whether the rules define a line as the end of a turn. */
export function isNamedEnd(value: JsonObject, { end }: ExtractionRules): boolean {
  return end !== undefined && Object.entries(end).every(([field, wanted]) => valueAt(value, field) === wanted);
}

function valueAt(value: JsonValue, path: string): JsonValue | undefined {
  let at: JsonValue | undefined = value;
  for (const key of path.split(".")) {
    if (Array.isArray(at)) at = /^\d+$/.test(key) ? at[Number(key)] : undefined;
    else at = at !== undefined && Object.hasOwn(objectOf(at) ?? {}, key) ? objectOf(at)?.[key] : undefined;
  }
  return at;
}

function first<Found>(paths: readonly string[] = [], read: (path: string) => Found | undefined): Found | undefined {
  for (const path of paths) {
    const found = read(path);
    if (found !== undefined) return found;
  }
  return undefined;
}

const DIRECT_FIELDS = ["content", "text", "response", "message", "output", "result"] as const;
const TEXT_BLOCKS: readonly (JsonValue | undefined)[] = [undefined, "text", "output_text"];

/**
 * The answer in a JSON object of unknown format: a string in one of the usual fields, then text blocks, then the
 * nested shapes of the APIs, in this order; undefined when there is none.
 */
export function contentOf(value: JsonObject): string | undefined {
  for (const field of DIRECT_FIELDS) if (typeof value[field] === "string") return value[field];
  const message = objectOf(value["message"]);
  return (
    textOf(value["content"]) ??
    textOf(objectOf(objectOf(listOf(value["choices"])[0])?.["message"])?.["content"]) ??
    textOf(message?.["content"]) ??
    stringOf(message?.["text"])
  );
}

/** A string unchanged, or the joined text blocks of a list; undefined for anything else and for a list without text blocks. */
export function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === "string") return value;
  const texts = listOf(value).flatMap((block) => {
    const { type, text } = objectOf(block) ?? {};
    return typeof text === "string" && TEXT_BLOCKS.includes(type) ? [text] : [];
  });
  return texts.length === 0 ? undefined : texts.join("");
}
