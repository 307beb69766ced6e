import { claudeStream } from "../dialects/claude-stream.ts";
import type { Provider } from "../spec/provider.ts";
import { CLAUDE_FAULTS } from "./claude-faults.ts";
import { answerClaudePermission, launchClaude } from "./claude-launch.ts";

/** The built-in CLI for demonstrations and tests: a real program that speaks Claude's language and needs no account. */
export const rehearsal: Provider = {
  id: "rehearsal",
  aliases: [],
  label: "Rehearsal",
  binary: { script: new URL(`../rehearsal/rehearsal-cli${import.meta.url.slice(-3)}`, import.meta.url) },
  install: "built in",
  loginStatus: "not-needed",
  capabilities: {
    streaming: "token",
    reasoning: false,
    sessions: true,
    systemPrompt: "replace",
    ownTools: "off",
    hostTools: "text",
    mcp: [],
    structuredOutput: "native",
    images: false,
    resident: false,
    usage: "turn",
    cost: true,
    permissionRequests: true,
  },
  options: ["add-dirs", "tool-patterns", "denial-reports", "session-id", "session-resume", "output-schema"],
  env: { set: {}, strip: [], apiKeys: [] },
  launch: launchClaude,
  answerPermission: answerClaudePermission,
  formats: { "stream-json": claudeStream },
  defaultFormat: "stream-json",
  faults: CLAUDE_FAULTS,
  limits: { promptBytes: 10 * 1024 * 1024 },
  stopSignal: "SIGINT",
  models: [
    "friendly",
    "slow",
    "tool",
    "tool-caller",
    "rate-limit",
    "quota",
    "not-logged-in",
    "crash",
    "silent",
    "stubborn",
    "linger",
  ],
  defaultModel: "friendly",
  versionsChecked: ["0.0.0"],
};
