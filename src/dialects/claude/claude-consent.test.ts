import { expect, it } from "vitest";
import type { JsonObject } from "../../spec/json.ts";
import type { Permissions } from "../../spec/request.ts";
import { consentTo } from "./claude-consent.ts";
import { claudeAskingInput, lateSettings } from "./claude-lines.ts";
import { claudeStream } from "./claude-stream.ts";

const say = (name: string, permissions: Permissions, input: JsonObject = {}, mode?: string): string =>
  consentTo({ name, input, mode }, permissions).say;

it.each([
  ["a tool that Claude Code's rules cover", "Bash", {}, "as-ruled"],
  ["a reading tool", "ToolSearch", { mode: "dont-ask" }, "as-ruled"],
  ["a tool with lasting effects", "CronCreate", {}, "ask"],
  ["the same with accept-edits", "CronCreate", { mode: "accept-edits" }, "ask"],
  ["the same in the plan mode", "CronCreate", { mode: "plan" }, "deny"],
  ["the same in dont-ask", "EnterWorktree", { mode: "dont-ask" }, "deny"],
  ["the same if it is allowed", "EnterWorktree", { mode: "dont-ask", allow: ["EnterWorktree"] }, "as-ruled"],
  ["the same in bypass", "CronCreate", { mode: "bypass" }, "as-ruled"],
  ["an unknown tool", "Teleport", {}, "ask"],
  ["an unknown tool in the plan mode", "Teleport", { mode: "plan" }, "deny"],
  ["a name that every object has", "constructor", { mode: "plan" }, "deny"],
  ["a tool of an MCP server", "mcp__a__b", { mode: "plan", tools: [] }, "as-ruled"],
  ["a tool that is not in the list", "Bash", { tools: ["Read"] }, "deny"],
  ["the same in bypass", "Bash", { mode: "bypass", tools: ["Read"] }, "deny"],
  ["a tool that is in the list by its earlier name", "Agent", { tools: ["Task"] }, "as-ruled"],
  ["the tool of the answer's object", "StructuredOutput", { tools: [] }, "as-ruled"],
] as const)("%s: %s with %j is %s", (_what, name, permissions, expected) => {
  expect(say(name, permissions)).toBe(expected);
});

it.each([
  [{ prompt: "x", model: "opus" }, {}, "as-ruled"],
  [{ prompt: "x", mode: "bypassPermissions" }, {}, "ask"],
  [{ prompt: "x", mode: "plan" }, { mode: "plan" }, "as-ruled"],
  [{ prompt: "x", isolation: "worktree" }, { mode: "plan" }, "deny"],
  [{ prompt: "x", isolation: "worktree" }, { mode: "plan", allow: ["EnterWorktree"] }, "as-ruled"],
  [{ isolation: "worktree", mode: "acceptEdits" }, { mode: "plan", allow: ["EnterWorktree", "Agent"] }, "deny"],
  [{ prompt: "x", team: "t" }, { mode: "dont-ask" }, "deny"],
] as const)("a sub-agent with %j and %j: %s", (input, permissions, expected) => {
  expect(say("Agent", permissions, input)).toBe(expected);
});

it("a message goes to the sub-agents of the process, and to another session only if that is allowed", () => {
  expect(say("SendMessage", {}, { to: "a0956e8acb35c4f79" })).toBe("as-ruled");
  expect(say("SendMessage", { mode: "plan" }, { to: "uds:/tmp/other.sock" })).toBe("deny");
  expect(say("SendMessage", { mode: "plan", allow: ["SendMessage"] }, { to: "uds:/tmp/other.sock" })).toBe("as-ruled");
});

it("in a mode that is wider than the request's nothing runs that can change anything, and nobody is asked", () => {
  expect(say("Bash", { allow: ["Bash"] }, {}, "bypassPermissions")).toBe("deny");
  expect(say("Write", { mode: "accept-edits" }, {}, "acceptEdits")).toBe("as-ruled");
  expect(say("Write", { mode: "plan" }, {}, "acceptEdits")).toBe("deny");
  expect(say("Bash", { mode: "plan" }, {}, "default")).toBe("as-ruled");
  expect(say("TaskList", {}, {}, "auto")).toBe("as-ruled");
});

