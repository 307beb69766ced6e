import { expect, it } from "vitest";
import { claude } from "../../src/clis/claude/provider.ts";
import { qwen } from "../../src/clis/qwen/provider.ts";
import { createClient } from "../../src/index.ts";
import type { Provider } from "../../src/spec/provider/provider.ts";
import { describeSchemas, SCHEMA_CLIS } from "./matrix/describe-schemas.ts";
import { openRealCli } from "./open-real-cli.ts";

for (const cli of Object.values(SCHEMA_CLIS)) describeSchemas(cli);

// The reason for the dialects: without them these CLIs refuse the whole schema. A CLI that is stricter than its dialect is met the same way.
it.each([
  ["claude", claude],
  ["qwen", qwen],
] as const)("a schema that %s refuses goes by text, with a warning", async (name, { schemaDialect: _, ...provider }) => {
  const cli = await openRealCli(name, { kind: "text", text: '{"at":["a"]}' });
  const client = createClient({ providers: [provider satisfies Provider], env: cli.env, policies: false, warm: false });
  const outputSchema = { type: "object", properties: { at: { type: "array", prefixItems: [{ type: "string" }] } } };
  const run = await cli.run({ prompt: "Ulm?", outputSchema }, { client });
  await client.close();
  expect(run.failure).toBeUndefined();
  expect(run.result).toMatchObject({ object: { at: ["a"] }, warnings: [{ code: "schema-by-text" }] });
  expect(cli.api.modelRequests.at(-1)?.rawBody).toContain("[Answer Format]");
});

it("what strict mode cannot express goes to codex by text", async () => {
  const cli = await openRealCli("codex", { kind: "text", text: '{"Ulm":128928}' });
  const outputSchema = { type: "object", additionalProperties: { type: "integer" } };
  const run = await cli.run({ prompt: "Ulm?", outputSchema });
  expect(run.result.object).toEqual({ Ulm: 128_928 });
  const { text } = JSON.parse(cli.api.modelRequests[0]?.rawBody ?? "{}");
  expect(text?.format?.type).not.toBe("json_schema");
});

it("an optional key is null in the schema of codex, and absent in the object", async () => {
  const cli = await openRealCli("codex", { kind: "text", text: '{"city":"Ulm","people":null}' });
  const properties = { city: { type: "string" }, people: { type: "integer" } };
  const run = await cli.run({ prompt: "Ulm?", outputSchema: { type: "object", properties, required: ["city"] } });
  expect(run.result).toMatchObject({ object: { city: "Ulm" }, text: '{"city":"Ulm"}' });
  const { text } = JSON.parse(cli.api.modelRequests[0]?.rawBody ?? "{}");
  expect(text.format).toMatchObject({
    strict: true,
    schema: {
      properties: { people: { type: ["integer", "null"] } },
      required: ["city", "people"],
      additionalProperties: false,
    },
  });
});
