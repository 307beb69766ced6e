/** Any JSON value: requests, events and results consist of them. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

export type JsonObject = { readonly [key: string]: JsonValue };

/** True for a JSON object, false for null, arrays and all other values. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The most levels of objects and lists that a JSON text of a CLI or a model may have. Functions that walk a value by recursion,
 * such as JSON.stringify, overflow the stack at some thousands of levels; the callers' own functions may overflow sooner.
 */
export const DEEPEST_JSON = 1024;

/** The reader of stdout cuts output that is not JSON to this length, so that a piece of this length may be cut. */
export const LONGEST_NOISE = 65_536;

/** The value of a JSON text; undefined if the text is not JSON or has more than `DEEPEST_JSON` levels. */
export function parseJson(text: string): JsonValue | undefined {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** True if a JSON text has more than `DEEPEST_JSON` levels. Its time is linear, and short texts cost nothing. */
export function isTooDeep(text: string): boolean {
  // Each level has an opening and a closing bracket.
  return text.length > 2 * DEEPEST_JSON && hasManyOpenings(text) && countLevels(text) > DEEPEST_JSON;
}

/** `indexOf` is much faster than a loop over the characters, and nearly all lines have few brackets. */
function hasManyOpenings(text: string): boolean {
  let found = 0;
  for (const opening of ["{", "["]) {
    for (let at = text.indexOf(opening); at !== -1; at = text.indexOf(opening, at + 1)) {
      found += 1;
      if (found > DEEPEST_JSON) return true;
    }
  }
  return false;
}

const QUOTE = 34;
const BACKSLASH = 92;

/** The number of levels, counted up to the first that is too deep; brackets in strings do not count. */
function countLevels(text: string): number {
  let [depth, deepest] = [0, 0];
  for (let at = 0; at < text.length && deepest <= DEEPEST_JSON; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    // The codes of `[` and `{`, then of `]` and `}`.
    else if (code === 91 || code === 123) deepest = Math.max(deepest, ++depth);
    else if (code === 93 || code === 125) depth -= 1;
  }
  return deepest;
}

/** The offset of the closing quote of the string that begins at `from`; the end of the text if it has none. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return text.length;
}

export function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

/** The value as a list; anything else is an empty one. */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

export function stringOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The value as a finite number, or undefined when it is anything else. */
export function numberOf(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/**
 * The value as a token count or a cost, or undefined when it is no number. A negative or infinite number becomes NaN. NaN spreads
 * through sums, and the run leaves it out with a warning.
 */
export function amountOf(value: JsonValue | undefined): number | undefined {
  if (typeof value !== "number") return undefined;
  return value >= 0 && Number.isFinite(value) ? value : Number.NaN;
}

/** The value as text: a string as it is, anything else as JSON. */
export function nativeText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** An object without the fields that are undefined: those that can be are optional. */
export type Defined<Fields> = {
  readonly [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name];
} & { readonly [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined> };

/** The fields that have a value. */
export function defined<const Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;
}
