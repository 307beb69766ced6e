import type { CliTools } from "../cli-tools.ts";
import { call, emptyReplacer, replacer, writer } from "../tool-calls.ts";

const QWEN_DEFERRED =
  "enter_worktree,exit_worktree,cron_create,cron_list,cron_delete,todo_write,save_memory,monitor,enter_plan_mode,exit_plan_mode,workflow,artifact,record_artifact,create_sub_session,team_create,task_create,send_message,web_fetch,lsp,list_directory";

/** The tools of Qwen Code. */
export const qwen: CliTools = {
  makers: [writer("write_file", "file_path", "content"), emptyReplacer("edit", "file_path", "old_string", "new_string")],
  editors: [writer("write_file", "file_path", "content"), replacer("edit", "file_path", "old_string", "new_string")],
  reader: (path) => call("read_file", { file_path: path }),
  plans: {
    "leaves planning": [call("exit_plan_mode", { plan: "Do it." })],
    "enters and leaves planning": [call("enter_plan_mode", {}), call("exit_plan_mode", { plan: "Do it." })],
    "leaves planning by a generic call": [call("tool_call", { name: "exit_plan_mode", arguments: { plan: "Do it." } })],
  },
  agents: {
    agent: (prompt) => call("agent", { description: "Works", prompt, subagent_type: "general-purpose" }),
    "agent with a worktree": (prompt) =>
      call("agent", { description: "Works", prompt, subagent_type: "general-purpose", isolation: "worktree" }),
    "agent that forks": (prompt) =>
      call("agent", { description: "Works", prompt, subagent_type: "fork", fork_turns: "all", fork_tools: ["*"] }),
    "agent in the background": (prompt) =>
      call("agent", { description: "Works", prompt, subagent_type: "general-purpose", run_in_background: true }),
    task: (prompt) => call("task", { description: "Works", prompt, subagent_type: "general-purpose" }),
  },
  loaders: [call("tool_search", { query: `select:${QWEN_DEFERRED}`, max_results: 20 })],
  callers: [(name, input) => call("tool_call", { name, arguments: input })],
  known: [...QWEN_DEFERRED.split(","), "update_goal", "skill", "ask_user_question"],
  mcpTool: (server, tool) => ({ name: `mcp__${server}__${tool}` }),
  specials: {
    enter_worktree: ({ mark }) => call("enter_worktree", { name: mark }),
    "enter_worktree by a generic call": ({ mark }) => call("tool_call", { name: "enter_worktree", arguments: { name: mark } }),
    cron_create: ({ mark }) => call("cron_create", { cron: "* * * * *", prompt: `Run ${mark}`, recurring: true, durable: true }),
    "cron_create by a generic call": ({ mark }) =>
      call("tool_call", {
        name: "cron_create",
        arguments: { cron: "* * * * *", prompt: `Run ${mark}`, recurring: true, durable: true },
      }),
    monitor: ({ file }) => call("monitor", { command: `touch ${file}`, description: "Waits" }),
    "monitor by a generic call": ({ file }) =>
      call("tool_call", { name: "monitor", arguments: { command: `touch ${file}`, description: "Waits" } }),
    "write_file by a generic call": ({ mark, workspace }) =>
      call("tool_call", { name: "write_file", arguments: { file_path: `${workspace}/${mark}`, content: mark } }),
    "run_shell_command by a generic call": ({ file }) =>
      call("tool_call", { name: "run_shell_command", arguments: { command: `touch ${file}`, is_background: false } }),
    notebook_edit: ({ mark, workspace }) =>
      call("notebook_edit", {
        notebook_path: `${workspace}/book.ipynb`,
        cell_id: "one",
        new_source: mark,
        edit_mode: "insert",
        cell_type: "code",
      }),
    save_memory: ({ mark }) => call("save_memory", { fact: mark, scope: "project" }),
    todo_write: ({ mark }) => call("todo_write", { todos: [{ id: "1", content: mark, status: "pending" }] }),
    "a command in another folder": ({ mark, outside }) =>
      call("run_shell_command", { command: `touch ${mark}`, directory: outside, is_background: false }),
    "a command in the background": ({ file }) => call("run_shell_command", { command: `touch ${file}`, is_background: true }),
  },
};
