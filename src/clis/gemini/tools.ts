/** The tool that runs commands. */
export const SHELL_TOOL = "run_shell_command";

/** The tools that change files. */
export const EDITING_TOOLS: readonly string[] = ["replace", "write_file"];

/** The tools that Gemini itself always allows. */
export const READING_TOOLS: readonly string[] = [
  ...["glob", "grep_search", "list_directory", "read_file", "google_web_search", "update_topic", "get_internal_docs"],
  ...["list_background_processes", "read_background_output", "read_mcp_resource", "list_mcp_resources"],
];

/** The tools of an agent of 0.61.0. */
export const GEMINI_TOOLS: readonly string[] = [
  ...READING_TOOLS,
  ...EDITING_TOOLS,
  SHELL_TOOL,
  ...["web_fetch", "activate_skill", "invoke_agent", "enter_plan_mode", "exit_plan_mode", "ask_user"],
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

/** Gemini's own name of a tool. */
export function geminiNameOf(tool: string): string {
  return NAMES.get(tool) ?? tool;
}
