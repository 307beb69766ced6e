import type { Provider } from "../spec/provider.ts";
import { axGlm } from "./ax-glm.ts";
import { axGrok } from "./ax-grok.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { gemini } from "./gemini.ts";
import { glm } from "./glm.ts";
import { grok } from "./grok.ts";
import { grokVibe } from "./grok-vibe.ts";
import { opencode } from "./opencode.ts";
import { qwen } from "./qwen.ts";
import { rehearsal } from "./rehearsal.ts";

/** Every provider that ships with the package, in the order in which they are preferred. */
export const builtinProviders: readonly Provider[] = [
  ...[claude, codex, gemini, qwen, opencode, copilot, grok, glm],
  ...[grokVibe, axGlm, axGrok, rehearsal],
];
