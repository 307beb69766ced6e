import type { PartContext } from "../run/part.ts";
import type { RunRequest } from "../spec/request.ts";
import type { RunEnd } from "../spec/wire/events.ts";
import { type RunParts, RunTurns } from "./run-turns.ts";
import { askByText } from "./text-tools.ts";

/** Asks a question without tools on the channel that has answered its conversation, or anew; the turn of the answer may be kept. */
export async function askPlainly(parts: RunParts, request: RunRequest, context: PartContext): Promise<RunEnd> {
  const turns = new RunTurns(parts, request);
  try {
    const end = await askByText((cli, prompt, inner) => turns.ask(cli, prompt, inner, false), parts.target, request, context);
    if (end.failure === undefined && turns.left !== undefined) turns.keep([turns.left.text], context.resultAt(end));
    return end;
  } finally {
    turns.discard();
  }
}
