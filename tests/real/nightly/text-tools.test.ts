import { capabilitiesOf } from "../../../src/spec/provider/cli-data.ts";
import { copilot } from "../../support/real-clis/rows/copilot.ts";
import { gemini } from "../../support/real-clis/rows/gemini.ts";
import { glm } from "../../support/real-clis/rows/glm.ts";
import { grok } from "../../support/real-clis/rows/grok.ts";
import { grokVibe } from "../../support/real-clis/rows/grok-vibe.ts";
import { opencode } from "../../support/real-clis/rows/opencode.ts";
import { qwen } from "../../support/real-clis/rows/qwen.ts";
import { describeTextTools } from "../matrix/describe-objects.ts";

for (const row of [copilot, gemini, glm, grok, grokVibe, opencode, qwen])
  if (capabilitiesOf(row.providerAt("")).hostTools === "native") describeTextTools(row);
