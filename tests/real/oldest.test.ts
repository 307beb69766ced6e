import { expect, it } from "vitest";
import { oldestClaude, oldestQwen } from "./clis/oldest.ts";
import { describeAnswers } from "./matrix/describe-answers.ts";
import { describeObjects } from "./matrix/describe-objects.ts";
import { describeOwnTools } from "./matrix/describe-own-tools.ts";
import { describePrivateArguments } from "./matrix/describe-private-arguments.ts";
import { describeSchemas } from "./matrix/describe-schemas.ts";
import { openRealCli } from "./open-real-cli.ts";
import pins from "./pinned-clis.json" with { type: "json" };
import { useOldest } from "./use-oldest.ts";

// A smoke set; nightly/oldest.test.ts has the rest.
useOldest();

it.each(["claude", "qwen"] as const)("the oldest supported %s is installed here, and is a checked version", async (name) => {
  const cli = await openRealCli(name);
  const { version, warnings } = await cli.client.validateEnvironment(name, { timeoutMs: 60_000 });
  expect([version, warnings]).toEqual([pins[name].oldest, []]);
  expect(cli.provider.versionsChecked?.oldest).toBe(pins[name].oldest);
});

for (const row of [oldestClaude, oldestQwen]) {
  describeAnswers(row);
  describeObjects(row);
  describeOwnTools(row);
}

describePrivateArguments("claude", "StructuredOutput");
describePrivateArguments("qwen", "structured_output");

describeSchemas({ name: "claude", answer: (input) => ({ kind: "tool-calls", calls: [{ name: "StructuredOutput", input }] }) });
describeSchemas({ name: "qwen", answer: (input) => ({ kind: "tool-calls", calls: [{ name: "structured_output", input }] }) });