it.each([
  ["/work/a.ts", {}, "ask"],
  ["/work/a.ts", { mode: "plan" }, "ask"],
  ["/work/a.ts", { mode: "dont-ask" }, "deny"],
  ["/work/a.ts", { mode: "accept-edits" }, "as-ruled"],
  ["/work/a.ts", { mode: "dont-ask", allow: ["Edit(/work/**)"] }, "as-ruled"],
  ["/home/u/.claude/projects/p/memory/MEMORY.md", { mode: "accept-edits" }, "ask"],
  ["/work/../home/u/.claude/settings.json", { mode: "dont-ask", allow: ["Write"] }, "deny"],
  ["/home/u/.claude/plans/a.md", { mode: "plan" }, "as-ruled"],
  ["/home/u/.claude/plans/../projects/p/memory/MEMORY.md", { mode: "plan" }, "ask"],
] as const)("to write %s with %j: %s", (path, permissions, expected) => {
  const transcript = "/home/u/.claude/projects/p/s.jsonl";
  const call = { name: "Write", input: { file_path: path }, cwd: "/work", transcript };
  expect(consentTo(call, permissions).say).toBe(expected);
});

const READ_ONLY_BYPASS: Permissions = { mode: "bypass", deny: ["Write", "Edit", "Bash"] };

it.each([
  [{ name: "CronCreate", input: {} }, "deny"],
  [{ name: "EnterWorktree", input: {} }, "deny"],
  [{ name: "NotebookEdit", input: { notebook_path: "/work/a.ipynb" } }, "deny"],
  [{ name: "Agent", input: { prompt: "Work.", isolation: "worktree" } }, "deny"],
  [{ name: "Unheard", input: {} }, "deny"],
  [{ name: "Agent", input: { prompt: "Work." } }, "as-ruled"],
  [{ name: "WebFetch", input: {} }, "as-ruled"],
  [{ name: "mcp__notes__write", input: {} }, "as-ruled"],
] as const)("a bypass that denies Write, Edit and Bash is one for reading: %j", (call, expected) => {
  expect(consentTo({ ...call, mode: "bypassPermissions" }, READ_ONLY_BYPASS).say).toBe(expected);
});

it("an agent is asked about each call, a completion and a bypass without a list are not", () => {
  const asks = (request: JsonObject): readonly boolean[] => {
    const given = { prompt: "hi", ...request };
    const [send] = claudeAskingInput(given);
    return [JSON.stringify(send).includes("PreToolUse"), lateSettings(given).includes("PreToolUse")];
  };
  expect(asks({ mode: "agent" })).toEqual([true, true]);
  expect(asks({ mode: "agent", permissions: { mode: "bypass", tools: ["Read"] } })).toEqual([true, true]);
  expect(asks({ mode: "agent", permissions: { mode: "bypass" } })).toEqual([false, false]);
  expect(asks({ mode: "agent", permissions: { mode: "bypass", deny: ["Bash"] } })).toEqual([false, false]);
  expect(asks({ mode: "agent", permissions: READ_ONLY_BYPASS })).toEqual([true, true]);
  expect(asks({})).toEqual([false, false]);
});

it("a denied call is answered and reported at once, and not again by the result line", () => {
  const turn = claudeStream.start({ permissionMode: "plan", permissions: { mode: "plan" } });
  const call = { type: "tool_use", id: "t", name: "CronCreate", input: { cron: "* * * * *" } };
  turn.step({ type: "assistant", message: { id: "m", model: "x", content: [call] } });
  const input = { tool_name: call.name, tool_input: call.input, permission_mode: "plan" };
  const step = turn.step({
    type: "control_request",
    request_id: "r",
    request: { subtype: "hook_callback", input, tool_use_id: "t" },
  });
  const [sent] = step.send ?? [];
  expect(JSON.parse(sent !== undefined && "text" in sent ? sent.text : "")).toMatchObject({
    response: { request_id: "r", response: { hookSpecificOutput: { permissionDecision: "deny" } } },
  });
  expect(step.events).toMatchObject([{ type: "permission-denied", id: "t", name: "CronCreate", input: call.input }]);
  const denials = [{ tool_use_id: "t", tool_name: "CronCreate", tool_input: call.input }];
  const end = turn.step({ type: "result", subtype: "success", is_error: false, result: "Done.", permission_denials: denials });
  expect(end.events.filter(({ type }) => type === "permission-denied")).toEqual([]);
});

it("a host tool is the host's own, whatever its name", () => {
  const turn = claudeStream.start({ permissions: { mode: "plan", tools: [] }, nativeTools: [{ name: "weather" }] });
  const request = { subtype: "hook_callback", input: { tool_name: "weather", tool_input: {} }, tool_use_id: "t" };
  const [sent] = turn.step({ type: "control_request", request_id: "r", request }).send ?? [];
  expect(JSON.stringify(sent)).not.toContain("deny");
});
