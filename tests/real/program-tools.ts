/**
 * The tools of programs that ask a model, as they are called in their requests. All but Cline's were recorded from the pinned versions, in
 * agent mode (Claude Code and Qwen Code also by the list that they report at their start). Cline's are those of its public source, 3.x.
 */
const PROGRAM_TOOLS: Readonly<Record<"claude" | "codex" | "opencode" | "qwen" | "gemini" | "cline", readonly string[]>> = {
  claude: [
    ...[
      "Agent",
      "AskUserQuestion",
      "Bash",
      "BashOutput",
      "CronCreate",
      "CronDelete",
      "CronList",
      "DeferredToolPlaceholder",
      "Edit",
    ],
    ...["EnterPlanMode", "EnterWorktree", "ExitPlanMode", "ExitWorktree", "Glob", "Grep", "KillShell", "LS", "ListAgents"],
    ...["ListMcpResourcesTool", "Monitor", "MultiEdit", "NotebookEdit", "Read", "ReadMcpResourceTool", "ReportFindings"],
    ...["ScheduleWakeup", "SendMessage", "Skill", "StructuredOutput", "Task", "TaskCreate", "TaskGet", "TaskList", "TaskOutput"],
    ...["TaskStop", "TaskUpdate", "TodoWrite", "ToolSearch", "WaitForMcpServers", "WebFetch", "WebSearch", "Workflow", "Write"],
  ],
  codex: [
    ...[
      "apply_patch",
      "clock",
      "close_agent",
      "collaboration__send_message",
      "create_goal",
      "exec",
      "exec_command",
      "followup_task",
    ],
    ...["functions__exec", "get_goal", "interrupt_agent", "list_agents", "list_mcp_resources", "read_mcp_resource"],
    ...["request_user_input", "request_user_input_async", "send_message", "shell", "sleep", "spawn_agent", "tool_search"],
    ...["update_goal", "update_plan", "view_image", "wait", "wait_agent", "web_search", "write_stdin", "mcp__files__read"],
  ],
  opencode: [
    "bash",
    "edit",
    "glob",
    "grep",
    "invalid",
    "list",
    "patch",
    "read",
    "skill",
    "task",
    "todoread",
    "todowrite",
    "webfetch",
    "write",
  ],
  qwen: [
    ...["agent", "cron_create", "cron_delete", "cron_list", "edit", "enter_worktree", "exit_worktree", "get_goal", "glob"],
    ...[
      "grep_search",
      "list_agents",
      "loop_wakeup",
      "monitor",
      "notebook_edit",
      "read_file",
      "read_mcp_resource",
      "record_artifact",
    ],
    ...["report_findings", "run_shell_command", "send_message", "skill", "structured_output", "task_stop", "tool_call"],
    ...["tool_search", "update_goal", "web_fetch", "write_file", "zoom_image"],
  ],
  gemini: [
    ...[
      "activate_skill",
      "enter_plan_mode",
      "glob",
      "google_web_search",
      "grep_search",
      "invoke_agent",
      "list_background_processes",
    ],
    ...["list_directory", "read_background_output", "read_file", "replace", "run_shell_command", "update_topic", "web_fetch"],
    "write_file",
  ],
  cline: [
    ...[
      "access_mcp_resource",
      "act_mode_respond",
      "apply_patch",
      "ask_followup_question",
      "attempt_completion",
      "browser_action",
    ],
    ...["condense", "execute_command", "focus_chain", "generate_explanation", "list_code_definition_names", "list_files"],
    ...["load_mcp_documentation", "new_rule", "new_task", "plan_mode_respond", "read_file", "replace_in_file", "report_bug"],
    ...["search_files", "summarize_task", "use_mcp_tool", "web_fetch", "web_search", "write_to_file"],
  ],
};

/** Names that a CLI would change or refuse: other characters, too long, prefixes that it uses itself. */
const ODD_NAMES: readonly string[] = [
  "files.read",
  "größe",
  "mcp__github__create_issue",
  "_private",
  "x".repeat(64),
  `${"y".repeat(127)}1`,
  `${"y".repeat(127)}2`,
];

/** The names of all tools, each once. */
export const ALL_TOOL_NAMES: readonly string[] = [...new Set([...Object.values(PROGRAM_TOOLS).flat(), ...ODD_NAMES])];
