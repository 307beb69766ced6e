import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { opencode as provider } from "../../../../src/clis/opencode/provider.ts";
import type { MatrixRow } from "./matrix-row.ts";

const RETRIES = { reason: "No setting keeps it from trying again.", limitation: /tries a failing service/ };

/** OpenCode, with a model of an Anthropic-compatible service. */
export const opencode: MatrixRow = {
  name: "opencode",
  pin: "opencode",
  protocol: "anthropic-messages",
  providerAt: () => provider,
  env: ({ url }) => ({
    OPENCODE_CONFIG_CONTENT: JSON.stringify({
      provider: {
        fake: {
          npm: "@ai-sdk/anthropic",
          name: "Fake",
          options: { baseURL: `${url}/v1` },
          env: ["FAKE_API_KEY"],
          models: { "fake-model": { name: "Fake model", reasoning: true, limit: { context: 200_000, output: 32_000 } } },
        },
      },
    }),
    FAKE_API_KEY: "fake-key-of-the-suite",
    // Otherwise OpenCode downloads its list of models and the language servers.
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  }),
  key: "FAKE_API_KEY",
  // Otherwise an agent with plugins or tools waits for npm, which it cannot reach.
  prepare: ({ home }) => {
    const folder = join(home, ".config/opencode");
    mkdirSync(join(folder, "node_modules"), { recursive: true });
    writeFileSync(
      join(folder, "package-lock.json"),
      JSON.stringify({ packages: { "": { dependencies: { "@opencode-ai/plugin": "*" } } } }),
    );
  },
  target: "opencode/fake/fake-model",
  shellCall: (command) => ({ name: "bash", input: { command, description: "Runs a command" } }),
  shellName: "bash",
  // background.test.ts proves `bypass`.
  wholeShell: { mode: "dont-ask", allow: ["Bash"] },
  pure: {
    bytes: 700,
    system: (given = " ") => [new RegExp(`^${given}\\nYou are powered by the model named [^]*</env>$`)],
    heeds: ["SECRET-OF-PROJECT-AGENTS-MD", "SECRET-OF-USER-OPENCODE-AGENTS"],
  },
  refusedPrompts: {},
  retriedErrors: { "rate limit": RETRIES, "failing server": RETRIES, "cut stream": RETRIES, garbage: RETRIES },
  unreachable: RETRIES,
  omitted: {
    reason: "Each start takes four seconds of computing.",
    prompts: [
      "a command that empties a conversation",
      "a shell escape and marks that run commands",
      "marks of all kinds with a mention",
    ],
    errors: ["rate limit", "spent quota"],
  },
};
