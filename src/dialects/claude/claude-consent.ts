import { type JsonObject, stringOf } from "../../spec/json.ts";
import type { PermissionMode, Permissions } from "../../spec/request.ts";
import { classOf, presentName } from "./claude-tools.ts";

/** A call of Claude Code that is about to run. */
export type ComingCall = {
  readonly name: string;
  readonly input: JsonObject;
  /** Claude Code's word for the permission mode that holds for the call. */
  readonly mode?: string | undefined;
  /** The directory of the call, and Claude Code's record of the session, `<its own directory>/projects/<project>/<session>.jsonl`. */
  readonly cwd?: string | undefined;
  readonly transcript?: string | undefined;
};

/** What Claude Code is told about a call: its own rules decide, its user is asked, or it does not run. */
export type Consent = { readonly say: "as-ruled" } | { readonly say: "ask" | "deny"; readonly reason: string };

export const AS_RULED: Consent = { say: "as-ruled" };

export const CLAUDE_MODES: Readonly<Record<PermissionMode, string>> = {
  default: "default",
  plan: "plan",
  "accept-edits": "acceptEdits",
  "dont-ask": "dontAsk",
  bypass: "bypassPermissions",
};

/** The modes in which Claude Code may ask; without a host that answers, its question is a denial (2.1.197, 2.1.326). */
const ASKING: readonly PermissionMode[] = ["default", "accept-edits"];

/** What Claude Code adds by itself: without them no object is answered, and no sub-agent reports. */
const ALWAYS_THERE: readonly string[] = ["StructuredOutput", "SubagentHandback", "WaitForMcpServers"];

/** True if a call can be refused by the permissions of the request. */
export function needsConsent({ mode, tools }: Permissions): boolean {
  return mode !== "bypass" || tools !== undefined;
}

/**
 * Decides about a call by the permissions of the request alone. Claude Code's rules cover only some of its tools: the others run in every mode,
 * also those that it loads later, and those of sub-agents.
 */
export function consentTo(call: ComingCall, { mode = "default", tools, allow = [] }: Permissions): Consent {
  const name = presentName(call.name);
  // The rules of the request about MCP servers are those of Claude Code.
  if (name.startsWith("mcp__")) return AS_RULED;
  if (tools !== undefined && !ALWAYS_THERE.includes(name) && !tools.some((tool) => presentName(tool) === name))
    return { say: "deny", reason: `${name} is not among the tools of this request.` };
  if (mode === "bypass") return AS_RULED;
  // A question is no protection there: in a sub-agent that bypasses permissions, 2.1.197 runs some of the calls that it was told to ask about.
  if (isWider(call.mode, mode) && classOf(name) !== "reads")
    return { say: "deny", reason: `${name} would run in the permission mode ${call.mode}, which the request does not have.` };
  if (EDITS.includes(name)) return consentToEdit(call, mode, allow);
  const need = needOf(name, call.input, mode);
  if (need === undefined || (need.tool !== undefined && allow.map(presentName).includes(need.tool))) return AS_RULED;
  return { say: ASKING.includes(mode) ? "ask" : "deny", reason: need.reason };
}

const EDITS: readonly string[] = ["Edit", "MultiEdit", "NotebookEdit", "Write"];

/**
 * Claude Code writes its memory, which its later sessions read, in every mode without a question, and files for which the user's settings have a rule. A
 * reading mode asks about both. Its plans are the text of a question in the plan mode.
 */
function consentToEdit({ input, cwd = "", transcript }: ComingCall, mode: PermissionMode, allow: readonly string[]): Consent {
  const own = transcript === undefined ? undefined : resolved(`${transcript}/../../..`);
  const given = stringOf(input["file_path"]) ?? stringOf(input["notebook_path"]) ?? "";
  const path = resolved(/^(?:[\\/]|\w:)/.test(given) ? given : `${cwd}/${given}`);
  if (own !== undefined && path.startsWith(`${own}/plans/`)) return AS_RULED;
  const mayEdit = mode === "accept-edits" || allow.some((entry) => EDITS.includes(entry.replace(/\(.*/s, "")));
  if (mayEdit && (own === undefined || !path.startsWith(`${own}/`))) return AS_RULED;
  return { say: mode === "dont-ask" ? "deny" : "ask", reason: `The permission mode does not allow to write ${path}.` };
}

/** An absolute path without `.` and `..`, with `/` between its parts. */
function resolved(path: string): string {
  const parts: string[] = [];
  for (const part of path.split(/[\\/]+/)) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

/** What a call needs besides the rules of Claude Code: the tool that `allow` must name, if a name can allow it, and the reason. */
type Need = { readonly tool?: string; readonly reason: string };

function needOf(name: string, input: JsonObject, mode: PermissionMode): Need | undefined {
  switch (classOf(name)) {
    case "reads":
    case "ruled":
      return undefined;
    case "judged":
      return name === "Agent" ? needOfAgent(input, mode) : needOfMessage(input);
    case "lasts":
      return { tool: name, reason: `${name} has effects that outlast the run, and the permission mode does not allow them.` };
    default:
      return { tool: name, reason: `${name} is a tool whose effects are not known, and the permission mode does not allow it.` };
  }
}

/** A sub-agent has its own mode by its definition (2.1.197), and a model may leave the plan mode. */
function isWider(itsMode: string | undefined, mode: PermissionMode): boolean {
  const narrow = ["default", "plan", "dontAsk", ...(mode === "accept-edits" ? ["acceptEdits"] : [])];
  return itsMode !== undefined && !narrow.includes(itsMode);
}

/** The parts of a call that only say what a sub-agent works on. */
const TASK_PARTS: readonly string[] = ["description", "prompt", "subagent_type", "model", "effort", "run_in_background"];

function needOfAgent(input: JsonObject, mode: PermissionMode): Need | undefined {
  const others = Object.keys(input).filter(
    (part) => !TASK_PARTS.includes(part) && !(part === "mode" && input[part] === CLAUDE_MODES[mode]),
  );
  const strange = others.find((part) => part !== "isolation");
  if (strange !== undefined) return { reason: `A sub-agent with "${strange}" of its own is not allowed. Call it without.` };
  if (others.length === 0) return undefined;
  return {
    tool: "EnterWorktree",
    reason: "A sub-agent with isolation writes a worktree, and the permission mode does not allow it.",
  };
}

/** The id of a sub-agent of this process, as its result tells it. Other addresses are those of other sessions, which have their own permissions. */
const OWN_AGENT = /^(?:main|a[0-9a-f]{16})$/;

function needOfMessage({ to }: JsonObject): Need | undefined {
  if (OWN_AGENT.test(stringOf(to) ?? "")) return undefined;
  return { tool: "SendMessage", reason: "A message to another session is not allowed. Use the id of a sub-agent of this one." };
}
