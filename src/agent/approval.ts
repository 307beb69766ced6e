import { type AgentTool, agentTool, type BoundTool } from "./agent-tool.ts";
import type { AgentCall } from "./thread.ts";

/** What happens to a call: it runs, it waits for an approval, or it is refused. */
export type Gate = "run" | "ask" | "refuse";

/**
 * Which calls run without a question. `full`: all. `approve`: those of tools that change nothing; the others wait for an approval.
 * `plan`: those of tools that change nothing; the others are refused. A function decides for each call.
 */
export type Approval = "full" | "approve" | "plan" | ((call: AgentCall) => Gate);

/** The instruction of plan mode, after those of the caller. */
export const PLAN_NOTE =
  "You are in plan mode: calls of tools that change something are refused. Find out what you need, then answer with a plan of the steps.";

/** What the model reads about a call that plan mode refused. */
export const REFUSED_BY_PLAN = "Plan mode: this call was not made. Put it into the plan.";

export function gateOf(approval: Approval, tool: BoundTool | undefined, call: AgentCall): Gate {
  if (tool?.isAnswer === true) return "run";
  if (typeof approval === "function") return approval(call);
  if (approval === "full" || tool === undefined || tool.readOnly || tool.invoke === undefined) return "run";
  return approval === "approve" ? "ask" : "refuse";
}

const PARAMETERS = {
  type: "object",
  properties: { question: { type: "string", description: "One question, with what the person needs to know to answer it" } },
  required: ["question"],
  additionalProperties: false,
} as const;

/**
 * A tool by which the model asks a person. With a function the answer comes from it. Without one the run pauses, and
 * `resume(thread, { [call.id]: { output: "…" } })` gives the answer.
 */
export function humanInput(ask?: (question: string, signal: AbortSignal) => Promise<string>): AgentTool<never> {
  return agentTool<{ readonly question: string }>({
    name: "ask_human",
    description: "Asks the person a question that only they can answer, and waits for the answer",
    parameters: PARAMETERS,
    readOnly: true,
    ...(ask !== undefined && { run: ({ question }, { signal }) => ask(question, signal), timeoutMs: 24 * 60 * 60 * 1000 }),
  });
}
