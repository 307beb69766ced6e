import { type AgentTool, agentTool } from "./agent-tool.ts";

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
