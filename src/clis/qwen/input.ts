import type { PromptRequest } from "../../spec/request.ts";
import { CLOSE_INPUT } from "../../spec/wire/define-wire.ts";
import type { Send } from "../../spec/wire/wire.ts";
import { type PromptCommand, toPromptArgument, toPromptCommand } from "../shared/prompt-command.ts";

/**
 * The command that contains the prompt of a completion. On stdin Qwen Code would execute `/word` and look up `@word` as a file,
 * which puts spaces into mail addresses.
 */
export function commandFor({ prompt, mode }: PromptRequest): PromptCommand | undefined {
  return mode === "agent" ? undefined : (toPromptCommand(prompt) ?? toPromptArgument(prompt));
}

/** The stdin of Qwen Code: the call of that command, or an agent's prompt unchanged. */
export function qwenInput(request: PromptRequest): readonly Send[] {
  return [{ text: commandFor(request)?.call ?? request.prompt }, CLOSE_INPUT];
}
