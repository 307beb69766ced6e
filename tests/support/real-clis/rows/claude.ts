import { claude as provider } from "../../../../src/clis/claude/provider.ts";
import type { CliRow } from "./cli-row.ts";

/** Claude Code. */
export const claude: CliRow = {
  name: "claude",
  pin: "claude",
  protocol: "anthropic-messages",
  providerAt: () => provider,
  env: ({ url }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "sk-ant-fake-key-of-the-suite",
    // Root may bypass permissions only in a sandbox, and this suite runs in one.
    IS_SANDBOX: "1",
  }),
  key: "ANTHROPIC_API_KEY",
  target: "claude",
  shellCall: (command) => ({ name: "Bash", input: { command, description: "Runs a command" } }),
};
