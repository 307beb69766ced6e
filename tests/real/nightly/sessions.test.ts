import { describe } from "vitest";
import { copilot } from "../../support/real-clis/rows/copilot.ts";
import { gemini } from "../../support/real-clis/rows/gemini.ts";
import { glm } from "../../support/real-clis/rows/glm.ts";
import { opencode } from "../../support/real-clis/rows/opencode.ts";
import { qwen } from "../../support/real-clis/rows/qwen.ts";
import { describeBrokenTurns, describeOtherDirectory, SLOW_STARTERS } from "../matrix/describe-session-turns.ts";
import { describeSessions } from "../matrix/describe-sessions.ts";

for (const row of [copilot, gemini, glm, opencode, qwen]) describeSessions(row);

describe.each(SLOW_STARTERS)("a session of real %s", (name) => {
  describeBrokenTurns(name);
  describeOtherDirectory(name);
});
