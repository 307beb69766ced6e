import type { Refusal } from "../../spec/provider/provider.ts";
import type { PromptRequest } from "../../spec/request.ts";
import { readShellRules } from "./shell-rules.ts";

/** Refuses a pattern for some commands, for a CLI whose own patterns other commands get past; `reason` is what was measured. */
export function refuseCommandPatterns(
  request: PromptRequest,
  isShell: (name: string) => boolean,
  { label, reason }: { readonly label: string; readonly reason: string },
): Refusal | undefined {
  const { allowed, denied, isOpen } = readShellRules(request, isShell);
  const text = allowed[0] ?? (isOpen ? denied[0] : undefined);
  if (text === undefined) return undefined;
  return {
    code: "option-unsupported",
    message: `${label} cannot keep to the command pattern "${text}": ${reason}`,
    hint: "Allow or deny its whole shell, or use a provider that keeps to patterns: claude, glm, gemini, qwen or copilot.",
  };
}

/**
 * Refuses a pattern that denies some of the commands that may run, for a CLI that only keeps to a list of allowed commands: `git "push"`
 * gets past a pattern for `git push`.
 */
export function refuseDeniedCommands(
  request: PromptRequest,
  isShell: (name: string) => boolean,
  label: string,
): Refusal | undefined {
  const { allowed, denied, isOpen } = readShellRules(request, isShell);
  if (denied[0] === undefined || (!isOpen && allowed.length === 0)) return undefined;
  return {
    code: "option-unsupported",
    message: `${label} cannot deny the command pattern "${denied[0]}" among commands that may run.`,
    hint: "Allow the commands that may run, deny the whole shell, or use claude.",
  };
}
