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

/** Conversation and stopping; runs on each CLI. */
export function describeConversing(subject: Subject): void {
  describeUnit(subject);
  describeSpeaking(subject);
  describeImages(subject);
  describeEvents(subject);
  describeUsage(subject);
  describeStopping(subject);
}

/** Tools and schemas; runs on each CLI. */
export function describeToolUse(subject: Subject): void {
  describeToolCalls(subject);
  describeStructuredOutput(subject);
  describeAgentOutputs(subject);
}

/** The rules of tools, and LangChain's features around a model; the same on every CLI. */
export function describeRules(subject: Subject): void {
  describeToolChoice(subject);
  describeToolHistories(subject);
  describeAgents(subject);
  describeCallbacks(subject);
  describeCaching(subject);
  describeFailing(subject);
}
