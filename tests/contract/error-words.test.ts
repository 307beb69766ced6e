import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { classifyError, type ErrorClassification } from "../../src/index.ts";

/** The parts of an error of a case. */
type CaseInput =
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "object"; readonly value: unknown }
  | { readonly kind: "error"; readonly value: Readonly<Record<string, unknown>> };

/** Only the keys of `expect` are compared; a `resetAt` of null means that there is none. */
type ErrorCase = {
  readonly name: string;
  readonly input: CaseInput;
  readonly now?: string;
  readonly timeZone?: string;
  readonly expect: Readonly<Record<string, unknown>>;
};

const folder = new URL("error-words/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".json"));

test("the corpus of error texts is not empty", () => {
  expect(files.length).toBeGreaterThan(0);
});

describe.for(files)("%s", (file) => {
  const cases: readonly ErrorCase[] = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
  // test.for shortens a title, and a shortened name does not find its case.
  for (const { name, input, now = "2026-11-16T12:00:00.000Z", timeZone = "UTC", expect: expected } of cases) {
    test(name, () => {
      const error = toError(input);
      const actual = classifyError(error, { now: new Date(now), timeZone });
      expect(pick(actual, expected)).toStrictEqual(expected);
      expect(actual.originalError).toBe(error);
    });
  }
});

function toError(input: CaseInput): unknown {
  if (input.kind !== "error") return input.value;
  const { message, ...fields } = input.value;
  return Object.assign(new Error(String(message ?? "")), fields);
}

function pick(actual: ErrorClassification, expected: ErrorCase["expect"]): object {
  return Object.fromEntries(Object.keys(expected).map((key) => [key, Reflect.get(actual, key) ?? null]));
}
