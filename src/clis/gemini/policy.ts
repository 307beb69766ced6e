import type { TempFile } from "../../spec/provider/launch-plan.ts";
import type { Refusal } from "../../spec/provider/provider.ts";
import type { PermissionMode, PromptRequest } from "../../spec/request.ts";
import { plainCommandSources, type SourceForm } from "../shared/plain-commands.ts";
import { refuseDeniedCommands } from "../shared/refuse-commands.ts";
import { readEntry, readShellRules, type ToolEntry } from "../shared/shell-rules.ts";
import { EDITING_TOOLS, GEMINI_TOOLS, geminiNameOf, READING_TOOLS, SHELL_TOOL } from "./tools.ts";

/** True for a request with lists of tools or patterns. */
export function hasLists({ permissions: { tools, allow = [], deny = [] } = {} }: PromptRequest): boolean {
  return tools !== undefined || allow.length > 0 || deny.length > 0;
}

/** Refuses entries that no rule of Gemini can express, and command patterns that it cannot keep to. */
export function refuseGeminiPermissions(request: PromptRequest): Refusal | undefined {
  const { tools = [], allow = [], deny = [] } = request.permissions ?? {};
  for (const entry of [...tools, ...allow, ...deny]) {
    const { name, text } = readEntry(entry);
    if (name !== "*" && !isKnown(geminiNameOf(name))) return refused(`"${name}" is not a tool of Gemini.`);
    if (text !== undefined && (!isShell(name) || tools.includes(entry)))
      return refused(`Gemini has patterns for commands in allow and deny only, and "${entry}" is none.`);
  }
  return refuseDeniedCommands(request, isShell, "Gemini");
}

function refused(message: string): Refusal {
  return { code: "option-unsupported", message, hint: `Name whole tools (${GEMINI_TOOLS.join(", ")}) or Bash(…).` };
}

function isKnown(name: string): boolean {
  return GEMINI_TOOLS.includes(name) || /^mcp_/.test(name);
}

function isShell(name: string): boolean {
  return geminiNameOf(name) === SHELL_TOOL;
}

type Rule = {
  readonly tool: string;
  readonly decision: "allow" | "deny";
  readonly priority: number;
  readonly commands?: string;
};

/**
 * The permissions of a request as a file of Gemini's policy rules, of which the one with the highest priority decides. A denied tool is
 * not offered to the model, unless the rule has a pattern.
 */
export function geminiPolicy(request: PromptRequest): TempFile {
  const { mode = "default", tools, allow = [], deny = [] } = request.permissions ?? {};
  const offered = tools?.map((tool) => geminiNameOf(readEntry(tool).name));
  const isOffered = ({ name }: ToolEntry): boolean => offered === undefined || offered.includes(geminiNameOf(name));
  const isLimited = readShellRules(request, isShell).allowed.length > 0;
  const rules: readonly Rule[] = [
    ...deny.map(readEntry).flatMap((entry) => rulesFor(entry, "deny", 900)),
    ...allow
      .map(readEntry)
      .filter(isOffered)
      .flatMap((entry) => rulesFor(entry, "allow", 800)),
    ...(isLimited ? [{ tool: SHELL_TOOL, decision: "deny", priority: 700, commands: "" } as const] : []),
    ...(offered ?? []).map((tool) => ({ tool, decision: decisionOf(tool, mode), priority: 600 }) as const),
    ...(offered === undefined ? deniedBy(mode) : [{ tool: "*", decision: "deny", priority: 500 } as const]),
  ];
  return { name: "permissions.toml", content: rules.map(toToml).join("\n") };
}

function rulesFor({ name, text }: ToolEntry, decision: Rule["decision"], priority: number): readonly Rule[] {
  const rule = { tool: name === "*" ? "*" : geminiNameOf(name), decision, priority };
  if (text === undefined) return [rule];
  const [form, start] = text === plainTextOf(text) ? [IN_JSON, NO_BACKSLASH] : [WITHOUT_QUOTES, ""];
  const sources = plainCommandSources(text, form);
  return sources.map((source) => ({ ...rule, commands: `\\x00"command":"${start}${source}"\\x00` }));
}

/** The text without the signs for which JSON needs a backslash, the quote excepted. */
function plainTextOf(text: string): string {
  return text.replace(/[\\\p{Cc}]/gu, "");
}

/**
 * Gemini matches the JSON of the arguments, in which `"` has a backslash and NUL encloses each argument. It ignores a rule whose group
 * contains a quantifier, so that every other sign is written as a number.
 */
const IN_JSON: SourceForm = {
  any: "[^\\x00-\\x1f\\x7f\\x24\\x26\\x28\\x29\\x3b\\x3c\\x3e\\x60\\x7c]",
  literal: (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replace(/[^\w ]/g, toNumber),
};

/** Before the command: it has no backslash but that of `"`, which the class of IN_JSON cannot say. */
const NO_BACKSLASH = "(?![^\\x00]*\\x5c[^\\x22])";

/** For a pattern with a backslash of its own: its stars stand for text without quotes. */
const WITHOUT_QUOTES: SourceForm = { ...IN_JSON, any: `${IN_JSON.any.slice(0, -1)}\\x22\\x5c]` };

function toNumber(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function decisionOf(tool: string, mode: PermissionMode): Rule["decision"] {
  if (mode === "bypass" || READING_TOOLS.includes(tool)) return "allow";
  return mode === "accept-edits" && EDITING_TOOLS.includes(tool) ? "allow" : "deny";
}

/** The user's settings may allow what the mode of the request does not. */
function deniedBy(mode: PermissionMode): readonly Rule[] {
  const isOpen = (tool: string): boolean => decisionOf(tool, mode) === "allow";
  return [SHELL_TOOL, ...EDITING_TOOLS, "web_fetch", "activate_skill"]
    .filter((tool) => !isOpen(tool))
    .map((tool) => ({ tool, decision: "deny", priority: 500 }));
}

function toToml({ tool, decision, priority, commands }: Rule): string {
  const isWholeShell = tool === SHELL_TOOL && decision === "allow" && commands === undefined;
  return [
    "[[rule]]",
    `toolName = ${JSON.stringify(tool)}`,
    `decision = "${decision}"`,
    `priority = ${priority}`,
    ...(commands === undefined ? [] : [`argsPattern = ${JSON.stringify(commands === "" ? "command" : commands)}`]),
    ...(isWholeShell ? ["allowRedirection = true"] : []),
    "",
  ].join("\n");
}
