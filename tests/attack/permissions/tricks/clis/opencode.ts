import type { CliTools } from "../cli-tools.ts";
import { call, emptyReplacer, replacer, writer } from "../tool-calls.ts";

/** The tools of OpenCode. */
export const opencode: CliTools = {
  makers: [writer("write", "filePath", "content"), emptyReplacer("edit", "filePath", "oldString", "newString")],
  editors: [writer("write", "filePath", "content"), replacer("edit", "filePath", "oldString", "newString")],
  reader: (path) => call("read", { filePath: path }),
  plans: {
    "leaves planning": [call("plan_exit", {})],
    "enters and leaves planning": [call("plan_enter", {}), call("plan_exit", {})],
  },
  agents: {
    task: (prompt) => call("task", { description: "Works", prompt, subagent_type: "general" }),
    "task for building": (prompt) => call("task", { description: "Works", prompt, subagent_type: "build" }),
    "task for exploring": (prompt) => call("task", { description: "Works", prompt, subagent_type: "explore" }),
  },
  loaders: [],
  callers: [
    (name, input) => call("batch", { tool_calls: [{ tool: name, parameters: input }] }),
    (name, input) => call("invalid", { tool: name, error: JSON.stringify(input) }),
  ],
  known: ["patch", "multiedit", "apply_patch", "todowrite", "list", "lsp", "websearch", "codesearch", "batch", "question"],
  mcpTool: (server, tool) => ({ name: `${server}_${tool}` }),
  specials: {
    "a command in another folder": ({ mark, outside }) =>
      call("bash", { command: `touch ${mark}`, workdir: outside, description: "Makes it" }),
    todowrite: ({ mark }) => call("todowrite", { todos: [{ content: mark, status: "pending", priority: "high", id: "1" }] }),
    multiedit: ({ mark, workspace }) =>
      call("multiedit", {
        filePath: `${workspace}/notes.txt`,
        edits: [{ filePath: `${workspace}/notes.txt`, oldString: "alpha", newString: `alpha ${mark}` }],
      }),
    batch: ({ file }) =>
      call("batch", { tool_calls: [{ tool: "bash", parameters: { command: `touch ${file}`, description: "Makes it" } }] }),
    skill: ({ mark }) => call("skill", { name: mark }),
  },
};
