import type { TempFile, Variables } from "../../spec/provider/cli-data.ts";
import type { LaunchOptions, LaunchParts } from "../../spec/provider/provider.ts";
import type { Refusal } from "../../spec/provider/provider-facts.ts";
import type { PermissionMode, PromptRequest } from "../../spec/request.ts";
import { refuseCommandPatterns, refuseCommas, refuseEdits } from "../shared/refuse.ts";
import { nameIn, readEntry, renameIn } from "../shared/shell-rules.ts";
import { HOST_TOOL_ARGUMENTS, HOST_TOOL_VARIABLES } from "./host-tools.ts";
import { agentFileArguments, completionArguments, isActive, isResumed, promptArguments } from "./prompt.ts";

/** Arguments and environment of one headless `grok` process; each was checked with 1.0.41. It reads nothing from stdin. */
export function launchGrok(request: PromptRequest, options: LaunchOptions): LaunchParts {
  const tempFiles: TempFile[] = [];
  const isAgent = request.mode === "agent";
  const args = [
    ...["--output-format", "streaming-messages-json", "--include-partial-messages", "--verbatim"],
    ...(isAgent ? promptArguments(request.prompt, tempFiles) : completionArguments(request, tempFiles)),
    ...(isAgent ? agentArguments(request) : request.hostServer === undefined ? NO_TOOLS : HOST_TOOL_ARGUMENTS),
    ...(isAgent ? systemArguments(request, tempFiles) : []),
    ...sessionArguments(request),
    ...modelArguments(request, options),
    ...(request.outputSchema === undefined ? [] : ["--json-schema", JSON.stringify(request.outputSchema)]),
    ...(request.maxTurns === undefined ? [] : ["--max-turns", String(request.maxTurns)]),
  ];
  return { args, env: isAgent ? limitVariables(request) : pureVariables(request), tempFiles };
}

export function modelArguments({ effort }: PromptRequest, { model }: LaunchOptions): readonly string[] {
  return [
    ...(model === undefined ? [] : ["--model", model]),
    ...(effort === undefined ? [] : ["--reasoning-effort", effort === "max" ? "xhigh" : effort]),
  ];
}

export function pureVariables(request: PromptRequest): Variables {
  const forTools = request.hostServer === undefined ? {} : HOST_TOOL_VARIABLES;
  return { ...PURE_ENVIRONMENT, ...forTools, ...limitVariables(request) };
}

function limitVariables({ maxOutputTokens }: PromptRequest): Variables {
  if (maxOutputTokens === undefined) return {};
  return { GROK_CONFIG: JSON.stringify({ models: { max_completion_tokens: maxOutputTokens } }) };
}

/** Refuses requests that Grok Build would change: some prompts in a resumed session, and tools that it does not know. */
export function refuseForGrok(request: PromptRequest): Refusal | undefined {
  const { tools = [], allow = [], deny = [] } = request.permissions ?? {};
  const unknown = tools.find((tool) => !TOOLS.has(tool));
  if (unknown !== undefined) return notAmong(unknown, TOOLS, "With an unknown name Grok Build offers all its tools.");
  const unruled = [...allow, ...deny].find((rule) => !RULE_NAMES.has(nameIn(rule)));
  if (unruled !== undefined) return notAmong(nameIn(unruled), RULE_NAMES, "Grok Build ignores a rule for an unknown name.");
  const unkept = refuseEdits(request, EVERYWHERE) ?? refuseCommas("Grok Build", [...allow, ...deny]) ?? refusePatterns(request);
  if (unkept !== undefined) return unkept;
  if (request.mode === "agent" || !isResumed(request) || !isActive(request.prompt)) return undefined;
  return {
    code: "prompt-malformed",
    message: "In a resumed session Grok Build would remove a command or a file name (@/…) from this prompt.",
    hint: "Put a word before the command, remove the @, or start a new session.",
  };
}

/** The profiles of its sandbox let its tools write below /tmp and into `.git` of the workspace (1.0.41). */
const EVERYWHERE = { label: "Grok Build", reason: "its tools also change files outside of the working directory." };

/** With a pattern Grok Build still runs `touch`, `mkdir` and commands that only read (1.0.41), and it takes no hook for one run. */
function refusePatterns(request: PromptRequest): Refusal | undefined {
  const reason = "it runs touch, mkdir and reading commands whatever its patterns allow.";
  const commands = refuseCommandPatterns(request, (name) => RULE_NAMES.get(name) === "Bash", { label: "Grok Build", reason });
  if (commands !== undefined) return commands;
  const entry = request.permissions?.allow?.find((rule) => readEntry(rule).text !== undefined);
  if (entry === undefined) return undefined;
  return {
    code: "option-unsupported",
    message: `Grok Build cannot keep to the pattern "${entry}": ${reason}`,
    hint: `Allow the whole tool (${nameIn(entry)}), or use another provider.`,
  };
}

function notAmong(name: string, known: ReadonlyMap<string, string>, reason: string): Refusal {
  return {
    code: "option-unsupported",
    message: `"${name}" is not a tool of Grok Build. ${reason}`,
    hint: `Choose among ${[...known.keys()].join(", ")}.`,
  };
}

/** One tool is offered and denied, because an empty list means all tools; the deny rules hold even if the list has no effect. */
const NO_TOOLS: readonly string[] = [
  ...["--tools", "read_file", "--disallowed-tools", "read_file,search_tool,use_tool", "--disable-web-search"],
  ...["Bash", "Read", "Edit", "Write", "Grep", "WebFetch", "MCPTool"].flatMap((tool) => ["--deny", tool]),
];

