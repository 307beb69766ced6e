import { jsonrepair } from "jsonrepair";
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "../spec/json.ts";
import { type JsonExtent, scanJson, skeletonOf } from "./scan-json.ts";
import type { Sliced } from "./slices.ts";

/** What was read: a value, a value that was cut off, or none. `end` is the offset up to which the text was scanned. */
export type JsonReading =
  | { readonly kind: "value"; readonly value: JsonValue; readonly end: number; readonly missingClosers: boolean }
  | { readonly kind: "cut" | "unreadable" | "too-large"; readonly end: number };

/** How many closing brackets may be missing: none, or those of a tool call envelope (object, array, call). */
export type Forgiveness = "none" | "envelope";

const ENVELOPE = ["{", "[", "{"];

/** Reads the object or array at `start`: strictly, then repaired. A value that was cut off is never completed. */
export function* readJson(
  text: string,
  start: number,
  forgiveness: Forgiveness = "none",
  limit: number = text.length,
): Sliced<JsonReading> {
  const extent = yield* scanJson(text, start, limit);
  if (extent.isTooLarge) return { kind: "too-large", end: extent.end };
  if (extent.isTangled) return { kind: "unreadable", end: extent.end };
  const source = text.slice(start, extent.end);
  if (!extent.isCut) {
    const value = parseJson(source) ?? repair(source, extent);
    return value === undefined
      ? { kind: "unreadable", end: extent.end }
      : { kind: "value", value, end: extent.end, missingClosers: false };
  }
  if (forgiveness === "none" || !isOnlyEnvelopeOpen(extent) || /[,:]\s*$/.test(source.slice(-200)))
    return { kind: "cut", end: extent.end };
  const value = repair(source, extent);
  return value === undefined ? { kind: "cut", end: extent.end } : { kind: "value", value, end: extent.end, missingClosers: true };
}

/** Reads the object in a string such as `{"a":1}`: strictly, then repaired. */
export function* readJsonObject(text: string): Sliced<JsonObject | undefined> {
  const trimmed = text.trim();
  if (!trimmed.startsWith("{")) return undefined;
  const reading = yield* readJson(trimmed, 0);
  return reading.kind === "value" && isJsonObject(reading.value) && trimmed.slice(reading.end).trim() === ""
    ? reading.value
    : undefined;
}

function isOnlyEnvelopeOpen({ isInString, open }: JsonExtent): boolean {
  return !isInString && open.length <= ENVELOPE.length && open.every((opener, index) => opener === ENVELOPE[index]);
}

/** What jsonrepair would have to guess: ellipses, sums, constructors, half numbers, quotes in a string that are not escaped. */
const GUESSWORK = /\.\.\.|…|\+|\w\s*\(|-(?!\d)|\d\.(?!\d)|\b0\d|""\w|\w""/;
const LONGEST_REPAIR = 128 * 1024;
/** `jsonrepair` takes quadratic time: about 20 ms for 8,000 characters outside strings that all need a repair. */
const LONGEST_SKELETON = 8_000;

/** jsonrepair turns any prose into a string, so only objects and arrays count. Text that needs a guess is not repaired. */
function repair(source: string, { hasDoubtfulString }: JsonExtent): JsonValue | undefined {
  if (hasDoubtfulString || source.length > LONGEST_REPAIR) return undefined;
  const skeleton = skeletonOf(source, LONGEST_SKELETON);
  if (skeleton === undefined || GUESSWORK.test(skeleton)) return undefined;
  try {
    const value = parseJson(jsonrepair(source));
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
