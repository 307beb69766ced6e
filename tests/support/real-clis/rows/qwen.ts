import { qwen as provider } from "../../../../src/clis/qwen/provider.ts";
import type { MatrixRow } from "./matrix-row.ts";

const RETRIES = { reason: "No setting keeps it from trying again.", limitation: /tries a rate-limited or failing service/ };

/** The text that no setting of 0.24.4 removes; of the machine it contains only the date. */
const NO_SKILLS =
  /^<system-reminder>\nNo skills are currently available\. Skills can be added by creating directories with SKILL\.md files or by configuring MCP servers with model-invocable prompts\.\n<\/system-reminder>$/;
const CURRENT_DATE =
  /^<system-reminder>\nThe current date is: [A-Z][a-z]+, [A-Z][a-z]+ \d{1,2}, \d{4}\. Note: This is the authoritative current date — it may differ from the "Today's date" mentioned earlier in the conversation startup context\.\n<\/system-reminder>$/;

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
  idleTools: ["get_goal", "list_agents", "tool_call"],
  processes: 1,
  pure: {
    bytes: 740,
    system: (given) => (given === undefined ? [] : [given]),
    user: (prompt) => [NO_SKILLS, CURRENT_DATE, prompt],
    heeds: ["SECRET-OF-PROJECT-QWEN-MD", "SECRET-OF-USER-QWEN-MD"],
  },
  refusedPrompts: {},
  retriedErrors: {
    "rate limit": RETRIES,
    "spent quota": RETRIES,
    "failing server": RETRIES,
  },
  continues: {
    reason: "No setting keeps it from asking the model to go on.",
    limitation: /asked to continue its text/,
  },
};