const PURE_ENVIRONMENT: Variables = {
  GROK_MEMORY: "0",
  // Otherwise Grok Build summarises a long prompt before it sends it.
  GROK_AUTO_COMPACT_THRESHOLD_PERCENT: "100",
  GROK_CONFIG: "",
  GROK_CONFIG_PATH: "",
};

/** The tools that a request may name, by the names that the model sees or that Claude Code uses, and their names for `--tools`. */
const TOOLS: ReadonlyMap<string, string> = new Map([
  ["run_terminal_command", "run_terminal_cmd"],
  ["Bash", "run_terminal_cmd"],
  ["monitor", "monitor"],
  ["read_file", "read_file"],
  ["Read", "read_file"],
  ["list_dir", "list_dir"],
  ["grep", "grep"],
  ["Grep", "grep"],
  ["search_replace", "search_replace"],
  ["Edit", "search_replace"],
  ["write", "write"],
  ["Write", "write"],
  ["todo_write", "todo_write"],
  ["web_search", "web_search"],
  ["image_gen", "image_gen"],
  ["image_edit", "image_edit"],
  ["image_to_video", "image_to_video"],
  ["reference_to_video", "reference_to_video"],
]);

/**
 * The names in permission rules: those of Grok Build, and those that the model sees. Grok Build ignores a rule for any other name
 * without parentheses (seen with `--deny run_terminal_command`, 1.0.41).
 */
const RULE_NAMES: ReadonlyMap<string, string> = new Map([
  ...["*", "Bash", "Read", "Edit", "Write", "Grep", "WebFetch", "MCPTool"].map((name) => [name, name] as const),
  ["run_terminal_command", "Bash"],
  ["read_file", "Read"],
  ["search_replace", "Edit"],
  ["write", "Write"],
  ["grep", "Grep"],
]);

function toRule(rule: string): string {
  return renameIn(rule, (name) => RULE_NAMES.get(name) ?? name);
}

/** Grok Build's own modes have no effect if no user can be asked: all is approved, and rules deny what the mode does not allow. */
const DENIED: Readonly<Record<PermissionMode, readonly string[]>> = {
  default: ["Bash", "Edit", "Write", "WebFetch", "MCPTool"],
  plan: ["Bash", "Edit", "Write", "WebFetch", "MCPTool"],
  "dont-ask": ["Bash", "Edit", "Write", "WebFetch", "MCPTool"],
  // `refuseForGrok` refuses this mode.
  "accept-edits": ["Bash", "Edit", "Write", "WebFetch", "MCPTool"],
  bypass: [],
};

/**
 * A denied kind of tool stays denied whatever is allowed, so an allowed kind is not denied. A denial of Edit also stops commands that
 * write (`touch`, `>`): if the shell is allowed, the tools that edit are removed instead.
 */
function agentArguments(request: PromptRequest): readonly string[] {
  const { mode = "default", tools, allow = [], deny = [] } = request.permissions ?? {};
  const allowed = allow.map(toRule).map((rule) => nameIn(rule));
  const unallowed = allowed.includes("*") ? [] : DENIED[mode].filter((kind) => !allowed.includes(kind));
  const removed = allowed.includes("Bash") ? unallowed.flatMap((kind) => EDITING.get(kind) ?? []) : [];
  const denied = unallowed.filter((kind) => removed.length === 0 || !EDITING.has(kind));
  return [
    ...toolArguments(tools, removed),
    "--always-approve",
    ...[...denied, ...deny.map(toRule)].flatMap((rule) => ["--deny", rule]),
  ];
}

const EDITING: ReadonlyMap<string, readonly string[]> = new Map([
  ["Edit", ["search_replace", "image_gen", "image_edit", "image_to_video", "reference_to_video"]],
  ["Write", ["write"]],
]);

/** A plan needs an approval, a schedule would outlive the run, and the other tools need a user. */
const NEVER: readonly string[] = [
  ...["scheduler_create", "scheduler_delete", "scheduler_list", "enter_plan_mode", "exit_plan_mode", "send_feedback"],
  "update_goal",
  // The model sees it as wait_commands_or_subagents; only an agent that a file defines has it.
  "wait_tasks",
];

function toolArguments(tools: readonly string[] | undefined, removed: readonly string[]): readonly string[] {
  if (tools === undefined) return ["--disallowed-tools", [...NEVER, ...removed].join(",")];
  if (tools.length === 0) return NO_TOOLS;
  const chosen = tools.map((tool) => TOOLS.get(tool) ?? tool);
  return ["--tools", chosen.join(","), "--disallowed-tools", ["search_tool", "use_tool", ...removed].join(",")];
}

/**
 * A system prompt is passed as an agent in a private file, because other users of the machine can see arguments. A resumed session
 * takes a new one only as an argument, and an agent that extends Grok Build's own loses a part of it (1.0.41).
 */
function systemArguments(request: PromptRequest, tempFiles: TempFile[]): readonly string[] {
  const { system, systemMode = "replace" } = request;
  if (system === undefined || system.trim() === "") return [];
  if (systemMode === "append") return ["--rules", system];
  return isResumed(request) ? ["--system-prompt-override", system] : agentFileArguments(request, tempFiles);
}

function sessionArguments({ session = { keep: true } }: PromptRequest): readonly string[] {
  if ("resume" in session) return ["--resume", session.resume];
  const id = "id" in session && session.id !== undefined ? ["--session-id", session.id] : [];
  return "fork" in session ? ["--resume", session.fork, "--fork-session", ...id] : id;
}
