/**
 * Variables by which an AI CLI tells the programs that it starts that they are inside of its session. No CLI that Coxswain starts gets them: a CLI
 * would take them for its own, and a program of a configuration entry would pass them on to the CLI that it starts.
 */
export const NESTING_MARKERS: readonly string[] = [
  ...["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_SSE_PORT"],
  "AI_AGENT",
  ...["CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID"],
  ...["GEMINI_CLI", "QWEN_CODE", "GROK_SESSION_ID", "GROK_AGENT", "COPILOT_AGENT_SESSION_ID"],
  ...["OPENCODE", "OPENCODE_PID", "OPENCODE_WORKSPACE_ID"],
];
