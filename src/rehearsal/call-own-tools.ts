import { type OwnTool, type Reading, toolsOf } from "./own-tools.ts";
import { isOffered } from "./permissions.ts";
import { newToolUseId } from "./speech.ts";
import type { Turn } from "./turn.ts";

/** A call of a tool that is over; one that was not allowed has no reading. */
export type OwnCall = { readonly id: string; readonly tool: OwnTool; readonly reading?: Reading };

/** The tools that the model of this turn may see. */
export function offeredTools({ options }: Turn): readonly OwnTool[] {
  return toolsOf(options.model).filter(({ name }) => isOffered(name, options.permissions));
}

/** Calls the tools in the open message and ends the message; the results are printed in the order in which the tools are ready. */
export async function callOwnTools(turn: Turn, tools: readonly OwnTool[]): Promise<readonly OwnCall[]> {
  const calls = tools.map((tool) => ({ id: newToolUseId(), tool }));
  for (const { id, tool } of calls) turn.current()?.toolUse(id, tool.name, tool.input);
  turn.current()?.stop("tool_use");
  return await Promise.all(calls.map(async (call) => await runOwnTool(turn, call)));
}

async function runOwnTool(turn: Turn, { id, tool }: OwnCall): Promise<OwnCall> {
  const verdict = await turn.askPermission(id, tool.name, tool.input);
  await turn.pause(tool.takesMs);
  if (!verdict.allowed) {
    turn.lines.toolResult(id, verdict.message, true, `Error: ${verdict.message}`);
    return { id, tool };
  }
  const reading = tool.read(verdict.input ?? tool.input);
  turn.lines.toolResult(id, reading.text, reading.isError, reading.details);
  return { id, tool, reading };
}
