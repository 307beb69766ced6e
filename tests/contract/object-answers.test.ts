import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { finish } from "../../src/answers/slices.ts";
import { openReader } from "../../src/ask/open-reader.ts";
import type { JsonObject, JsonValue } from "../../src/spec/json.ts";

type Sample = {
  readonly name: string;
  /** The rule of docs/host-tools.md that decides. */
  readonly why: string;
  readonly schema: string;
  /** The model's whole answer. */
  readonly answer: string;
} & ({ readonly outcome: "value"; readonly value: JsonValue } | { readonly outcome: "problem" });

const file = new URL("./object-answers.json", import.meta.url);
const corpus: { readonly schemas: Readonly<Record<string, JsonObject>>; readonly answers: readonly Sample[] } = JSON.parse(
  readFileSync(file, "utf8"),
);
const valued = corpus.answers.filter((sample) => sample.outcome === "value");
const refused = corpus.answers.filter((sample) => sample.outcome === "problem");

test("the corpus has at least 60 answers, each with a unique name, and every schema is used", () => {
  expect(corpus.answers.length).toBeGreaterThanOrEqual(60);
  expect(new Set(corpus.answers.map(({ name }) => name)).size).toBe(corpus.answers.length);
  expect(new Set(corpus.answers.map(({ schema }) => schema))).toEqual(new Set(Object.keys(corpus.schemas)));
});

describe("an answer by text to a request with a schema", () => {
  test.for(valued)("$name gives its value", (sample) => {
    expect(read(sample)).toStrictEqual({ value: sample.value });
  });

  test.for(refused)("$name is a problem that can be reported", (sample) => {
    const reading = read(sample);
    if (!("problems" in reading)) throw new Error(`${sample.why}: ${JSON.stringify(reading)}`);
    expect(reading.problems.length).toBeGreaterThan(0);
    for (const problem of reading.problems) expect(problem).toMatch(/\S/);
  });
});

describe("the JSON text of a value of the corpus", () => {
  test.for(valued)("$name is the same value when it is sent back alone or in a fence", ({ name, why, schema, value }) => {
    const text = JSON.stringify(value, null, 2);
    for (const answer of [text, `\`\`\`json\n${text}\n\`\`\``])
      expect(read({ name, why, schema, answer, outcome: "value", value })).toStrictEqual({ value });
  });
});

function read({ schema, answer }: Sample): { readonly value: JsonValue } | { readonly problems: readonly string[] } {
  const outputSchema = corpus.schemas[schema];
  if (outputSchema === undefined) throw new Error(`there is no schema ${schema}`);
  const reading = openReader({ prompt: "Answer.", outputSchema }, {}).readText?.(answer);
  if (reading === undefined) throw new Error("the reader of a request with a schema reads text");
  return finish(reading);
}
