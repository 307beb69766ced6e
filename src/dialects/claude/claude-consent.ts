import { deniesWriting } from "../../spec/fields.ts";
import { type JsonObject, objectOf, stringOf } from "../../spec/json.ts";
import type { PermissionMode, Permissions, PromptRequest } from "../../spec/request.ts";
import type { PermissionAnswer, PermissionQuestion } from "../../spec/stream.ts";
import { NO_STEP } from "../../spec/wire/define-wire.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { Send, WireStep } from "../../spec/wire/wire.ts";
import { sendLine } from "../kit/lines.ts";
import type { ClaudeState } from "./claude-state.ts";
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

const AS_RULED: Consent = { say: "as-ruled" };

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
export function needsConsent(permissions: Permissions): boolean {
  return permissions.mode !== "bypass" || permissions.tools !== undefined || deniesWriting(permissions);
}

/** The largest whole number of seconds that its timer takes, 24 days: a call without an answer is never run, and is not run when the time is over. */
const UNANSWERED_SECONDS = 2_147_483;

/** Claude Code sends a `hook_callback` before each call, also before those of sub-agents, and waits for the answer. `onFailure` is read by 2.1.326. */
export function hooksOf({ permissions = {} }: PromptRequest): JsonObject {
  if (!needsConsent(permissions)) return {};
  const asked = { hookCallbackIds: ["coxswain-call"], timeout: UNANSWERED_SECONDS, onFailure: "block" };
  return { hooks: { PreToolUse: [asked] } };
}

/**
 * Decides about a call by the permissions of the request alone. Claude Code's rules cover only some of its tools: the others run in every mode,
 * also those that it loads later, and those of sub-agents.
 */
export function consentTo(call: ComingCall, permissions: Permissions): Consent {
  const { mode = "default", tools, allow = [] } = permissions;
  const name = presentName(call.name);
  // The rules of the request about MCP servers are those of Claude Code.
  if (name.startsWith("mcp__")) return AS_RULED;
  if (tools !== undefined && !ALWAYS_THERE.includes(name) && !tools.some((tool) => presentName(tool) === name))
    return { say: "deny", reason: `${name} is not among the tools of this request.` };
  if (mode === "bypass" && !deniesWriting(permissions)) return AS_RULED;
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
  const say = mode === "dont-ask" || mode === "bypass" ? "deny" : "ask";
  return { say, reason: `The permission mode does not allow to write ${path}.` };
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
  if (mode === "bypass") return false;
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

/** Reads a line in which Claude Code asks its host: whether a tool may run, or for a result. */
export function readControlRequest(state: ClaudeState, line: JsonObject): WireStep {
  const [requestId, request] = [stringOf(line["request_id"]) ?? "", objectOf(line["request"]) ?? {}];
  switch (request["subtype"]) {
    case "mcp_message":
      return readMcpMessage(state, requestId, request);
    case "hook_callback":
      return readComingCall(state, requestId, request);
    case "can_use_tool":
      return readQuestion(state, requestId, request);
    default:
      return NO_STEP;
  }
}

/** An answer that was not streamed has no event for its end: its calls are known when the CLI asks for their results. */
function readMcpMessage({ hostTools, isStreaming }: ClaudeState, requestId: string, request: JsonObject): WireStep {
  if (hostTools === undefined) return NO_STEP;
  const step = hostTools.read(requestId, objectOf(request["message"]) ?? {});
  const areKnown = step.asks !== undefined && !isStreaming && hostTools.reportCalls();
  return areKnown ? { ...step, awaitsResults: true } : step;
}

function readQuestion(state: ClaudeState, requestId: string, request: JsonObject): WireStep {
  const id = stringOf(request["tool_use_id"]);
  const question: PermissionQuestion = { requestId, name: stringOf(request["tool_name"]) ?? "", input: request["input"] ?? null };
  state.questions.set(requestId, { id, name: question.name, input: question.input });
  return { events: [{ type: "permission-request", ...question, ...(id !== undefined && { id }) }], asks: [question] };
}

/** The `result` line names a denied call again, and no line names the input that the host has changed. */
export function answerQuestion(state: ClaudeState, requestId: string, answer: PermissionAnswer): WireStep {
  const { id, name = "", input = null } = state.questions.get(requestId) ?? {};
  state.questions.delete(requestId);
  const events: EventDraft[] = [];
  if (id !== undefined && answer.behavior === "deny") {
    state.denied.add(id);
    events.push({ type: "permission-denied", id, name, input });
  }
  if (id !== undefined && answer.behavior === "allow" && answer.updatedInput !== undefined)
    events.push({ type: "input-change", id, input: answer.updatedInput });
  const response = answer.behavior === "allow" ? { behavior: "allow", updatedInput: answer.updatedInput ?? input } : answer;
  return { events, send: [answerLine(requestId, response)] };
}

/** The answer is sent at once. Claude Code reports a denial by a hook only in its `result` line. */
function readComingCall(state: ClaudeState, requestId: string, request: JsonObject): WireStep {
  const asked = objectOf(request["input"]) ?? {};
  const call = {
    name: stringOf(asked["tool_name"]) ?? "",
    input: objectOf(asked["tool_input"]) ?? {},
    mode: stringOf(asked["permission_mode"]),
    cwd: stringOf(asked["cwd"]),
    transcript: stringOf(asked["transcript_path"]),
  };
  const consent = state.hostTools?.has(call.name) === true ? AS_RULED : consentTo(call, state.context.permissions ?? {});
  const send = [answerLine(requestId, consent.say === "as-ruled" ? {} : { hookSpecificOutput: toHookOutput(consent) })];
  const id = stringOf(request["tool_use_id"]) ?? "";
  if (consent.say !== "deny" || !state.calls.has(id)) return { events: [], isHeartbeat: true, send };
  state.denied.add(id);
  const { name, input } = call;
  return { events: [{ type: "permission-denied", id, name, input, reason: consent.reason }], send };
}

function toHookOutput({ say, reason }: Exclude<Consent, { say: "as-ruled" }>): JsonObject {
  return { hookEventName: "PreToolUse", permissionDecision: say, permissionDecisionReason: reason };
}

/** The control line that answers a question of Claude Code. */
function answerLine(requestId: string, response: JsonObject): Send {
  return sendLine({ type: "control_response", response: { subtype: "success", request_id: requestId, response } });
}
