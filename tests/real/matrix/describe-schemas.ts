import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { JsonObject, JsonValue } from "../../../src/spec/json.ts";
import type { RunInput } from "../../../src/spec/request.ts";
import type { FakeAnswer } from "../../../src/testing/index.ts";
import type { RealCli } from "../../support/real-clis/real-cli.ts";
import type { CliName } from "../../support/real-clis/rows/cli-row.ts";
import { openRealCli, type RealRun } from "../open-real-cli.ts";

/** A CLI with a schema option, and the model's answer with an object. */
export type SchemaCli = { readonly name: CliName; readonly answer: (object: JsonObject) => FakeAnswer };

const UUID = "3f0c2c9e-9d53-4a52-8a6e-0a6f4f1d2c3b";

type Case = {
  readonly what: string;
  readonly schema: RunInput["outputSchema"];
  /** What the model says; below `value` if the schema is no object. */
  readonly said: JsonObject;
  readonly object: JsonValue;
};

const ADDRESS = { street: "A 1", "x-ui": { widget: "map" } };
const CASES: readonly Case[] = [
  {
    what: "formats",
    schema: z.object({ mail: z.email(), page: z.url(), id: z.uuid(), day: z.iso.date(), at: z.iso.datetime() }),
    said: { mail: "a@b.org", page: "https://b.org", id: UUID, day: "2026-02-28", at: "2026-02-28T10:00:00Z" },
    object: { mail: "a@b.org", page: "https://b.org", id: UUID, day: "2026-02-28", at: "2026-02-28T10:00:00Z" },
  },
  {
    what: "a tuple",
    schema: z.object({ at: z.tuple([z.string(), z.number()]) }),
    said: { at: ["a", 1] },
    object: { at: ["a", 1] },
  },
  {
    what: "keywords that only people know",
    schema: {
      type: "object",
      properties: {
        a: { type: "string", example: "q", "x-ui": ADDRESS },
        b: { nullable: true, anyOf: [{ type: "string" }, { type: "number" }] },
      },
      required: ["a", "b"],
      additionalProperties: false,
      discriminator: { propertyName: "a" },
      dependentRequired: { a: ["b"] },
    },
    said: { a: "x", b: null },
    object: { a: "x", b: null },
  },
  { what: "a list", schema: z.array(z.email()), said: { value: ["a@b.org"] }, object: ["a@b.org"] },
  {
    what: "a union",
    schema: z.discriminatedUnion("k", [z.object({ k: z.literal("a"), mail: z.email() }), z.object({ k: z.literal("b") })]),
    said: { value: { k: "b" } },
    object: { k: "b" },
  },
  {
    what: "a default",
    schema: {
      type: "object",
      properties: { city: { type: "string" }, unit: { type: "string", default: "C" } },
      required: ["city"],
    },
    said: { city: "Ulm" },
    object: { city: "Ulm", unit: "C" },
  },
];

/** The schemas of every run. */
const EVERY_TIME: readonly string[] = ["formats", "a union"];

/** The schemas that describeSchemas leaves to `npm run test:real -- --all`. */
export const OTHER_SCHEMAS: readonly string[] = CASES.map(({ what }) => what).filter((what) => !EVERY_TIME.includes(what));

/** The CLIs with a schema option. */
export const SCHEMA_CLIS: Readonly<Record<"claude" | "codex" | "grok" | "qwen", SchemaCli>> = {
  claude: { name: "claude", answer: (input) => ({ kind: "tool-calls", calls: [{ name: "StructuredOutput", input }] }) },
  qwen: { name: "qwen", answer: (input) => ({ kind: "tool-calls", calls: [{ name: "structured_output", input }] }) },
  codex: { name: "codex", answer: (object) => ({ kind: "text", text: JSON.stringify(object) }) },
  grok: { name: "grok", answer: (object) => ({ kind: "text", text: JSON.stringify(object) }) },
};

/** Ordinary schemas reach the model by the CLI's own option, and the value is the one of the caller's schema. */
export function describeSchemas({ name, answer }: SchemaCli, which: readonly string[] = EVERY_TIME): void {
  const cases = CASES.filter(({ what }) => which.includes(what));

  describe(`ordinary schemas on real ${name}`, () => {
    it.each(cases)(`$what: the schema reaches the model of ${name} by its option, and the object is valid`, async (one) => {
      const cli = await openRealCli(name, answer(one.said));
      const run = await runSchema(cli, one.schema);
      expect(run.failure).toBeUndefined();
      expect(run.result).toMatchObject({ object: one.object, finish: "stop", warnings: [] });
      expect(JSON.parse(run.result.text)).toEqual(one.object);
      const body = cli.api.modelRequests[0]?.rawBody ?? "";
      expect(body).toContain('"required"');
      expect(body).not.toContain("[Answer Format]");
    });

    if (which === EVERY_TIME)
      it(`a value that only the format refuses is sent back to the model of ${name}`, async () => {
        const cli = await openRealCli(name, [answer({ value: ["nobody"] }), answer({ value: ["a@b.org"] })]);
        const run = await runSchema(cli, { type: "array", items: { type: "string", format: "email" } });
        expect(run.failure).toBeUndefined();
        expect(run.result.object).toEqual(["a@b.org"]);
        expect(cli.api.modelRequests.length).toBeGreaterThan(1);
      });
  });
}

function runSchema(
  cli: RealCli & { run(request: never): Promise<RealRun> },
  outputSchema: RunInput["outputSchema"],
): Promise<RealRun> {
  return cli.run({ prompt: "Ulm?", outputSchema } as never);
}
