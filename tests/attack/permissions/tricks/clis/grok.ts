import type { CliTools } from "../cli-tools.ts";
import { call, emptyReplacer, replacer, writer } from "../tool-calls.ts";

/** The tools of Grok Build. */
export const grok: CliTools = {
  makers: [writer("write", "file_path", "content"), emptyReplacer("search_replace", "file_path", "old_string", "new_string")],
  editors: [writer("write", "file_path", "content"), replacer("search_replace", "file_path", "old_string", "new_string")],
  reader: (path) => call("read_file", { target_file: path }),
  plans: {
    "leaves planning": [call("exit_plan_mode", { plan: "Do it." })],
    "enters and leaves planning": [call("enter_plan_mode", {}), call("exit_plan_mode", { plan: "Do it." })],
  },
  agents: {
    spawn_subagent: (prompt) => call("spawn_subagent", { description: "Works", prompt, subagent_type: "general-purpose" }),
    "spawn_subagent with its own mode": (prompt) =>
      call("spawn_subagent", {
        description: "Works",
        prompt,
        subagent_type: "general-purpose",
        capability_mode: "all",
        isolation: "worktree",
      }),
    task: (prompt) => call("task", { description: "Works", prompt, subagent_type: "general-purpose" }),
  },
  loaders: [call("search_tool", { query: "write create schedule worktree", limit: 40 })],
  callers: [(name, input) => call("use_tool", { tool_name: name, tool_input: input })],
  known: [
    "delete_file",
    "hashline_edit",
    "scheduler_create",
    "scheduler_list",
    "memory_search",
    "update_goal",
    "apply_patch",
    "bash",
    "str_replace",
    "image_gen",
    "monitor",
    "workflow",
  ],
  mcpTool: (server, tool) => ({ name: `${server}__${tool}` }),
  specials: {
    monitor: ({ file }) => call("monitor", { command: `touch ${file}`, description: "Waits", persistent: true }),
    "a command in the background": ({ file }) =>
      call("run_terminal_command", { command: `touch ${file}`, description: "Makes it", background: true }),
    scheduler_create: ({ mark }) =>
      call("scheduler_create", { cron: "* * * * *", prompt: mark, name: mark, durable: true, interval_seconds: 60 }),
    "write by use_tool": ({ mark, workspace }) =>
      call("use_tool", { tool_name: "write", tool_input: { file_path: `${workspace}/${mark}`, content: mark } }),
    delete_file: ({ workspace }) => call("delete_file", { target_file: `${workspace}/package.json` }),
    todo_write: ({ mark }) => call("todo_write", { merge: false, todos: [{ id: "1", content: mark, status: "pending" }] }),
    image_gen: ({ mark }) => call("image_gen", { prompt: mark }),
  },
};
