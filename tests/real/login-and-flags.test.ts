import { describe, expect, it, onTestFinished } from "vitest";
import { type Client, type ClientOptions, createClient } from "../../src/index.ts";
import { describeRange } from "../../src/spec/provider/cli-data.ts";
import { type Provider, withSpawn } from "../../src/spec/provider/provider.ts";
import pins from "../support/real-clis/pinned-clis.json" with { type: "json" };
import { eventsOf, type OpenRealCli, openRealCli } from "./open-real-cli.ts";

const NONE = { oldest: "", newest: "" };
const KEYS = { claude: "ANTHROPIC_API_KEY", codex: "CODEX_API_KEY" } as const;
/** This Codex has a model_provider that reads its key from a variable, so a login does not help. */
const REMEDIES = {
  claude: { fixCommand: "claude auth login" },
  codex: { message: expect.stringContaining(KEYS.codex), hint: expect.stringContaining("Set this variable") },
} as const;

describe.each(["claude", "codex"] as const)("the login and the flags of real %s", (name) => {
  it(`${name} without a login fails as not-logged-in with what mends it, and no model request is sent`, async () => {
    const cli = await openRealCli(name);
    const { [KEYS[name]]: _key, ...env } = cli.env;
    const run = await cli.run({ prompt: "Hello" }, { client: anotherClient(cli, { env }) });
    expect(run.failure).toMatchObject({ category: "authentication", code: "not-logged-in", ...REMEDIES[name] });
    expect(cli.api.modelRequests).toEqual([]);
  });

  it(`${name} does not get a key of the environment when only its own login may be used`, async () => {
    const cli = await openRealCli(name);
    const run = await cli.run({ prompt: "Hello", auth: "subscription" });
    expect(run.failure).toMatchObject({ category: "authentication", code: "not-logged-in" });
    expect(cli.api.modelRequests).toEqual([]);
  });

  it(`${name} is not started when the required API key is missing`, async () => {
    const cli = await openRealCli(name);
    const client = anotherClient(cli, { env: { ...cli.env, [KEYS[name]]: undefined } });
    const run = await cli.run({ prompt: "Hello", auth: "api-key" }, { client });
    expect(run.failure).toMatchObject({ category: "authentication", code: "not-logged-in" });
    expect(run.failure?.hint).toContain(KEYS[name]);
    expect(run.events).toHaveLength(2);
  });

  it(`an unknown flag of ${name} is reported with the version found and the versions checked`, async () => {
    const cli = await openRealCli(name);
    const client = anotherClient(cli, { providers: [withFlag(cli.provider, "--no-such-flag")] });
    const run = await cli.run({ prompt: "Hello" }, { client });
    expect(run.failure).toMatchObject({ category: "configuration", code: "unknown-option", shouldRetry: false });
    expect(run.failure?.message).toBe(
      `${cli.provider.label} ${pins[name].version} does not accept --no-such-flag; checked with ${describeRange(cli.provider.versionsChecked ?? NONE)}.`,
    );
    expect(eventsOf(run, "session-start")).toEqual([]);
    expect(cli.api.requests).toEqual([]);
  });

  it(`the installed version of ${name} is a checked one`, async () => {
    const cli = await openRealCli(name);
    expect(cli.provider.versionsChecked?.newest).toBe(pins[name].version);
  });
});

function anotherClient(cli: OpenRealCli, options: ClientOptions): Client {
  const client = createClient({ policies: false, env: cli.env, providers: [cli.provider], ...options });
  onTestFinished(() => client.close());
  return client;
}

function withFlag(provider: Provider, flag: string): Provider {
  const { launch } = provider.transports.spawn;
  return withSpawn(provider, {
    launch(request, options) {
      const parts = launch(request, options);
      const [first = "", ...rest] = parts.args;
      return { ...parts, args: [first, flag, ...rest] };
    },
  });
}
