import { capabilitiesOf } from "../../../src/spec/provider/cli-data.ts";
import { copilot } from "../clis/copilot.ts";
import { gemini } from "../clis/gemini.ts";
import { glm } from "../clis/glm.ts";
import { grok } from "../clis/grok.ts";
import { grokVibe } from "../clis/grok-vibe.ts";
import { opencode } from "../clis/opencode.ts";
import { qwen } from "../clis/qwen.ts";
import { describeTextTools } from "../matrix/describe-objects.ts";

for (const row of [copilot, gemini, glm, grok, grokVibe, opencode, qwen])
  if (capabilitiesOf(row.providerAt("")).hostTools === "native") describeTextTools(row);
