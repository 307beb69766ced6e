import { copilot } from "../clis/copilot.ts";
import { gemini } from "../clis/gemini.ts";
import { glm } from "../clis/glm.ts";
import { grok } from "../clis/grok.ts";
import { grokVibe } from "../clis/grok-vibe.ts";
import { opencode } from "../clis/opencode.ts";
import { qwen } from "../clis/qwen.ts";
import { describeKilledHost } from "../matrix/describe-stopping.ts";

for (const row of [copilot, gemini, glm, grok, grokVibe, opencode, qwen]) describeKilledHost(row);
