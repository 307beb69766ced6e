import { describeAgentOutputs } from "./agent-outputs.ts";
import { describeAgents } from "./agents.ts";
import { describeCaching } from "./caching.ts";
import { describeCallbacks } from "./callbacks.ts";
import { describeEvents } from "./events.ts";
import { describeFailing } from "./failing.ts";
import { describeImages } from "./images.ts";
import { describeSpeaking } from "./speaking.ts";
import { describeStopping } from "./stopping.ts";
import { describeStructuredOutput } from "./structured-output.ts";
import type { Subject } from "./subject.ts";
import { describeToolCalls } from "./tool-calls.ts";
import { describeToolChoice } from "./tool-choice.ts";
import { describeToolHistories } from "./tool-histories.ts";
import { describeUnit } from "./unit.ts";
import { describeUsage } from "./usage.ts";

/** What LangChain's users may expect of a chat model, as far as the CLI matters. */
export function describeChatModel(subject: Subject): void {
  describeUnit(subject);
  describeSpeaking(subject);
  describeImages(subject);
  describeEvents(subject);
  describeUsage(subject);
  describeStopping(subject);
  describeToolCalls(subject);
  describeStructuredOutput(subject);
  describeAgentOutputs(subject);
}

/** The rest of it: the rules of tools, and what LangChain builds around a model; the same on every CLI. */
export function describeChatModelRules(subject: Subject): void {
  describeToolChoice(subject);
  describeToolHistories(subject);
  describeAgents(subject);
  describeCallbacks(subject);
  describeCaching(subject);
  describeFailing(subject);
}
