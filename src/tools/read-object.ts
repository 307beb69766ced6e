import { Lexer, type Tokens } from "marked";
import type { JsonValue } from "../spec/json.ts";
import { readJson } from "./read-json.ts";
import type { SchemaCheck } from "./validate-schema.ts";

/** The structured answer in a text, or what is wrong with it. */
export type ObjectReading = { readonly value: JsonValue } | { readonly problems: readonly string[] };

/** Finds the one JSON value of an answer (alone, in one fence, or among prose) and checks it. */
export function readObject(answer: string, check: SchemaCheck): ObjectReading {
  const values = findValues(answer);
  if (values === "cut") return { problems: ["The JSON value is not complete: it ends in the middle."] };
  const [first] = values;
  if (first === undefined) return { problems: ["There is no JSON value in the answer."] };
  const valid = values.filter((value) => check(value).length === 0);
  if (valid.length === 1 && valid[0] !== undefined) return { value: valid[0] };
  if (values.length > 1) return { problems: [`There must be one JSON value, but there are ${values.length}.`] };
  return { problems: check(first).map((problem) => `The JSON value does not match the schema: ${problem}.`) };
}

function findValues(answer: string): readonly JsonValue[] | "cut" {
  const whole = parsePlain(answer.trim());
  if (whole !== undefined) return [whole];
  const fences = Lexer.lex(answer).filter(
    (token): token is Tokens.Code => token.type === "code" && token.raw.trimStart().match(/^[`~]{3}/) !== null,
  );
  const fenced = fences.map(({ text }) => text.trim()).filter((text) => text !== "");
  if (fenced.length === 0) return valuesIn(answer);
  const read = fenced.map((text) => parsePlain(text) ?? valuesIn(text));
  if (read.includes("cut")) return "cut";
  return read.flatMap((values) => (Array.isArray(values) ? values : [values as JsonValue]));
}

/** A whole text that is strict JSON, plain values included. */
function parsePlain(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The objects and lists of a text, one after the other. */
function valuesIn(text: string): readonly JsonValue[] | "cut" {
  const values: JsonValue[] = [];
  for (let at = nextOpening(text, 0); at !== -1; at = nextOpening(text, at)) {
    const reading = readJson(text, at);
    if (reading.kind === "cut") return values.length > 0 ? values : "cut";
    if (reading.kind === "value") values.push(reading.value);
    at = reading.kind === "value" ? reading.end : at + 1;
  }
  return values;
}

function nextOpening(text: string, from: number): number {
  const index = text.slice(from).search(/[{[]/);
  return index === -1 ? -1 : from + index;
}
