import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type Client, createClient } from "../../src/index.ts";
import { claude } from "../../src/providers/claude.ts";
import { codex } from "../../src/providers/codex.ts";
import type { Provider } from "../../src/spec/provider.ts";
import { type FakeAnswers, type FakeModelApi, startFakeModelApi } from "../../src/testing/index.ts";

/** The CLIs that are installed from npm for this suite. */
export type CliName = "claude" | "codex";

/** A real CLI as a user has it, with a home of its own, pointed at a fake model API. */
export type RealCli = AsyncDisposable & {
  readonly name: CliName;
  readonly client: Client;
  readonly api: FakeModelApi;
  /** The environment that the CLI inherits. */
  readonly env: Readonly<Record<string, string>>;
  /** The provider with what points it at the fake API. */
  readonly provider: Provider;
  /** A directory for agent mode. */
  readonly workspace: string;
  readonly home: string;
};

const BIN = join(import.meta.dirname, "../../.cache/real-clis/node_modules/.bin");

/** Prepares a real CLI; starts nothing but the fake API. */
export async function prepareRealCli(name: CliName, answers?: FakeAnswers): Promise<RealCli> {
  const api = await startFakeModelApi(name === "claude" ? "anthropic-messages" : "openai-responses", answers);
  const root = mkdtempSync(join(tmpdir(), "coxswain-real-"));
  const [home, workspace, temporary] = [join(root, "home"), join(root, "workspace"), join(root, "tmp")];
  for (const folder of [home, workspace, temporary, join(home, ".codex")]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(workspace, "package.json"), '{ "name": "SECRET-OF-THE-WORKSPACE" }\n');
  const env = {
    PATH: [BIN, join(import.meta.dirname, "../../node_modules/.bin"), "/usr/local/bin", "/usr/bin", "/bin"].join(delimiter),
    HOME: home,
    XDG_STATE_HOME: join(root, "state"),
    LANG: "C.UTF-8",
    // Claude keeps its tasks below a directory of its own in /tmp otherwise, and Codex warns about a home below TMPDIR.
    TMPDIR: temporary,
    CLAUDE_CODE_TMPDIR: temporary,
    // Root may bypass permissions only in a sandbox, and this suite runs in one.
    IS_SANDBOX: "1",
    ANTHROPIC_BASE_URL: api.url,
    ANTHROPIC_API_KEY: "sk-ant-fake-key-of-the-suite",
    CODEX_HOME: join(home, ".codex"),
    CODEX_API_KEY: "fake-key-of-the-suite",
  };
  const provider = providerAt(name, api.url);
  const client = createClient({ env, providers: [provider] });
  const dispose = async (): Promise<void> => {
    await client.close();
    await api.close();
    rmSync(root, { recursive: true, force: true });
  };
  return { name, client, api, env, provider, workspace, home, [Symbol.asyncDispose]: dispose };
}

/** The provider of a CLI with what points it at a fake API, where the environment alone does not. */
export function providerAt(name: CliName, url: string): Provider {
  return name === "claude" ? claude : codexAt(url);
}

/** Codex takes its endpoint from its configuration only, so the same launch gets a model provider of the suite. */
function codexAt(url: string): Provider {
  const settings = [
    'model_providers.fake.name="fake"',
    `model_providers.fake.base_url="${url}/v1"`,
    'model_providers.fake.env_key="CODEX_API_KEY"',
    'model_providers.fake.wire_api="responses"',
    "model_providers.fake.request_max_retries=0",
    "model_providers.fake.stream_max_retries=0",
    'model_provider="fake"',
  ];
  return {
    ...codex,
    launch(request, options) {
      const parts = codex.launch(request, options);
      const [subcommand = "exec", ...rest] = parts.args;
      return { ...parts, args: [subcommand, ...settings.flatMap((setting) => ["-c", setting]), ...rest] };
    },
  };
}
