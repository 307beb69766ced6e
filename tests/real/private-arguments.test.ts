import { expect, it } from "vitest";
import type { FakeAnswer } from "../../src/testing/index.ts";
import { describePrivateArguments } from "./matrix/describe-private-arguments.ts";
import { openRealCli } from "./open-real-cli.ts";

const asText = (object: object): FakeAnswer => ({ kind: "text", text: JSON.stringify(object) });

describePrivateArguments("claude", "StructuredOutput");
describePrivateArguments("qwen", "structured_output");
describePrivateArguments("codex", asText);
// Grok Build takes a schema only as an argument.
describePrivateArguments("grok");

it("a schema that claude would drop without a word ends the run before the model has answered", async () => {
  const cli = await openRealCli("claude");
  const run = await cli.run({ prompt: "Hello", outputSchema: { type: "object", "x-order": ["a"] } });
  expect(run.failure).toMatchObject({ category: "validation", code: "schema-unreadable" });
  expect(run.events.map(({ type }) => type)).toContain("attempt-start");
  expect(run.result.text).toBe("");
});
