import { expect, it, onTestFinished } from "vitest";
import { builtinProviders } from "../../src/clis/index.ts";
import { type Client, createClient } from "../../src/index.ts";
import { startFakeModelApi } from "../../src/testing/index.ts";
import { agentRequest } from "../support/real-clis/agent-request.ts";
import type { CliName } from "../support/real-clis/rows/cli-row.ts";
import { CONNECTION_CASES, plantCodexProvider, plantSettings } from "./connections/cases.ts";
import { type OpenRealCli, openRealCli } from "./open-real-cli.ts";
import { openProxy } from "./proxies.ts";
import { runningProcesses } from "./running-processes.ts";

it.each(CONNECTION_CASES)(
  "a completion of real $cli goes where its user's settings say: $setting",
  async ({ cli: name, plant, env, target: given, credential, model, refused }) => {
    const { cli, second, client } = await openWithSecond(name, env);
    const shown: string[] = [];
    second.answerWith(() => {
      const lines = runningProcesses().map(({ command }) => command.join(" "));
      if (credential !== undefined) shown.push(...lines.filter((line) => line.includes(credential)));
      return { kind: "text", text: "From the second endpoint." };
    });
    plant({ home: cli.home, first: cli.api.url, second: second.url });
    const target = given ?? cli.row.target;
    const run = await cli.run({ prompt: "Hello", timeouts: { totalMs: 40_000 } }, { client, target });
    if (refused !== undefined) {
      const failure = { code: "cli-misconfigured", message: expect.stringContaining(refused) };
      expect(run.failure).toMatchObject(failure);
      expect([...cli.api.requests, ...second.requests]).toEqual([]);
      expect(await client.check(target)).toMatchObject({ usable: false, failures: [failure] });
      return;
    }
    expect([run.failure, run.result.text]).toEqual([undefined, "From the second endpoint."]);
    expect(cli.api.modelRequests).toEqual([]);
    const asked = second.modelRequests.map(({ headers, path, rawBody }) => ({ headers: JSON.stringify(headers), path, rawBody }));
    expect(asked).toHaveLength(1);
    if (credential !== undefined) expect(asked[0]?.headers).toContain(credential);
    if (model !== undefined) expect(`${asked[0]?.path} ${asked[0]?.rawBody}`).toContain(model);
    expect(asked[0]?.rawBody).not.toMatch(/HOOK-OF-THE-USER/);
    expect(shown).toEqual([]);
    const planned = client.plan(target, { prompt: "Hello" });
    expect(planned).toHaveProperty("plan");
    if (credential !== undefined) expect(JSON.stringify(planned)).not.toContain(credential);
  },
);

it.each([
  {
    cli: "glm",
    setting: "env of Claude Code's settings.json",
    file: ".claude/settings.json",
    settings: (proxy: string) => ({ env: { HTTPS_PROXY: proxy, ANTHROPIC_BASE_URL: "https://other.invalid" } }),
    env: {},
    host: "api.z.ai:443",
  },
  {
    cli: "copilot",
    setting: "proxyUrl of settings.json",
    file: ".copilot/settings.json",
    settings: (proxy: string) => ({ proxyUrl: proxy }),
    env: { COPILOT_PROVIDER_BASE_URL: "https://model.invalid/v1" },
    host: "model.invalid:443",
  },
] as const)("a completion of real $cli uses the proxy of its user's settings: $setting", async ({ cli: name, ...given }) => {
  const { cli, client } = await openWithSecond(name, given.env);
  const proxy = await openProxy(cli.api.url);
  plantSettings(cli.home, given.file, given.settings(proxy.url));
  const stop = new AbortController();
  const run = cli.run({ prompt: "Hello" }, { client, context: { signal: stop.signal } });
  await expect.poll(() => proxy.asked, { timeout: 60_000 }).toContain(given.host);
  stop.abort();
  await run;
  expect(new Set(proxy.asked)).toEqual(new Set([given.host]));
});

it.each(["spawn", "resident"] as const)(
  "an agent of real codex by %s asks for the model of its user's config.toml",
  async (transport) => {
    const { cli, second, client } = await openWithSecond("codex", { COMPANY_KEY: "key-of-the-company" });
    plantCodexProvider(cli.home, second.url);
    const run = await cli.run(agentRequest(cli), { client, target: { provider: "codex", transport } });
    expect(run.failure).toBeUndefined();
    expect(JSON.parse(second.modelRequests[0]?.rawBody ?? "{}")).toMatchObject({ model: "gateway-model" });
  },
);

it.each([
  ["its key in the environment", "not-needed", { COMPANY_KEY: "key-of-the-company" }],
  ["no key", "logged-out", {}],
] as const)(
  "real codex without a login and with a model_provider of its user, and %s, is reported as %s",
  async (_what, state, env) => {
    const { cli, second, client } = await openWithSecond("codex", { CODEX_API_KEY: undefined, ...env });
    plantCodexProvider(cli.home, second.url);
    expect(await client.check("codex")).toMatchObject({ usable: state === "not-needed", login: { state } });
  },
);

/** A CLI with the built-in provider, since that of its row may name its endpoint by arguments, and a second fake API. */
async function openWithSecond(
  name: CliName,
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<{
  readonly cli: OpenRealCli;
  readonly second: Awaited<ReturnType<typeof startFakeModelApi>>;
  readonly client: Client;
}> {
  const cli = await openRealCli(name);
  const second = await startFakeModelApi(cli.row.protocol);
  const client = createClient({ policies: false, env: { ...cli.env, ...env }, providers: builtinProviders, warm: false });
  onTestFinished(async () => {
    await client.close();
    await second.close();
  });
  return { cli, second, client };
}
