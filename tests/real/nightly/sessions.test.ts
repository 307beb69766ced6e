import { copilot } from "../clis/copilot.ts";
import { gemini } from "../clis/gemini.ts";
import { glm } from "../clis/glm.ts";
import { grok } from "../clis/grok.ts";
import { opencode } from "../clis/opencode.ts";
import { qwen } from "../clis/qwen.ts";
import { describeSessions } from "../matrix/describe-sessions.ts";

for (const row of [copilot, gemini, glm, grok, opencode, qwen]) describeSessions(row);
