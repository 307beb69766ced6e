import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { copilot as provider } from "../../../../src/clis/copilot/provider.ts";
import type { MatrixRow } from "./matrix-row.ts";

const RETRIES = { reason: "No setting keeps it from trying again.", limitation: /tries a failing service/ };

/** Where Copilot unpacks itself, 235 MB, once for all homes. */
const UNPACKED = join(import.meta.dirname, "../../../../.cache/real-clis/copilot-unpacked");

/** GitHub Copilot CLI, with the user's own model instead of a GitHub login. */
export const copilot: MatrixRow = {
  name: "copilot",
  pin: "copilot",
  protocol: "openai-chat",
  providerAt: () => provider,
  env: ({ url }) => ({
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_TYPE: "openai",
    COPILOT_PROVIDER_API_KEY: "fake-key-of-the-suite",
    COPILOT_MODEL: "fake-model",
    COPILOT_OFFLINE: "true",
    COPILOT_PROVIDER_MAX_PROMPT_TOKENS: "20000000",
  }),
  key: "COPILOT_PROVIDER_API_KEY",
  login: ["COPILOT_PROVIDER_BASE_URL", "COPILOT_OFFLINE"],
  prepare: ({ home }) => {
    mkdirSync(UNPACKED, { recursive: true });
    mkdirSync(join(home, ".cache"), { recursive: true });
    symlinkSync(UNPACKED, join(home, ".cache/copilot"));
  },
  target: "copilot",
  shellCall: (command) => ({ name: "bash", input: { command, description: "Runs a command" } }),
  shellName: "bash",
  pure: {
    bytes: 7_700,
    system: (given) => [
      given === undefined ? /^You are the GitHub Copilot CLI/ : new RegExp(`^You are the GitHub Copilot CLI[^]*\\n${given}\\n`),
    ],
    user: (prompt) => [prompt.trimEnd()],
    front: /^<current_datetime>[^<]*<\/current_datetime>\n\n/,
    heeds: ["SECRET-OF-PROJECT-AGENTS-MD"],
  },
  refusedPrompts: {
    "a command that empties a conversation": {
      reason: "It carries a few commands out also where it is not interactive.",
      limitation: /begins with its command/,
    },
  },
  changedPrompts: {
    reason: "It trims the end of what it is given.",
    limitation: /at the end of a prompt are not sent/,
  },
  unreachable: RETRIES,
  retriedErrors: { "spent quota": RETRIES, "failing server": RETRIES, "cut stream": RETRIES, "rate limit": RETRIES },
};
