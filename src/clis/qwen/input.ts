import { CLOSE_INPUT } from "../../spec/define-wire.ts";
import type { PromptRequest } from "../../spec/request.ts";
import type { Send } from "../../spec/wire.ts";
import { type PromptCommand, toPromptArgument, toPromptCommand } from "../prompt-command.ts";

/** The command that holds the prompt of a completion: on stdin `@word` would be looked up as a file, which puts blanks into addresses, and `/word` be carried out. */
export function commandFor({ prompt, mode }: PromptRequest): PromptCommand | undefined {
  return mode === "agent" ? undefined : (toPromptCommand(prompt) ?? toPromptArgument(prompt));
}

/** What Qwen Code reads from stdin: the call of that command, or an agent's prompt as it is. */
export function qwenInput(request: PromptRequest): readonly Send[] {
  return [{ text: commandFor(request)?.call ?? request.prompt }, CLOSE_INPUT];
}
