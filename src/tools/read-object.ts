import { Lexer, type Tokens } from "marked";
import type { JsonValue } from "../spec/json.ts";
import { parseJson, readJson } from "./read-json.ts";
import type { SchemaCheck } from "./validate-schema.ts";

/** The structured answer in a text, or its problems. */
export type ObjectReading = { readonly value: JsonValue } | { readonly problems: readonly string[] };

/** Finds the one JSON value of an answer (alone, in one fence, or within prose) and validates it. */
export function readObject(answer: string, check: SchemaCheck): ObjectReading {
  const values = findValues(answer);
  if (values === "cut") return { problems: ["The JSON value is not complete: it ends in the middle."] };
  const [value] = values;
  if (value === undefined) return { problems: ["There is no JSON value in the answer."] };
  if (values.length > 1) return { problems: [`There must be one JSON value, but there are ${values.length}.`] };
  const problems = check(value);
  if (problems.length === 0) return { value };
  return { problems: problems.map((problem) => `The JSON value does not match the schema: ${problem}.`) };
}

function findValues(answer: string): readonly JsonValue[] | "cut" {
  const whole = readScalar(answer.trim());
  if (whole !== undefined) return [whole];
  const values: JsonValue[] = [];
  for (const token of Lexer.lex(answer)) {
    const isFence = token.type === "code" && /^\s*[`~]{3}/.test(token.raw);
    const text = isFence ? (token as Tokens.Code).text.trim() : token.raw;
    const scalar = isFence ? readScalar(text) : undefined;
    const found = scalar === undefined ? valuesIn(text) : [scalar];
    if (found === "cut") return valuesIn(answer);
    values.push(...found);
  }
  return values.length > 0 ? values : valuesIn(answer);
}

const PYTHON: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ["True", true],
  ["False", false],
  ["None", null],
]);

/** Parses a text that is one JSON value, plain values included; Python's words and single quotes are accepted. */
function readScalar(text: string): JsonValue | undefined {
  if (PYTHON.has(text)) return PYTHON.get(text);
  const quoted = /^'([^'\\\n]*)'$/.exec(text)?.[1];
  return quoted ?? parseJson(text);
}

/** The objects and arrays in a text, in order; "cut" when the text ends within one. */
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
