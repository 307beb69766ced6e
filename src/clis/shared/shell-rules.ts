import type { PromptRequest } from "../../spec/request.ts";
import { linearSource } from "../../spec/text.ts";

/** An entry of `tools`, `allow` or `deny`: the name of a tool, and the text in its parentheses if there is one. */
export type ToolEntry = { readonly name: string; readonly text?: string };

/** Splits `Bash(git status)` into its name and its text. */
export function splitEntry(entry: string): ToolEntry {
  const [, name = entry, text] = /^([^()]+)\((.*)\)$/s.exec(entry) ?? [];
  return text === undefined ? { name } : { name, text };
}

/** As `splitEntry`; `Bash`, `Bash(*)` and `Bash()` mean the whole tool. */
export function readEntry(entry: string): ToolEntry {
  const { name, text = "" } = splitEntry(entry);
  return ["", "*", ":*"].includes(text) ? { name } : { name, text };
}

/** The name of the tool in an entry, with or without parentheses. */
export function nameIn(entry: string): string {
  return entry.replace(/\(.*/s, "");
}

/** The entry with another name for its tool. */
export function renameIn(entry: string, rename: (name: string) => string): string {
  const name = nameIn(entry);
  return rename(name) + entry.slice(name.length);
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

/**
 * The characters that a shell never interprets as an operator, a substitution, a redirection or the end of a command. Quotes,
 * wildcards and `=` are among them: behind the name of a program they only change its arguments.
 */
const PLAIN = "[^\\x00-\\x1f\\x7f;&|<>\\x28\\x29$`\\x5c]";

/** How a pattern becomes the source of a regular expression. */
export type SourceForm = {
  /** The class of the signs of `*`, without those that a shell interprets. */
  readonly any: string;
  /** The source for a text that stands for itself. */
  readonly literal: (text: string) => string;
};

const FORM: SourceForm = { any: PLAIN, literal: (text) => text.replace(/[^\w ]/g, "\\$&") };

/**
 * The sources of regular expressions for the commands of a pattern. `*` stands for text that no shell interprets, so that one program
 * runs and nothing else. The expression must be anchored at both ends. `git *` (also written `git:*`) stands for `git` with and without arguments.
 */
export function plainCommandSources(pattern: string, { any, literal }: SourceForm = FORM): readonly string[] {
  const spaced = pattern.replace(/:\*$/, " *");
  const toSource = (text: string): string => linearSource(text.split(/\*+/).map(literal), any);
  return spaced.endsWith(" *") ? [toSource(spaced.slice(0, -2)), toSource(spaced)] : [toSource(spaced)];
}
