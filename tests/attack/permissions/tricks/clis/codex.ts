import type { CliTools } from "../cli-tools.ts";
import { call, patcher } from "../tool-calls.ts";

/** The tools of Codex. */
export const codex: CliTools = {
  makers: [patcher("apply_patch", "Add")],
  editors: [patcher("apply_patch", "Update")],
  plans: { "updates its plan": [call("update_plan", { plan: [{ step: "a", status: "completed" }] })] },
  agents: { spawn_agent: (prompt) => call("spawn_agent", { message: prompt, agent_type: "worker", task_name: "works" }) },
  loaders: [],
  callers: [],
  known: [
    "shell",
    "shell_command",
    "local_shell",
    "unified_exec",
    "write_stdin",
    "spawn_agent",
    "update_plan",
    "exec",
    "image_generation",
    "request_permissions",
    "js_repl",
  ],
  mcpTool: (server, tool) => ({ name: tool, namespace: `mcp__${server}` }),
  specials: {
    "an escalated command": ({ file }) =>
      call("exec_command", { cmd: `touch ${file}`, sandbox_permissions: "require_escalated", justification: "It is needed." }),
    "a command with a rule": ({ file }) =>
      call("exec_command", { cmd: `touch ${file}`, sandbox_permissions: "require_escalated", prefix_rule: ["touch"] }),
    "a command in another folder": ({ mark, outside }) => call("exec_command", { cmd: `touch ${mark}`, workdir: outside }),
    "a command of another shell": ({ file }) => call("exec_command", { cmd: `touch ${file}`, shell: "/bin/sh", login: true }),
    "a command of a terminal": ({ file }) => call("exec_command", { cmd: `touch ${file}`, tty: true }),
    shell: ({ file }) => call("shell", { command: ["touch", file] }),
    shell_command: ({ file }) => call("shell_command", { command: `touch ${file}`, with_escalated_permissions: true }),
  },
};
