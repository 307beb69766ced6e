import { expect, it, onTestFinished } from "vitest";
import { createClient } from "../../src/index.ts";
import { grok } from "../support/real-clis/rows/grok.ts";
import { grokVibe } from "../support/real-clis/rows/grok-vibe.ts";
import { describeCli } from "./matrix/describe-cli.ts";
import { describeSessions } from "./matrix/describe-sessions.ts";
import { openRealCli } from "./open-real-cli.ts";

describeCli(grok);
describeSessions(grok);

it.each([
  ["grok", "grok-vibe", grok, '"1.0.1"'],
  ["grok-vibe", "grok", grokVibe, '"grok 1.0.41'],
] as const)("%s is not confused with %s, which has the same command", async (name, other, row, calls) => {
  const cli = await openRealCli(other);
  const provider = row.providerAt(cli.api.url);
  const client = createClient({
    policies: false,
    env: { ...cli.env, [row.key]: "fake-key-of-the-suite" },
    providers: [provider],
  });
  onTestFinished(() => client.close());
  const { failure } = await cli.run({ prompt: "Hello" }, { client, target: name });
  expect(failure).toMatchObject({ category: "not_found", code: "cli-missing", fixCommand: provider.install });
  expect(failure?.message).toContain(calls);
  expect(cli.api.modelRequests).toEqual([]);
});
