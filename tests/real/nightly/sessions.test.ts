import { describe } from "vitest";
import { copilot } from "../clis/copilot.ts";
import { gemini } from "../clis/gemini.ts";
import { glm } from "../clis/glm.ts";
import { opencode } from "../clis/opencode.ts";
import { qwen } from "../clis/qwen.ts";
import { describeBrokenTurns, describeOtherDirectory, SLOW_STARTERS } from "../matrix/describe-session-turns.ts";
import { describeSessions } from "../matrix/describe-sessions.ts";

for (const row of [copilot, gemini, glm, opencode, qwen]) describeSessions(row);

describe.each(SLOW_STARTERS)("a session of real %s", (name) => {
  describeBrokenTurns(name);
  describeOtherDirectory(name);
});
