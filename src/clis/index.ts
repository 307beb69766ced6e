import type { Provider } from "../spec/provider/provider.ts";
import { axGlm } from "./ax-glm/provider.ts";
import { axGrok } from "./ax-grok/provider.ts";
import { claude } from "./claude/provider.ts";
import { codex } from "./codex/provider.ts";
import { copilot } from "./copilot/provider.ts";
import { gemini } from "./gemini/provider.ts";
import { glm } from "./glm/provider.ts";
import { grok } from "./grok/provider.ts";
import { grokVibe } from "./grok-vibe/provider.ts";
import { opencode } from "./opencode/provider.ts";
import { qwen } from "./qwen/provider.ts";
import { rehearsal } from "./rehearsal/provider.ts";

/** Every provider that ships with the package, in order of preference. */
export const builtinProviders: readonly Provider[] = [
  ...[claude, codex, gemini, qwen, opencode, copilot, grok, glm],
  ...[grokVibe, axGlm, axGrok, rehearsal],
];
