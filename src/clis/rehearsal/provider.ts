import { claudeStream } from "../../dialects/claude/claude-stream.ts";
import type { LaunchOptions, LaunchParts, Provider } from "../../spec/provider/provider.ts";
import type { PromptRequest } from "../../spec/request.ts";
import { CLAUDE_FAULTS, NO_SUCH_TOOL } from "../claude/faults.ts";
import { launchPlainClaude } from "../claude/launch.ts";

/** A rehearsal stores a session only for a request that chooses one, agents included: demonstrations leave nothing behind. */
function launchRehearsal(request: PromptRequest, options: LaunchOptions): LaunchParts {
  const parts = launchPlainClaude(request, options);
  const isUnstored = request.session === undefined && request.mode === "agent";
  return isUnstored ? { ...parts, args: [...parts.args, "--no-session-persistence"] } : parts;
}

/** The built-in CLI for demonstrations and tests: a real program that prints Claude's lines and needs no account. */
export const rehearsal: Provider = {
  id: "rehearsal",
  aliases: [],
  label: "Rehearsal",
  binary: { own: "rehearsal/rehearsal-cli" },
  install: "built in",
  loginStatus: "not-needed",
  traits: {
    streaming: "token",
    reasoning: true,
    systemPrompt: "replace",
    ownTools: "off",
    usage: "turn",
    cost: true,
    permissionRequests: true,
  },
  options: ["add-dirs", "tool-patterns", "denial-reports", "session-id", "session-resume", "session-fork", "output-schema"],
  env: { set: { CLAUDE_CODE_MAX_RETRIES: "0" }, strip: [], apiKeys: [] },
  transports: {
    spawn: { launch: launchRehearsal, wire: claudeStream, limits: { promptBytes: 10 * 1024 * 1024 }, stopSignal: "SIGINT" },
  },
  faults: CLAUDE_FAULTS,
  storesAgents: false,
  transcripts: { variable: "XDG_STATE_HOME", folder: ".local/state", path: "coxswain/rehearsal/<id>.json" },
  objectTool: "StructuredOutput",
  refusedCall: NO_SUCH_TOOL,
  models: [
    ...["friendly", "slow", "reasoning", "burst", "tool", "tools", "tool-caller", "tool-caller-all", "rate-limit"],
    ...["overloaded", "quota", "usage-limit", "not-logged-in", "crash", "silent", "stubborn", "linger"],
  ],
  defaultModel: "friendly",
  versionsChecked: { oldest: "0.0.0", newest: "0.0.0" },
};
