import type { TempFile } from "../../spec/launch-plan.ts";
import type { LaunchOptions, LaunchParts, Refusal } from "../../spec/provider.ts";
import type { PermissionMode, PromptRequest } from "../../spec/request.ts";
import { completionArguments, isActive, isResumed, promptArguments } from "./prompt.ts";

/** Arguments and environment of one headless `grok` process; each was checked with 1.0.41. It reads nothing from stdin. */
export function launchGrok(request: PromptRequest, { model }: LaunchOptions): LaunchParts {
  const tempFiles: TempFile[] = [];
  const isAgent = request.mode === "agent";
  const args = [
    ...["--output-format", "streaming-messages-json", "--include-partial-messages", "--verbatim"],
    ...(isAgent ? promptArguments(request.prompt, tempFiles) : completionArguments(request, tempFiles)),
    ...(isAgent ? agentArguments(request) : NO_TOOLS),
    ...(isAgent ? systemArguments(request) : []),
    ...sessionArguments(request),
    ...(model === undefined ? [] : ["--model", model]),
    ...(request.effort === undefined ? [] : ["--reasoning-effort", request.effort === "max" ? "xhigh" : request.effort]),
    ...(request.outputSchema === undefined ? [] : ["--json-schema", JSON.stringify(request.outputSchema)]),
    ...(request.maxTurns === undefined ? [] : ["--max-turns", String(request.maxTurns)]),
  ];
  const limit = request.maxOutputTokens;
  const env = {
    ...(isAgent ? {} : PURE_ENVIRONMENT),
    ...(limit === undefined ? {} : { GROK_CONFIG: JSON.stringify({ models: { max_completion_tokens: limit } }) }),
  };
  return { args, env, tempFiles };
}

/** Refuses what Grok Build would not take as it is meant: some prompts in a resumed session, and tools by names it does not know. */
export function refuseForGrok(request: PromptRequest): Refusal | undefined {
  const unknown = request.permissions?.tools?.find((tool) => !(tool in TOOLS));
  if (unknown !== undefined) {
    return {
      code: "option-unsupported",
      message: `"${unknown}" is not a tool of Grok Build. With an unknown name Grok Build offers all its tools.`,
      hint: `Choose among ${Object.keys(TOOLS).join(", ")}.`,
    };
  }
  if (request.mode === "agent" || !isResumed(request) || !isActive(request.prompt)) return undefined;
  return {
    code: "prompt-malformed",
    message: "In a resumed session Grok Build would remove a command or a file name (@/…) from this prompt.",
    hint: "Put a word before the command, remove the @, or start a new session.",
  };
}

/** One tool is offered and taken away, because a list of none means all; the rules hold should the list fail one day. */
const NO_TOOLS: readonly string[] = [
  ...["--tools", "read_file", "--disallowed-tools", "read_file,search_tool,use_tool", "--disable-web-search"],
  ...["Bash", "Read", "Edit", "Write", "Grep", "WebFetch", "MCPTool"].flatMap((tool) => ["--deny", tool]),
];

const PURE_ENVIRONMENT: Readonly<Record<string, string>> = {
  GROK_MEMORY: "0",
  // It would have a long prompt summarised before it is sent.
  GROK_AUTO_COMPACT_THRESHOLD_PERCENT: "100",
  GROK_CONFIG: "",
  GROK_CONFIG_PATH: "",
};

/** The tools that can be chosen, by the names that the model sees or that Claude Code has, and what `--tools` calls them. */
const TOOLS: Readonly<Record<string, string>> = {
  run_terminal_command: "run_terminal_cmd",
  Bash: "run_terminal_cmd",
  monitor: "monitor",
  read_file: "read_file",
  Read: "read_file",
  list_dir: "list_dir",
  grep: "grep",
  Grep: "grep",
  search_replace: "search_replace",
  Edit: "search_replace",
  write: "write",
  Write: "write",
  todo_write: "todo_write",
  web_search: "web_search",
  image_gen: "image_gen",
  image_edit: "image_edit",
  image_to_video: "image_to_video",
  reference_to_video: "reference_to_video",
};

/** Its own modes do not hold without somebody to ask: all is approved, and what a mode does not allow is denied by rule. */
const DENIED: Readonly<Record<PermissionMode, readonly string[]>> = {
  default: ["Bash", "Edit", "Write", "WebFetch", "MCPTool"],
  plan: ["Bash", "Edit", "Write", "WebFetch", "MCPTool"],
  "dont-ask": ["Bash", "Edit", "Write", "WebFetch", "MCPTool"],
  "accept-edits": ["Bash", "WebFetch", "MCPTool"],
  bypass: [],
};

/** A denied kind of tool stays denied whatever is allowed of it, so patterns take the place of the mode. */
function agentArguments(request: PromptRequest): readonly string[] {
  const { mode = "default", tools, allow = [], deny = [] } = request.permissions ?? {};
  const allowed = mode === "accept-edits" ? ["Edit", "Write", ...allow] : allow;
  return [
    ...toolArguments(tools),
    ...(allow.length === 0 ? ["--always-approve"] : allowed.flatMap((rule) => ["--allow", rule])),
    ...[...(allow.length === 0 ? DENIED[mode] : []), ...deny].flatMap((rule) => ["--deny", rule]),
  ];
}

/** A plan needs an approval, a schedule would outlive the run, and the others are addressed to people. */
const NEVER = "scheduler_create,scheduler_delete,scheduler_list,enter_plan_mode,exit_plan_mode,send_feedback,update_goal";

function toolArguments(tools: readonly string[] | undefined): readonly string[] {
  if (tools === undefined) return ["--disallowed-tools", NEVER];
  if (tools.length === 0) return NO_TOOLS;
  const chosen = tools.map((tool) => TOOLS[tool] ?? tool);
  return ["--tools", chosen.join(","), "--disallowed-tools", "search_tool,use_tool"];
}

function systemArguments({ system, systemMode = "replace" }: PromptRequest): readonly string[] {
  if (system === undefined || system.trim() === "") return [];
  return [systemMode === "append" ? "--rules" : "--system-prompt-override", system];
}

function sessionArguments({ session = { keep: true } }: PromptRequest): readonly string[] {
  if ("resume" in session) return ["--resume", session.resume];
  const id = "id" in session && session.id !== undefined ? ["--session-id", session.id] : [];
  return "fork" in session ? ["--resume", session.fork, "--fork-session", ...id] : id;
}
