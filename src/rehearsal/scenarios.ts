import { burst, friendly, linger, reasoning, slow } from "./answering-scenarios.ts";
import { crash, notLoggedIn, overloaded, quota, rateLimit, silent, stubborn, usageLimit } from "./failing-scenarios.ts";
import { tool, toolCaller, toolCallerAll, tools } from "./tool-scenarios.ts";
import type { Scenario } from "./turn.ts";

/** Every scenario by its model name; the prompt has no influence on the choice. */
export const SCENARIOS: ReadonlyMap<string, Scenario> = new Map([
  ["friendly", friendly],
  ["slow", slow],
  ["reasoning", reasoning],
  ["burst", burst],
  ["tool", tool],
  ["tools", tools],
  ["tool-caller", toolCaller],
  ["tool-caller-all", toolCallerAll],
  ["rate-limit", rateLimit],
  ["overloaded", overloaded],
  ["quota", quota],
  ["usage-limit", usageLimit],
  ["not-logged-in", notLoggedIn],
  ["crash", crash],
  ["silent", silent],
  ["stubborn", stubborn],
  ["linger", linger],
]);
