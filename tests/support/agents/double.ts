import { z } from "zod";
import { type AgentTool, agentTool } from "../../../src/agent/index.ts";

/** A tool that doubles a number. */
export const double: AgentTool<never> = agentTool({
  name: "double",
  parameters: z.object({ number: z.number() }),
  run: ({ number }) => number * 2,
});
