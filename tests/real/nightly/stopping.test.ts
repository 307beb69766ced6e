import { it } from "vitest";
import { copilot } from "../clis/copilot.ts";
import { gemini } from "../clis/gemini.ts";
import { glm } from "../clis/glm.ts";
import { grok } from "../clis/grok.ts";
import { grokVibe } from "../clis/grok-vibe.ts";
import { opencode } from "../clis/opencode.ts";
import { qwen } from "../clis/qwen.ts";
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
