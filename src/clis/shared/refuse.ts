import { type JsonObject, objectOf } from "../../spec/json.ts";
import type { ConnectionAbout, Refusal } from "../../spec/provider/provider-facts.ts";
import type { PromptRequest } from "../../spec/request.ts";
import { readShellRules } from "./shell-rules.ts";

/** Refuses the mode accept-edits, for a CLI whose tools also write outside of the working directory; `reason` is what was measured. */
export function refuseEdits(
  { permissions = {} }: PromptRequest,
  { label, reason }: { readonly label: string; readonly reason: string },
): Refusal | undefined {
  if (permissions.mode !== "accept-edits") return undefined;
  return {
    code: "option-unsupported",
    message: `${label} cannot keep to the mode accept-edits: ${reason}`,
    hint: "Allow Edit and Write by name, if files outside of the working directory may change too, or use claude, gemini, qwen, copilot or codex.",
  };
}

/** Refuses a list entry with a comma, for a CLI that splits its lists at commas and has no escape for them. */
export function refuseCommas(label: string, entries: readonly string[]): Refusal | undefined {
  const entry = entries.find((text) => text.includes(","));
  if (entry === undefined) return undefined;
  return {
    code: "option-unsupported",
    message: `${label} would split "${entry}" at its comma.`,
    hint: "Use an entry without a comma (a pattern may have * in its place), or another provider.",
  };
}

/** Refuses a completion if a file has one of the settings, each by its path in the file: it would talk to another host, or as somebody else. */
export function refuseSettings(
  label: string,
  settings: readonly (JsonObject | undefined)[],
  names: readonly (readonly string[])[],
  { paths }: Pick<ConnectionAbout, "paths">,
): Refusal | undefined {
  for (const [index, file] of settings.entries()) {
    const found = names.find((name) => valueAt(file, name) !== undefined);
    if (found === undefined) continue;
    return {
      code: "cli-misconfigured",
      message: `${found.join(".")} in ${paths[index]} says where ${label} talks, and a completion cannot keep to it.`,
      hint: "Use agent mode, set it by a variable of the environment, or remove the setting.",
    };
  }
  return undefined;
}

function valueAt(file: JsonObject | undefined, [first = "", ...rest]: readonly string[]): unknown {
  const value = file?.[first];
  return rest.length === 0 ? value : valueAt(objectOf(value), rest);
}

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
