import { isDeepStrictEqual } from "node:util";
import { Allow, parse } from "partial-json";
import type { FittedSchema } from "../schemas/fit-schema.ts";
import { isJsonObject, isTooDeep, type JsonObject, type JsonValue, parseJson } from "../spec/json.ts";
import { removeNulls } from "./read-object.ts";
import { BraceCount } from "./scan-json.ts";

type PartialRules = {
  /** True if the answer may also be a call of host tools, which is no value. */
  readonly hasTools: boolean;
  readonly outputSchema: JsonObject;
  readonly native?: FittedSchema | undefined;
};

/** A value is read again when its text has grown by this part, so that all readings together are linear in the text. */
const GROWTH = 1 / 8;

/** The library reads about six characters in a microsecond, in one piece: a longer text would hold up the event loop. */
const LONGEST = 256 * 1024;

/** The beginning of a value at the beginning of a line, also of the first line in a fence, by the type of the value. */
const STARTS: Readonly<Record<string, RegExp>> = { object: /(?:^|\n)[ \t]*\{/, array: /(?:^|\n)[ \t]*\[/ };
const ANY_START = /(?:^|\n)[ \t]*[{[]/;

/** How much of a line is kept to know that it has begun with something else. */
const LINE_START = 80;

/**
 * The structured answer so far, while its text streams in. Each value continues the one before it, until a text of another source begins
 * a new one. A text that is not JSON gives none.
 */
export class PartialObject {
  private readonly rules: PartialRules;
  private readonly start: RegExp;
  private source: string | undefined;
  private text = "";
  private brackets = new BraceCount();
  private state: "before" | "within" | "complete" | "over" = "before";
  /** The length of the text when it was last read. */
  private read = 0;
  private last: JsonValue | undefined;

  constructor(rules: PartialRules) {
    this.rules = rules;
    const type = rules.native?.isWrapped === true ? "object" : rules.outputSchema["type"];
    this.start = STARTS[String(type)] ?? ANY_START;
  }

  /** Adds a piece of a message or of a tool's input; a piece of another one begins a new value. */
  push(source: string, piece: string): void {
    if (source !== this.source) this.begin(source);
    if (this.state === "within") this.take(piece);
    else if (this.state === "before") this.seek(piece);
  }

  forget(source: string): void {
    if (source === this.source) this.begin(undefined);
  }

  /** The value so far, if it has grown since the last one. */
  next(): JsonValue | undefined {
    const isComplete = this.state === "complete";
    if (!isComplete && (this.state !== "within" || this.text.length < this.read * (1 + GROWTH))) return undefined;
    this.read = this.text.length;
    const given = isComplete ? parseJson(this.text) : parsePartial(this.text);
    const isWrong = given === undefined || this.isCall(given);
    const value = isWrong ? undefined : this.unwrap(given);
    const isSound = value === undefined || continues(value, this.last);
    if (isComplete || isWrong || !isSound) this.giveUp();
    if (value === undefined || !isSound || isEmpty(value) || isDeepStrictEqual(value, this.last)) return undefined;
    this.last = value;
    return value;
  }

  private begin(source: string | undefined): void {
    this.source = source;
    this.text = "";
    this.brackets = new BraceCount();
    this.state = "before";
    this.read = 0;
    this.last = undefined;
  }

  private seek(piece: string): void {
    const text = this.text + piece;
    const start = this.start.exec(text);
    this.text = start === null ? text.slice(text.lastIndexOf("\n") + 1).slice(0, LINE_START) : "";
    if (start === null) return;
    this.state = "within";
    this.take(text.slice(start.index + start[0].length - 1));
  }

  private take(piece: string): void {
    if (this.text.length + piece.length > LONGEST) return this.giveUp();
    this.text += piece.slice(0, this.brackets.take(piece));
    if (this.brackets.isLost) this.giveUp();
    else if (this.brackets.isComplete) this.state = "complete";
  }

  private giveUp(): void {
    this.state = "over";
    this.text = "";
  }

  private isCall(value: JsonValue): boolean {
    return this.rules.hasTools && isJsonObject(value) && ("mark" in value || "tool_calls" in value);
  }

  private unwrap(given: JsonValue): JsonValue | undefined {
    const { native, outputSchema } = this.rules;
    const value = native?.isWrapped === true ? (isJsonObject(given) ? given["value"] : undefined) : given;
    return value === undefined || native?.hasNulls !== true ? value : removeNulls(value, outputSchema);
  }
}

function isEmpty(value: JsonValue): boolean {
  return value === "" || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
}

/** True if a value has everything of the one before it: strings may be longer, lists and objects may have more. */
function continues(value: JsonValue, before: JsonValue | undefined): boolean {
  if (typeof value === "string") return before === undefined || (typeof before === "string" && value.startsWith(before));
  // The library reads `NaN` and `Infinity`, which JSON does not have.
  if (typeof value === "number" && !Number.isFinite(value)) return false;
  if (Array.isArray(value)) {
    if (before !== undefined && !(Array.isArray(before) && before.length <= value.length)) return false;
    return value.every((item, at) => continues(item, (before as readonly JsonValue[] | undefined)?.[at]));
  }
  if (!isJsonObject(value)) return before === undefined || value === before;
  if (before !== undefined && !(isJsonObject(before) && Object.keys(before).every((key) => Object.hasOwn(value, key))))
    return false;
  return Object.entries(value).every(([key, item]) => {
    const earlier = before !== undefined && Object.hasOwn(before, key) ? (before as JsonObject)[key] : undefined;
    return continues(item, earlier);
  });
}

/** A number or a word may go on, so it counts only when it is complete; a string is shown as far as it goes. */
const MAY_BE_CUT = Allow.STR | Allow.OBJ | Allow.ARR;

/** Half of a character outside the basic plane, as it is or as an escape, with the beginning of the other half. */
const CUT_CHARACTER = /(?:[\ud800-\udbff]|\\ud[89ab][\da-f]{2})(?:\\(?:u[\da-f]{0,3})?)?$/i;

/** A key by which the library would change the prototype of an object. */
const PROTOTYPE_KEY = /__proto__|\\u005f/i;

/**
 * The value of the beginning of a JSON object or array. Incomplete strings are part of it; other incomplete values are left out. Undefined
 * if the text has no value yet. The caller must check that the text is JSON so far, because the library also accepts other text.
 */
export function parsePartial(text: string): JsonValue | undefined {
  if (PROTOTYPE_KEY.test(text) || isTooDeep(text)) return undefined;
  try {
    return parse(text.replace(CUT_CHARACTER, ""), MAY_BE_CUT) as JsonValue;
  } catch {
    return undefined;
  }
}
