import type { CliTools } from "../cli-tools.ts";
import { call, emptyReplacer, replacer, writer } from "../tool-calls.ts";

/** The tools of Gemini CLI. */
export const gemini: CliTools = {
  makers: [
    writer("write_file", "file_path", "content"),
    emptyReplacer("replace", "file_path", "old_string", "new_string", { instruction: "Make it." }),
  ],
  editors: [
    writer("write_file", "file_path", "content"),
    replacer("replace", "file_path", "old_string", "new_string", { instruction: "Change it." }),
  ],
  reader: (path) => call("read_file", { file_path: path }),
  plans: {
    "leaves planning": [call("exit_plan_mode", { plan_filename: "none.md", plan_path: "none.md" })],
    "enters and leaves planning": [
      call("enter_plan_mode", { reason: "To plan." }),
      call("write_file", { file_path: "{PLANS}/plan.md", content: "# Plan\n1. Do it.\n" }),
      call("exit_plan_mode", { plan_filename: "plan.md", plan_path: "{PLANS}/plan.md" }),
    ],
    "writes a plan and leaves planning": [
      call("write_file", { file_path: "{PLANS}/plan.md", content: "# Plan\n1. Do it.\n" }),
      call("exit_plan_mode", { plan_filename: "plan.md", plan_path: "{PLANS}/plan.md" }),
    ],
  },
  agents: {
    "generalist by invoke_agent": (prompt) => call("invoke_agent", { agent_name: "generalist", prompt }),
    "investigator by invoke_agent": (prompt) => call("invoke_agent", { agent_name: "codebase_investigator", prompt }),
    generalist: (prompt) => call("generalist", { request: prompt }),
    delegate_to_agent: (prompt) => call("delegate_to_agent", { agent_name: "generalist", request: prompt }),
  },
  loaders: [],
  callers: [],
  known: [
    "save_memory",
    "write_todos",
    "exit_plan_mode",
    "ask_user",
    "edit",
    "shell",
    "tracker_create_task",
    "complete_task",
    "read_many_files",
    "memory",
    "browser_agent",
  ],
  mcpTool: (server, tool) => ({ name: `mcp_${server}_${tool}` }),
  specials: {
    "a command in another folder": ({ mark }) => call("run_shell_command", { command: `touch ${mark}`, dir_path: "scripts" }),
    "a command in the background": ({ file }) => call("run_shell_command", { command: `touch ${file}`, is_background: true }),
    save_memory: ({ mark }) => call("save_memory", { fact: mark, scope: "project" }),
    "a global memory": ({ mark }) => call("save_memory", { fact: mark, scope: "global" }),
    write_todos: ({ mark }) => call("write_todos", { todos: [{ description: mark, status: "pending" }] }),
    activate_skill: () => call("activate_skill", { name: "skill-creator" }),
  },
};
