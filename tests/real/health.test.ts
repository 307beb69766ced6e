import { expect, it, onTestFinished } from "vitest";
import { createClient } from "../../src/index.ts";
import { CLI_ROWS, type CliName } from "../support/real-clis/rows/index.ts";
import { openRealCli } from "./open-real-cli.ts";

const NAMES = Object.keys(CLI_ROWS) as readonly CliName[];

// Both checks at once start the CLI once for its version.
it.each(NAMES)(
  "real %s is found in a checked version without a model request, and answers the one of a deep check",
  async (name) => {
    const cli = await openRealCli(name);
    const check = (deep: boolean) => cli.client.check(cli.row.target, { timeoutMs: 60_000, deep, deepTimeoutMs: 60_000 });
    const [report, asked] = await Promise.all([check(false), check(true)]);
    expect(report).toMatchObject({ usable: true, failures: [], warnings: [] });
    expect(report).not.toHaveProperty("deep");
    expect(report.version).toBe(cli.provider.versionsChecked?.newest);
    expect(report.login.state).not.toBe("logged-out");
    expect(asked).toMatchObject({ usable: true, deep: { answered: true }, login: { state: "logged-in" } });
    expect(cli.api.modelRequests).toHaveLength(1);
  },
);

it.each(["claude", "codex"] as const)("real %s itself reports that there is no login", async (name) => {
  const cli = await openRealCli(name);
  const env = { ...cli.env, [cli.row.key]: undefined };
  const client = createClient({ env, providers: [cli.provider] });
  onTestFinished(() => client.close());
  const report = await client.check(name, { timeoutMs: 60_000, deep: true });
  expect(report).toMatchObject({
    usable: false,
    login: { state: "logged-out", by: "command", keys: [] },
    failures: [{ code: "not-logged-in", fixCommand: cli.provider.login }],
  });
  expect(cli.api.modelRequests).toEqual([]);
});

it.each([
  { name: "codex", model: "gpt-6.1-sol", least: 9 },
  { name: "opencode", model: "opencode/big-pickle", least: 5 },
  { name: "copilot", model: "claude-sonnet-5.5", least: 20 },
  { name: "grok", model: "grok-4.6", least: 2 },
] as const)("real $name lists its models without a model request", async ({ name, model, least }) => {
  const cli = await openRealCli(name);
  const report = await cli.client.listModels(name, { timeoutMs: 60_000 });
  expect(report).toMatchObject({ source: "cli", models: expect.arrayContaining([model]) });
  expect(report.failure).toBeUndefined();
  expect(report.models.length).toBeGreaterThanOrEqual(least);
  expect(cli.api.modelRequests).toEqual([]);
});
