import type { Provider } from "../../spec/provider/provider.ts";
import { axGlm } from "../ax-glm/provider.ts";
import { MODEL_WORDS } from "../shared/model-words.ts";

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
