import { copilot } from "../../support/real-clis/rows/copilot.ts";
import { gemini } from "../../support/real-clis/rows/gemini.ts";
import { glm } from "../../support/real-clis/rows/glm.ts";
import { grok } from "../../support/real-clis/rows/grok.ts";
import { grokVibe } from "../../support/real-clis/rows/grok-vibe.ts";
import { opencode } from "../../support/real-clis/rows/opencode.ts";
import { qwen } from "../../support/real-clis/rows/qwen.ts";
import { describePurity, OTHER_PROMPTS } from "../matrix/describe-purity.ts";

for (const row of [copilot, gemini, glm, grok, grokVibe, opencode, qwen]) describePurity(row, OTHER_PROMPTS);
