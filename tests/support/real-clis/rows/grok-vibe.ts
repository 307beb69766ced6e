import { grokVibe as provider } from "../../../../src/clis/grok-vibe/provider.ts";
import { COMPILED } from "./compiled.ts";
import type { MatrixRow } from "./matrix-row.ts";

/** Grok CLI of vibe-kit. */
export const grokVibe: MatrixRow = {
  name: "grok-vibe",
  pin: "grok-vibe",
  version: "1.0.1",
  protocol: "openai-chat",
  providerAt: () => provider,
  env: ({ url }) => ({ GROK_BASE_URL: `${url}/v1`, GROK_API_KEY: "fake-key-of-the-suite", ...COMPILED }),
  key: "GROK_API_KEY",
  target: "grok-vibe",
  shellCall: (command) => ({ name: "bash", input: { command } }),
  shellName: "bash",
  pure: {
    bytes: 8_500,
    system: () => [/^You are Grok CLI/],
    tools: ["view_file", "create_file", "str_replace_editor", "bash", "search", "create_todo_list", "update_todo_list"],
    heeds: ["SECRET-OF-PROJECT-GROK-GROK-MD"],
  },
  refusedPrompts: {},
  retriedErrors: {},
  errorAnswers: {
    "spent quota": {
      kind: "http-error",
      status: 429,
      body: {
        code: "Some resource has been exhausted",
        error: "Your team has either used all available credits or reached its monthly spending limit.",
      },
    },
  },
};
