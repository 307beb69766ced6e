import { qwen as provider } from "../../../src/providers/qwen.ts";
import type { MatrixRow } from "./matrix-row.ts";

const RETRIES = { reason: "No setting keeps it from trying again.", limitation: /tries a rate-limited or failing service/ };

/** Qwen Code. */
export const qwen: MatrixRow = {
  name: "qwen",
  pin: "qwen",
  protocol: "openai-chat",
  providerAt: () => provider,
  env: ({ url }) => ({
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: "fake-key-of-the-suite",
    OPENAI_MODEL: "qwen3-coder-plus",
  }),
  key: "OPENAI_API_KEY",
  target: "qwen",
  shellCall: (command) => ({
    name: "run_shell_command",
    input: { command, is_background: false, description: "Runs a command" },
  }),
  shellName: "run_shell_command",
  pure: {
    bytes: 220,
    system: (given) => (given === undefined ? [] : [given]),
    heeds: ["SECRET-OF-PROJECT-QWEN-MD", "SECRET-OF-USER-QWEN-MD"],
  },
  refusedPrompts: {},
  retriedErrors: {
    "rate limit": RETRIES,
    "spent quota": RETRIES,
    "failing server": RETRIES,
  },
  objectAnswer: (input) => ({ kind: "tool-calls", calls: [{ name: "structured_output", input }] }),
};
