import { it } from "vitest";
import { copilot } from "../../support/real-clis/rows/copilot.ts";
import { gemini } from "../../support/real-clis/rows/gemini.ts";
import { glm } from "../../support/real-clis/rows/glm.ts";
import { grok } from "../../support/real-clis/rows/grok.ts";
import { grokVibe } from "../../support/real-clis/rows/grok-vibe.ts";
import { opencode } from "../../support/real-clis/rows/opencode.ts";
import { qwen } from "../../support/real-clis/rows/qwen.ts";
import { describeKilledHost } from "../matrix/describe-stopping.ts";
import { abortWhileFrozen, expectAllStopped } from "../stopped-run.ts";

const ROWS = [copilot, gemini, glm, grok, grokVibe, opencode, qwen];

for (const row of ROWS) describeKilledHost(row);

it.each(ROWS.map(({ name }) => name))(
  "%s whose processes are stopped (SIGSTOP) leaves none after an abort, which does not wait for them",
  async (name) => {
    await expectAllStopped([abortWhileFrozen(name)]);
  },
);
