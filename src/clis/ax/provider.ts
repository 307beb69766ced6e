import { roleDocument, roleMessages } from "../../dialects/generic/role-messages.ts";
import type { Provider } from "../../spec/provider/provider.ts";
import { grokVibe } from "../grok-vibe/provider.ts";
import { MODEL_WORDS } from "../shared/model-words.ts";
import { launchRoleMessages, ROLE_FAULTS, ROLE_LIMITATIONS, refuseRoleMessages } from "../shared/role-launch.ts";

/** ax-glm, a wrapper for z.ai's models that is no longer maintained. */
export const axGlm: Provider = {
  id: "ax-glm",
  aliases: [],
  label: "ax-glm",
  binary: { names: ["ax-glm"] },
  install: "git clone https://github.com/defai-digital/ax-cli",
  login: "ax-glm setup",
  traits: grokVibe.traits,
  options: ["max-turns"],
  env: { set: {}, strip: [], apiKeys: ["ZAI_API_KEY", "GLM_API_KEY", "YOUR_API_KEY"] },
  privateHome: { variable: "HOME", folder: "", links: [".ax-glm/config.json"], forRun: true },
  refuse: refuseRoleMessages,
  transports: {
    spawn: { launch: launchRoleMessages, wire: roleMessages, limits: { promptBytes: 131_000 }, stopSignal: "SIGINT" },
  },
  recordedWires: [roleDocument],
  faults: ROLE_FAULTS,
  limitations: [
    ...ROLE_LIMITATIONS,
    "It is no longer published. 5.1.12 was built from source. It was recorded, but not run with the arguments that Coxswain passes.",
    "It tries a failed request up to twelve times without output.",
  ],
  models: ["glm-4.7"],
  modelWords: MODEL_WORDS.zai,
  versionsChecked: { oldest: "5.1.12", newest: "5.1.12" },
};

/** ax-grok, the same wrapper for xAI's models. */
export const axGrok: Provider = {
  ...axGlm,
  id: "ax-grok",
  label: "ax-grok",
  binary: { names: ["ax-grok"] },
  login: "ax-grok setup",
  env: { set: {}, strip: [], apiKeys: ["XAI_API_KEY", "GROK_API_KEY"] },
  privateHome: { variable: "HOME", folder: "", links: [".ax-grok/config.json"], forRun: true },
  models: ["grok-code-fast-1"],
  modelWords: MODEL_WORDS.xai,
};
