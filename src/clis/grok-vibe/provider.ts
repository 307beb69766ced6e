import { roleMessages } from "../../dialects/generic/role-messages.ts";
import type { LaunchOptions, LaunchParts, Provider } from "../../spec/provider/provider.ts";
import type { PromptRequest } from "../../spec/request.ts";
import { MODEL_WORDS } from "../shared/model-words.ts";
import { launchRoleMessages, ROLE_FAULTS, ROLE_LIMITATIONS, refuseRoleMessages } from "../shared/role-launch.ts";

/** Measured with 1.0.1, whose client leaves the retries of the OpenAI library at their default. */
const SILENT_RETRIES = { rate_limit: 2, server: 2, network: 2 } as const;

/** Grok CLI of vibe-kit, a community program with the same name as xAI's own. */
export const grokVibe: Provider = {
  id: "grok-vibe",
  aliases: ["grok-cli"],
  label: "Grok CLI (vibe-kit)",
  binary: { names: ["grok"] },
  install: "npm install -g @vibe-kit/grok-cli",
  traits: { streaming: "none", reasoning: false, systemPrompt: "none", ownTools: "restrict", usage: "none", cost: false },
  options: ["max-turns", "max-output-tokens"],
  env: { set: {}, strip: [], apiKeys: ["GROK_API_KEY"] },
  privateHome: { variable: "HOME", folder: "", links: [".grok/user-settings.json"], forRun: true },
  refuse: refuseRoleMessages,
  transports: {
    spawn: { launch: launchGrokVibe, wire: roleMessages, limits: { promptBytes: 131_000 }, stopSignal: "SIGINT" },
  },
  silentRetries: { completion: SILENT_RETRIES },
  faults: ROLE_FAULTS,
  // Without a login it has no settings; the cause is in the line after these.
  stderrNoise: /^Failed to (?:save|load) user settings: ENOENT/,
  limitations: [
    ...ROLE_LIMITATIONS,
    "It does not report that the output limit cut the answer.",
    "A prompt that mentions a year, news or the present makes it search the web and X.",
  ],
  models: ["grok-code-fast-1", "grok-4-latest"],
  modelWords: MODEL_WORDS.xai,
  versionsChecked: { oldest: "1.0.1", newest: "1.0.1" },
  versionInFiles: false,
  versionPattern: /^\d+\.\d+\.\d+$/,
};

/** Without a limit it requests at most 1,536 tokens and does not report an answer that was cut there. */
function launchGrokVibe(request: PromptRequest, options: LaunchOptions): LaunchParts {
  const parts = launchRoleMessages(request, options);
  const limit = request.maxOutputTokens ?? (options.env?.["GROK_MAX_TOKENS"] || 16_384);
  return { ...parts, env: { ...parts.env, GROK_MAX_TOKENS: String(limit) } };
}
