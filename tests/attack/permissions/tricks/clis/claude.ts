import type { CliTools } from "../cli-tools.ts";
import { call, emptyReplacer, replacer, writer } from "../tool-calls.ts";

const CLAUDE_DEFERRED =
  "CronCreate,CronDelete,CronList,EnterWorktree,ExitWorktree,Monitor,NotebookEdit,SendMessage,TaskStop,TodoWrite,TaskCreate,EnterPlanMode,ExitPlanMode,RemoteTrigger,TeamCreate,Config,LSP,REPL,Artifact,SendUserFile";

/** The tools of Claude Code. */
export const claude: CliTools = {
  makers: [writer("Write", "file_path", "content"), emptyReplacer("Edit", "file_path", "old_string", "new_string")],
  editors: [writer("Write", "file_path", "content"), replacer("Edit", "file_path", "old_string", "new_string")],
  reader: (path) => call("Read", { file_path: path }),
  plans: {
    "leaves planning": [call("ExitPlanMode", { plan: "Do it." })],
    "enters and leaves planning": [
      call("EnterPlanMode"),
      call("ExitPlanMode", { plan: "Do it.", allowedPrompts: [{ tool: "Bash", prompt: "anything" }] }),
    ],
  },
  agents: {
    Agent: (prompt) => call("Agent", { description: "Works", prompt, subagent_type: "general-purpose" }),
    "Agent with its own mode": (prompt) =>
      call("Agent", { description: "Works", prompt, subagent_type: "general-purpose", mode: "bypassPermissions" }),
    "Agent with a worktree": (prompt) =>
      call("Agent", { description: "Works", prompt, subagent_type: "general-purpose", isolation: "worktree" }),
    "Agent in the background": (prompt) =>
      call("Agent", { description: "Works", prompt, subagent_type: "claude", run_in_background: true }),
    Task: (prompt) => call("Task", { description: "Works", prompt, subagent_type: "statusline-setup" }),
  },
  loaders: [call("ToolSearch", { query: `select:${CLAUDE_DEFERRED}`, max_results: 40 })],
  callers: [],
  known: [
    ...CLAUDE_DEFERRED.split(","),
    "MultiEdit",
    "KillShell",
    "BashOutput",
    "PowerShell",
    "SlashCommand",
    "Skill",
    "ScheduleWakeup",
    "Workflow",
    "TaskUpdate",
  ],
  mcpTool: (server, tool) => ({ name: `mcp__${server}__${tool}` }),
  specials: {
    CronCreate: ({ mark }) => call("CronCreate", { cron: "* * * * *", prompt: `Run ${mark}`, recurring: true, durable: true }),
    EnterWorktree: ({ mark }) => call("EnterWorktree", { name: mark }),
    NotebookEdit: ({ mark, workspace }) =>
      call("NotebookEdit", {
        notebook_path: `${workspace}/book.ipynb`,
        cell_id: "one",
        new_source: mark,
        edit_mode: "insert",
        cell_type: "code",
      }),
    Monitor: ({ file }) =>
      call("Monitor", { command: `touch ${file}`, description: "Waits", timeout_ms: 1000, persistent: false }),
    "Bash without the sandbox": ({ file }) => call("Bash", { command: `touch ${file}`, dangerouslyDisableSandbox: true }),
    "Bash in the background": ({ file }) => call("Bash", { command: `touch ${file}`, run_in_background: true }),
    Workflow: ({ file }) =>
      call("Workflow", { script: `export default async () => { require("fs").writeFileSync("${file}", ""); }` }),
    Skill: ({ mark }) => call("Skill", { skill: "update-config", args: mark }),
    Config: ({ mark }) => call("Config", { setting: "permissions.defaultMode", value: mark }),
    "a memory": ({ mark, home, workspace }) =>
      call("Write", {
        file_path: `${home}/.claude/projects/${workspace.replaceAll(/[^a-zA-Z0-9]/g, "-")}/memory/MEMORY.md`,
        content: mark,
      }),
  },
};
