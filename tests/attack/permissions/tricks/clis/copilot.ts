import type { CliTools } from "../cli-tools.ts";
import { call, replacer, writer } from "../tool-calls.ts";

/** The tools of Copilot. */
export const copilot: CliTools = {
  makers: [writer("create", "path", "file_text")],
  editors: [replacer("edit", "path", "old_str", "new_str")],
  reader: (path) => call("view", { path }),
  plans: {
    "leaves planning": [call("exit_plan_mode", { summary: "Do it.", actions: ["autopilot"], recommendedAction: "autopilot" })],
    "enters and leaves planning": [call("enter_plan_mode", {}), call("exit_plan_mode", { summary: "Do it." })],
  },
  agents: {
    task: (prompt) => call("task", { description: "Works", prompt, agent_type: "general-purpose", name: "works", mode: "sync" }),
    "task for commands": (prompt) =>
      call("task", { description: "Works", prompt, agent_type: "task", name: "runs", mode: "sync" }),
    "task in the background": (prompt) =>
      call("task", { description: "Works", prompt, agent_type: "general-purpose", name: "later", mode: "background" }),
  },
  loaders: [call("tool_search_tool_regex", { pattern: ".*" })],
  callers: [],
  known: [
    "write_bash",
    "store_memory",
    "report_intent",
    "update_todo",
    "exit_plan_mode",
    "ask_user",
    "str_replace_editor",
    "apply_patch",
    "web_fetch",
    "manage_schedule",
    "extensions_manage",
    "create_pull_request",
  ],
  mcpTool: (server, tool) => ({ name: `${server}-${tool}` }),
  specials: {
    "a command that goes on": ({ file }) =>
      call("bash", { command: `touch ${file}`, description: "Makes it", mode: "async", detach: true }),
    sql: ({ file }) => call("sql", { description: "Asks", query: `ATTACH DATABASE '${file}' AS a; CREATE TABLE a.b (c);` }),
    "sql into a file": ({ file }) => call("sql", { description: "Asks", query: `VACUUM INTO '${file}'` }),
    session_store_sql: ({ file }) => call("session_store_sql", { description: "Asks", query: `VACUUM INTO '${file}'` }),
    store_memory: ({ mark }) =>
      call("store_memory", { subject: mark, fact: mark, citations: "a", reason: "b", category: "general" }),
    write_bash: ({ file }) => call("write_bash", { shellId: "0", input: `touch ${file}{enter}`, delay: 1 }),
    "grep with a program": ({ file }) => call("grep", { pattern: "alpha", paths: ".", glob: `--pre=touch ${file}` }),
    manage_schedule: ({ mark }) => call("manage_schedule", { action: "create", schedule: "every 5 minutes", prompt: mark }),
  },
};
