export const SHELL_TOOL = "run_shell_command";

export const EDITING_TOOLS: readonly string[] = ["replace", "write_file"];

/** The tools that change nothing outside of the conversation. The rules of the request hold for the tools of a sub-agent too. */
export const READING_TOOLS: readonly string[] = [
  ...["glob", "grep_search", "list_directory", "read_file", "read_many_files", "google_web_search", "update_topic"],
  ...["list_background_processes", "read_background_output", "read_mcp_resource", "list_mcp_resources"],
  ...["get_internal_docs", "write_todos", "invoke_agent", "complete_task"],
];

/** The tools that change the mode of a session: after a plan that nobody has to approve, Gemini (0.61.0) runs every tool. */
export const PLAN_TOOLS: readonly string[] = ["enter_plan_mode", "exit_plan_mode"];

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

export function geminiNameOf(tool: string): string {
  return NAMES.get(tool) ?? tool;
}
