import type { TempFile } from "../../spec/provider/cli-data.ts";
import type { Refusal } from "../../spec/provider/provider-facts.ts";
import type { PermissionMode, PromptRequest } from "../../spec/request.ts";
import { refuseDeniedCommands } from "../shared/refuse.ts";
import { plainCommandSources, readEntry, readShellRules, type SourceForm, type ToolEntry } from "../shared/shell-rules.ts";

export const SHELL_TOOL = "run_shell_command";

const EDITING_TOOLS: readonly string[] = ["replace", "write_file"];

/** The tools that change nothing outside of the conversation. The rules of the request hold for the tools of a sub-agent too. */
const READING_TOOLS: readonly string[] = [
  ...["glob", "grep_search", "list_directory", "read_file", "read_many_files", "google_web_search", "update_topic"],
  ...["list_background_processes", "read_background_output", "read_mcp_resource", "list_mcp_resources"],
  ...["get_internal_docs", "write_todos", "invoke_agent", "complete_task"],
];

/** The tools that change the mode of a session: Gemini (0.61.0) runs every tool after its model has left plan mode, which needs no approval. */
const PLAN_TOOLS: readonly string[] = ["enter_plan_mode", "exit_plan_mode"];

/** The tools of an agent of 0.61.0. */
export const GEMINI_TOOLS: readonly string[] = [
  ...READING_TOOLS,
  ...EDITING_TOOLS,
  SHELL_TOOL,
  ...["web_fetch", "activate_skill", "ask_user", "tracker_create_task", "tracker_update_task", "tracker_get_task"],
  ...["tracker_list_tasks", "tracker_add_dependency", "tracker_visualize"],
];

/** Names of Claude Code for tools of Gemini. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["Bash", SHELL_TOOL],
  ["Read", "read_file"],
  ["Write", "write_file"],
  ["Edit", "replace"],
  ["Grep", "grep_search"],
  ["Glob", "glob"],
  ["LS", "list_directory"],
  ["WebFetch", "web_fetch"],
  ["WebSearch", "google_web_search"],
]);

function geminiNameOf(tool: string): string {
  return NAMES.get(tool) ?? tool;
}

/** Refuses entries that no rule of Gemini can express, and command patterns that it cannot keep to. */
export function refuseGeminiPermissions(request: PromptRequest): Refusal | undefined {
  const { tools = [], allow = [], deny = [] } = request.permissions ?? {};
  for (const entry of [...tools, ...allow, ...deny]) {
    const { name, text } = readEntry(entry);
    if (name !== "*" && !isKnown(geminiNameOf(name)) && !isDeniedAnyway(entry, deny))
      return refused(`"${name}" is not a tool of Gemini.`);
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

/** A request may deny the tools that no agent gets. */
function isDeniedAnyway(entry: string, deny: readonly string[]): boolean {
  return PLAN_TOOLS.includes(entry) && deny.includes(entry);
}

function isShell(name: string): boolean {
  return geminiNameOf(name) === SHELL_TOOL;
}

type Decision = "allow" | "deny" | "ask_user";

type Rule = {
  readonly tool: string;
  readonly decision: Decision;
  readonly priority: number;
  readonly commands?: string;
};

/** Whether Gemini asks its host about a call that the mode does not allow, or denies it. */
export type Unallowed = "ask_user" | "deny";

/**
 * The permissions of a request as a file of Gemini's policy rules, of which the one with the highest priority decides. A denied tool is
 * not offered to the model, unless the rule has a pattern. Except in `bypass`, the last rule is for every other tool: those of other versions, of
 * servers and of discovery commands.
 */
export function geminiPolicy(request: PromptRequest, unallowed: Unallowed = "deny"): TempFile {
  const { mode = "default", tools, allow = [], deny = [] } = request.permissions ?? {};
  const offered = tools?.map((tool) => geminiNameOf(readEntry(tool).name));
  const isOffered = ({ name }: ToolEntry): boolean => offered === undefined || offered.includes(geminiNameOf(name));
  const isLimited = readShellRules(request, isShell).allowed.length > 0;
  const rules: readonly Rule[] = [
    ...PLAN_TOOLS.map((tool) => ({ tool, decision: "deny", priority: 950 }) as const),
    ...deny.map(readEntry).flatMap((entry) => rulesFor(entry, "deny", 900)),
    ...allow
      .map(readEntry)
      .filter(isOffered)
      .flatMap((entry) => rulesFor(entry, "allow", 800)),
    ...(isLimited ? [{ tool: SHELL_TOOL, decision: "deny", priority: 700, commands: "" } as const] : []),
    ...modeRules(mode, offered, unallowed),
  ];
  return { name: "permissions.toml", content: rules.map(toToml).join("\n") };
}

function rulesFor({ name, text }: ToolEntry, decision: Decision, priority: number): readonly Rule[] {
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

/** Without a list of tools `bypass` needs no rule: Gemini's own mode allows what the user's rules do not deny. */
function modeRules(mode: PermissionMode, offered: readonly string[] | undefined, unallowed: Unallowed): readonly Rule[] {
  if (mode === "bypass" && offered === undefined) return [];
  // A host that answers questions decides about changes of files too.
  const edits = mode === "accept-edits" && unallowed === "deny" ? EDITING_TOOLS : [];
  const decisionOf = (tool: string): Decision =>
    mode === "bypass" || READING_TOOLS.includes(tool) || edits.includes(tool) ? "allow" : unallowed;
  const tools = offered ?? [...READING_TOOLS, ...edits];
  return [
    ...tools.map((tool) => ({ tool, decision: decisionOf(tool), priority: 600 })),
    { tool: "*", decision: offered === undefined ? unallowed : "deny", priority: 500 },
  ];
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
