import type { SchemaCheck } from "../schemas/compile-schema.ts";
import type { FittedSchema } from "../schemas/fit-schema.ts";
import { escapePointer } from "../schemas/subschemas.ts";
import { compileSchema } from "../schemas/validate-schema.ts";
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "../spec/json.ts";
import { nextFence, withPlainLineEnds } from "./fences.ts";
import { readJson } from "./read-json.ts";
import { scanJson } from "./scan-json.ts";
import { NextIndex, type Sliced, WorkLimit } from "./slices.ts";

export type ObjectReading = { readonly value: JsonValue } | { readonly problems: readonly string[] };

/** Finds the one JSON value of an answer (alone, in one fence, or within prose) and validates it. */
export function* readObject(answer: string, check: SchemaCheck): Sliced<ObjectReading> {
  const values = yield* findValues(answer);
  if (values === "too-complex") return { problems: ["The answer is too complex to be read."] };
  if (values === "cut") return { problems: ["The JSON value is not complete: it ends in the middle."] };
  const [value] = values;
  if (value === undefined) return { problems: ["There is no JSON value in the answer."] };
  if (values.length > 1) return { problems: [`There must be one JSON value, but there are ${values.length}.`] };
  const { value: valid, problems } = check(value);
  if (problems.length === 0) return { value: valid };
  return { problems: problems.map((problem) => `The JSON value does not match the schema: ${problem}.`) };
}

/** One value is wanted, so counting them goes no further. */
const MOST_VALUES = 100;

type FoundValues = readonly JsonValue[] | "cut";

function* findValues(answer: string): Sliced<FoundValues | "too-complex"> {
  try {
    return yield* findInBlocks(answer);
  } catch {
    return "too-complex";
  }
}

function* findInBlocks(answer: string): Sliced<FoundValues> {
  const trimmed = answer.trim();
  const whole = yield* readWhole(trimmed);
  if (whole !== undefined) return [whole];
  const text = yield* withPlainLineEnds(answer);
  const values: JsonValue[] = [];
  const work = new WorkLimit(text);
  for (let at = 0; at < text.length; ) {
    const fence = yield* nextFence(text, at);
    const before = yield* valuesIn(text.slice(at, fence?.start ?? text.length), work);
    const inside = fence === undefined ? [] : yield* valuesInFence(text.slice(fence.contentStart, fence.contentEnd).trim(), work);
    if (before === "cut" || inside === "cut") return yield* valuesIn(text, work);
    for (const value of [...before, ...inside]) values.push(value);
    at = fence?.end ?? text.length;
    yield;
  }
  return values.length > 0 ? values : yield* valuesIn(text, work);
}

function* valuesInFence(content: string, work: WorkLimit): Sliced<FoundValues> {
  const whole = content === "" ? undefined : yield* readWhole(content);
  return whole === undefined ? yield* valuesIn(content, work) : [whole];
}

const PYTHON: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ["True", true],
  ["False", false],
  ["None", null],
]);

/** Parses a text that is one JSON value, plain values included; Python's words and single quotes are accepted. */
function* readWhole(text: string): Sliced<JsonValue | undefined> {
  if (PYTHON.has(text)) return PYTHON.get(text);
  const quoted = /^'([^'\\\n]*)'$/.exec(text)?.[1];
  if (quoted !== undefined) return quoted;
  if (!/^[{[]/.test(text)) return parseJson(text);
  // The scan refuses values that take `JSON.parse` long.
  const extent = yield* scanJson(text, 0);
  return extent.isTooLarge || extent.end < text.length ? undefined : parseJson(text);
}

/** The objects and arrays in a text, in order; "cut" when the text ends within one. */
function* valuesIn(text: string, work: WorkLimit): Sliced<FoundValues> {
  const values: JsonValue[] = [];
  const openings = new NextIndex(text, /[{[]/g);
  for (let at = openings.at(0); at < text.length; at = openings.at(at)) {
    const reading = yield* readJson(text, at);
    work.spend(reading.end - at);
    if (reading.kind === "too-large") throw new RangeError("A value has too many parts.");
    if (reading.kind === "cut") return values.length > 0 ? values : "cut";
    if (reading.kind === "value") values.push(reading.value);
    if (values.length > MOST_VALUES) return values;
    at = reading.kind === "value" ? reading.end : at + 1;
    yield;
  }
  return values;
}

type NativeRules = {
  readonly check: SchemaCheck;
  readonly outputSchema?: JsonObject | undefined;
  readonly native?: FittedSchema | undefined;
};

/** Reads a value that a CLI reported: unwrapped, without the nulls that stand for absent keys, validated. */
export function readNativeObject(given: JsonValue, { check, outputSchema, native }: NativeRules): ObjectReading {
  const inner = native?.isWrapped === true && isJsonObject(given) ? given["value"] : given;
  const unwrapped = inner === undefined ? given : inner;
  const isClosed = native?.hasNulls === true && outputSchema !== undefined;
  const { value, problems } = check(isClosed ? removeNulls(unwrapped, outputSchema) : unwrapped);
  return problems.length === 0 ? { value } : { problems };
}

export function removeNulls(given: JsonValue, outputSchema: JsonObject): JsonValue {
  const { places } = compileSchema(outputSchema)(given);
  const refused = new Set(places);
  const prune = (value: JsonValue, place: string): JsonValue => {
    if (Array.isArray(value)) return value.map((item, at) => prune(item, `${place}/${at}`));
    if (!isJsonObject(value)) return value;
    const kept = Object.entries(value).flatMap(([name, item]): [string, JsonValue][] => {
      const below = `${place}/${escapePointer(name)}`;
      return item === null && refused.has(below) ? [] : [[name, prune(item, below)]];
    });
    return Object.fromEntries(kept);
  };
  return places.length === 0 ? given : prune(given, "");
}
