import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { codex as provider } from "../../../../src/clis/codex/provider.ts";
import { type Provider, type Transport, withSpawn } from "../../../../src/spec/provider/provider.ts";
import type { CliRow } from "./cli-row.ts";

/** Codex. */
export const codex: CliRow = {
  name: "codex",
  pin: "codex",
  protocol: "openai-responses",
  providerAt: codexAt,
  env: ({ home }) => ({ CODEX_HOME: join(home, ".codex"), CODEX_API_KEY: "fake-key-of-the-suite" }),
  key: "CODEX_API_KEY",
  prepare: ({ home }) => void mkdirSync(join(home, ".codex"), { recursive: true }),
  target: "codex",
  // Codex offers a plain shell tool only to this model.
  agentTarget: "codex/gpt-5.5",
  shellCall: (command) => ({ name: "exec_command", input: { cmd: command } }),
};

/** Codex takes its endpoint only from its configuration, so the same launch gets a model provider of the suite. */
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
  return withSettings(settings);
}

/** Codex with its built-in service, whose retries no setting changes, at another address. */
export function builtInCodexAt(url: string): Provider {
  return withSettings([`openai_base_url="${url}/v1"`]);
}

function withSettings(settings: readonly string[]): Provider {
  const { spawn, resident } = provider.transports;
  const configured = (launch: Transport["launch"]): Transport["launch"] => {
    return (request, options) => {
      const parts = launch(request, options);
      const [subcommand = "exec", ...rest] = parts.args;
      return { ...parts, args: [subcommand, ...settings.flatMap((setting) => ["-c", setting]), ...rest] };
    };
  };
  const spawned = withSpawn(provider, { launch: configured(spawn.launch) });
  if (resident === undefined) return spawned;
  return {
    ...spawned,
    transports: { ...spawned.transports, resident: { ...resident, launch: configured(resident.launch) } },
  };
}
