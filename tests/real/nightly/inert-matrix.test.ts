import { copilot } from "../clis/copilot.ts";
import { gemini } from "../clis/gemini.ts";
import { glm } from "../clis/glm.ts";
import { grok } from "../clis/grok.ts";
import { grokVibe } from "../clis/grok-vibe.ts";
import { opencode } from "../clis/opencode.ts";
import { qwen } from "../clis/qwen.ts";
import { describePurity, OTHER_PROMPTS } from "../matrix/describe-purity.ts";

for (const row of [copilot, gemini, glm, grok, grokVibe, opencode, qwen]) describePurity(row, OTHER_PROMPTS);
