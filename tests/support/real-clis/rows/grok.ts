import { grok as provider } from "../../../../src/clis/grok/provider.ts";
import type { MatrixRow } from "./matrix-row.ts";

/** Prompts that begin like a command or mention a file by a path from the root or above. */
const ACTIVE = /^\s*\/\w|(?<!\w)@\s*(?:\/|\.\.\/)/;

/** Grok Build, xAI's CLI. */
export const grok: MatrixRow = {
  name: "grok",
  pin: "grok",
  protocol: "openai-responses",
  providerAt: () => provider,
  env: ({ url }) => ({
    GROK_XAI_API_BASE_URL: `${url}/v1`,
    XAI_API_KEY: "fake-key-of-the-suite",
    // Grok looks for an unknown session at xAI, for 20 s; a missing proxy makes that fail at once.
    HTTPS_PROXY: "http://127.0.0.1:9",
  }),
  key: "XAI_API_KEY",
  target: "grok",
  shellCall: (command) => ({ name: "run_terminal_command", input: { command, description: "Runs a command" } }),
  isAside: ({ rawBody }) => rawBody.includes("session_title"),
  shellName: "run_terminal_command",
  pure: {
    bytes: 400,
    system: (given = "You are a helpful assistant.") => [given],
    user: (prompt) =>
      ACTIVE.test(prompt) ? [prompt.trimEnd(), "Answer the message above."] : [/^<user_info><\/user_info>$/, prompt],
    heeds: ["SECRET-OF-USER-GROK-AGENTS", "SECRET-OF-USER-CLAUDE-MD", "HOME-CLAUDE-HOOK"],
  },
  refusedPrompts: {},
  changedPrompts: {
    reason: "It reads commands and mentions out of a prompt, but not out of the message before it.",
    limitation: /begins like a command .* goes in the place of that note/,
  },
  retriedErrors: {},
};
