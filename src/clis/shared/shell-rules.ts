import type { PromptRequest } from "../../spec/request.ts";

/** An entry of `tools`, `allow` or `deny`: the name of a tool, and the text in its parentheses if there is one. */
export type ToolEntry = { readonly name: string; readonly text?: string };

/** Splits `Bash(git status)` into its name and its text; `Bash`, `Bash(*)` and `Bash()` mean the whole tool. */
export function readEntry(entry: string): ToolEntry {
  const [, name = entry, text = ""] = /^([^()]+)\((.*)\)$/s.exec(entry) ?? [];
  return text === "" || text === "*" || text === ":*" ? { name } : { name, text };
}

export type ShellRules = {
  /** Every command may run. */
  readonly isOpen: boolean;
  /** The patterns of the commands that may run, if not every command may. */
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
};

/** Reads the rules of a request for the shell; `isShell` knows its names. `*` names every tool. */
export function readShellRules({ permissions = {} }: PromptRequest, isShell: (name: string) => boolean): ShellRules {
  const { mode, tools, allow = [], deny = [] } = permissions;
  const ofShell = (entries: readonly string[]): readonly ToolEntry[] =>
    entries.map(readEntry).filter(({ name }) => name === "*" || isShell(name));
  const textsOf = (entries: readonly ToolEntry[]): readonly string[] =>
    entries.flatMap(({ text }) => (text === undefined ? [] : [text]));
  const [allowed, denied] = [ofShell(allow), ofShell(deny)];
  const isWhole = ({ text }: ToolEntry): boolean => text === undefined;
  const isShut = denied.some(isWhole) || (tools !== undefined && ofShell(tools).length === 0);
  const isOpen = !isShut && (mode === "bypass" || allowed.some(isWhole));
  return { isOpen, allowed: isShut || isOpen ? [] : textsOf(allowed), denied: isShut ? [] : textsOf(denied) };
}
