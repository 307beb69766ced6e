import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gemini as provider } from "../../../../src/clis/gemini/provider.ts";
import { COMPILED } from "./compiled.ts";
import type { MatrixRow } from "./matrix-row.ts";

/** Gemini CLI. */
export const gemini: MatrixRow = {
  name: "gemini",
  pin: "gemini",
  protocol: "gemini",
  providerAt: () => provider,
  env: ({ url }) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: "fake-key-of-the-suite", ...COMPILED }),
  key: "GEMINI_API_KEY",
  // With a custom base URL Gemini needs this variable to select the login.
  prepare: ({ home }) => {
    mkdirSync(join(home, ".gemini"));
    writeFileSync(
      join(home, ".gemini/settings.json"),
      JSON.stringify({ security: { auth: { selectedType: "gemini-api-key" } } }),
    );
  },
  target: "gemini",
  shellCall: (command) => ({ name: "run_shell_command", input: { command, description: "Runs a command" } }),
  shellName: "run_shell_command",
  pure: {
    // The note has the path of the run's home, whose length depends on process ids.
    bytes: 660,
    system: (given = "") => [given],
    user: (prompt) => [/^<session_context>\nThis is the Gemini CLI\.[^<]*<\/session_context>$/, prompt],
    heeds: ["SECRET-OF-PROJECT-GEMINI-MD", "SECRET-OF-USER-GEMINI-MD"],
  },
  refusedPrompts: {
    "marks of all kinds with a mention": {
      reason: "One kind of mark can be broken up by the argument of a command, and mentions need a command.",
      limitation: /two of the marks/,
    },
  },
  longestPrompt: {
    bytes: 4_000_000,
    reason: "Gemini counts the tokens itself and asks no model over the model's limit; it fails as context-overflow.",
  },
  retriedErrors: {},
};
