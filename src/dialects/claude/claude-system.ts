import { type JsonObject, listOf, numberOf, objectOf, stringOf } from "../../spec/json.ts";
import type { PermissionQuestion } from "../../spec/stream.ts";
import { NO_STEP } from "../../spec/wire/define-wire.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { WireStep } from "../../spec/wire/wire.ts";
import { serverUnavailable } from "../kit/native-steps.ts";
import { AS_RULED, consentTo } from "./claude-consent.ts";
import { claudeConsent } from "./claude-input.ts";
import { type ClaudeState, laneOf } from "./claude-state.ts";

/** Reads a `system` line: the session, MCP servers that failed to start, the CLI's own retries and model changes. */
export function readSystem(state: ClaudeState, line: JsonObject): WireStep {
  switch (line["subtype"]) {
    case "init":
      return readInit(state, line);
    case "api_retry":
      state.main.abandonUnsettled();
      return { events: [readRetry(line)] };
    case "model_fallback":
      return {
        events: [{ type: "warning", code: "model-fallback", message: stringOf(line["content"]) ?? "The CLI changed the model." }],
      };
    case "informational":
      return { events: [{ type: "warning", code: "cli-warning", message: stringOf(line["content"]) ?? "" }] };
    case "background_tasks_changed":
    case "task_started":
    case "task_updated":
    case "task_notification":
      state.tasks.read(line);
      return NO_STEP;
    case "hook_started":
    case "hook_progress":
    case "hook_response":
      return { events: [], isHeartbeat: true };
    case "permission_denied":
      return readDenial(state, line);
    default:
      return isKnown(stringOf(line["subtype"]) ?? "") ? NO_STEP : { events: [{ type: "native", value: line }] };
  }
}

/** Lines that do not affect the answer. */
function isKnown(subtype: string): boolean {
  return /^(?:status|thinking_tokens|task_\w+|model_refusal_\w+|compact_boundary|local_command\w*)$/.test(subtype);
}

function readInit(state: ClaudeState, line: JsonObject): WireStep {
  const events = startSession(state, line);
  if (events.length === 0) return NO_STEP;
  for (const entry of listOf(line["mcp_servers"])) {
    const { name, status = "unknown" } = objectOf(entry) ?? {};
    if (status !== "connected") events.push(serverUnavailable(stringOf(name) ?? "", stringOf(status) ?? "unknown"));
  }
  return { events };
}

/** The `session-start` of a turn, once. */
export function startSession(state: ClaudeState, line: JsonObject): EventDraft[] {
  const sessionId = stringOf(line["session_id"]);
  if (state.sessionSeen || sessionId === undefined) return [];
  state.sessionSeen = true;
  const facts = {
    model: stringOf(line["model"]),
    cwd: stringOf(line["cwd"]),
    tools: Array.isArray(line["tools"]) ? listOf(line["tools"]).filter((tool) => typeof tool === "string") : undefined,
    cliVersion: stringOf(line["claude_code_version"]),
    auth: stringOf(line["apiKeySource"]),
  };
  const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  return [{ type: "session-start", sessionId, ...known }];
}

function readRetry(line: JsonObject): EventDraft {
  const [maxAttempts, delayMs] = [numberOf(line["max_retries"]), numberOf(line["retry_delay_ms"])];
  const [status, reason] = [numberOf(line["error_status"]), stringOf(line["error"])];
  return {
    type: "upstream-retry",
    attempt: numberOf(line["attempt"]) ?? 1,
    ...(maxAttempts !== undefined && { maxAttempts }),
    ...(delayMs !== undefined && { delayMs }),
    ...(status !== undefined && { status }),
    ...(reason !== undefined && { reason }),
  };
}

/** Claude Code reports its own denials when they happen, since 2.1.325, and again in the `result` line. */
function readDenial(state: ClaudeState, line: JsonObject): WireStep {
  const [id, reason] = [stringOf(line["tool_use_id"]) ?? "", stringOf(line["message"])];
  if (!state.calls.has(id) || state.denied.has(id)) return NO_STEP;
  state.denied.add(id);
  const denial = { type: "permission-denied", id, name: stringOf(line["tool_name"]) ?? "" } as const;
  return { events: [laneOf(state, line).mark(reason === undefined ? denial : { ...denial, reason })] };
}

export function readControlRequest(state: ClaudeState, line: JsonObject): WireStep {
  const request = objectOf(line["request"]);
  if (request?.["subtype"] === "mcp_message") return readMcpMessage(state, line, request);
  if (request?.["subtype"] === "hook_callback") return readComingCall(state, stringOf(line["request_id"]) ?? "", request);
  if (request?.["subtype"] !== "can_use_tool") return NO_STEP;
  const id = stringOf(request["tool_use_id"]);
  const question: PermissionQuestion = {
    requestId: stringOf(line["request_id"]) ?? "",
    name: stringOf(request["tool_name"]) ?? "",
    input: request["input"] ?? null,
  };
  state.questions.set(question.requestId, { id, name: question.name, input: question.input });
  return { events: [{ type: "permission-request", ...question, ...(id !== undefined && { id }) }], asks: [question] };
}

/** An answer that was not streamed has no event for its end: its calls are known when the CLI asks for their results. */
function readMcpMessage(state: ClaudeState, line: JsonObject, request: JsonObject): WireStep {
  const step = state.hostTools.read(stringOf(line["request_id"]) ?? "", objectOf(request["message"]) ?? {});
  const areKnown = step.asks !== undefined && !state.isStreaming && state.hostTools.reportCalls();
  return areKnown ? { ...step, awaitsResults: true } : step;
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
  const consent = state.hostTools.has(call.name) ? AS_RULED : consentTo(call, state.context.permissions ?? {});
  const send = [claudeConsent(requestId, consent)];
  const id = stringOf(request["tool_use_id"]) ?? "";
  if (consent.say !== "deny" || !state.calls.has(id)) return { events: [], isHeartbeat: true, send };
  state.denied.add(id);
  const { name, input } = call;
  return { events: [{ type: "permission-denied", id, name, input, reason: consent.reason }], send };
}
