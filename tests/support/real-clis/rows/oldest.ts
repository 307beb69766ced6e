import { claude } from "./claude.ts";
import type { ErrorName, MatrixRow, PromptName } from "./matrix-row.ts";
import { qwen } from "./qwen.ts";

const PROMPTS: readonly PromptName[] = [
  "a command with words",
  "a command that empties a conversation",
  "options and references",
  "a shell escape and marks that run commands",
  "marks of all kinds with a mention",
  "blanks and control characters",
  "a byte order mark, tags and lines of protocols",
];
const ERRORS: readonly ErrorName[] = ["unknown model", "rate limit", "spent quota", "failing server", "cut stream", "garbage"];

/** The parts of the matrix that only the newest version runs. */
const SMOKE = { reason: "The whole suite runs on the newest version.", prompts: PROMPTS, errors: ERRORS };

/** The oldest supported Claude Code (2.1.197). */
export const oldestClaude: MatrixRow = {
  ...claude,
  shellName: "Bash",
  pure: {
    bytes: 1_400,
    system: (given) => [
      /^x-anthropic-billing-header: cc_version=[\w.]+; cc_entrypoint=sdk-cli;/,
      "You are a Claude agent, built on Anthropic's Claude Agent SDK.",
      ...(given === undefined ? [] : [given]),
    ],
    user: (prompt) => [/^<system-reminder>\n[^#]*# currentDate\n[^#]*<\/system-reminder>\s*$/, prompt],
    heeds: ["SECRET-OF-PROJECT-CLAUDE-MD", "SECRET-OF-USER-CLAUDE-MD"],
  },
  refusedPrompts: {},
  retriedErrors: {},
  omitted: SMOKE,
};

/** 0.15.10 does not ask the model to continue after a cut. */
const { continues: _, ...withoutContinuation } = qwen;

/** The oldest supported Qwen Code (0.15.10). */
export const oldestQwen: MatrixRow = {
  ...withoutContinuation,
  pure: {
    bytes: 240,
    system: (given) => (given === undefined ? [] : [given]),
    heeds: ["SECRET-OF-PROJECT-QWEN-MD", "SECRET-OF-USER-QWEN-MD"],
  },
  refusedPrompts: {},
  retriedErrors: {},
  omitted: SMOKE,
};
