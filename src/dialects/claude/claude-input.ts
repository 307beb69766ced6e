import { type JsonObject, type JsonValue, objectOf } from "../../spec/json.ts";
import type { PromptRequest } from "../../spec/request.ts";
import type { PermissionAnswer } from "../../spec/stream.ts";
import type { Send } from "../../spec/wire/wire.ts";
import { type Consent, needsConsent } from "./claude-consent.ts";
import { HOST_SERVER } from "./claude-host-tools.ts";

/** The lines that send Claude Code a prompt; stdin stays open, because the CLI may ask for permissions. */
export function claudeInput(request: PromptRequest): readonly Send[] {
  return [{ text: `${initializeLine(request)}${userLine(request)}` }];
}

/** As `claudeInput`, for Claude Code itself, which asks about each call of an agent before it runs. */
export function claudeAskingInput(request: PromptRequest): readonly Send[] {
  return [{ text: `${initializeLine(request, hooksOf(request))}${userLine(request)}` }];
}

/** The line that sends the next prompt to a process that has answered one; its settings stay. */
export function claudeNextInput(request: PromptRequest): readonly Send[] {
  return [{ text: userLine(request) }];
}

/** The line that tells a process its settings after its start; empty if there are none. It takes them only once, before its first prompt. */
export function lateSettings(request: PromptRequest): string {
  const { system, systemMode } = request;
  return initializeLine(request, {
    ...(systemMode !== "append" && system !== undefined && { systemPrompt: system }),
    ...hooksOf(request),
  });
}

/** The lines that send a prompt to a process that was started without the system prompt. */
export function residentInput(request: PromptRequest, isTold: boolean): readonly Send[] {
  return [{ text: `${isTold ? "" : lateSettings(request)}${userLine(request)}` }];
}

/** True for the answer to the settings if the process has accepted them. */
export function isAccepted(native: JsonValue): boolean {
  const line = objectOf(native);
  const response = objectOf(line?.["response"]);
  return line?.["type"] === "control_response" && response?.["request_id"] === SETTINGS && response["subtype"] === "success";
}

const SETTINGS = "coxswain-initialize";

/** The CLI ends the interrupted turn and takes the next one. */
export function claudeInterrupt(): readonly Send[] {
  const line = { type: "control_request", request_id: "coxswain-interrupt", request: { subtype: "interrupt" } };
  return [{ text: `${JSON.stringify(line)}\n` }];
}

/** The control line that answers a permission request. */
export function claudeAnswer(requestId: string, input: unknown, answer: PermissionAnswer): Send {
  const response = answer.behavior === "allow" ? { behavior: "allow", updatedInput: answer.updatedInput ?? input } : answer;
  const line = { type: "control_response", response: { subtype: "success", request_id: requestId, response } };
  return { text: `${JSON.stringify(line)}\n` };
}

/**
 * The settings that are sent on stdin. Since 2.1.325 a resumed session keeps its first system prompt, unless the snapshot is off;
 * 2.1.197 ignores the field. The schema is sent here, because other users of the machine can see arguments.
 */
function initializeLine(request: PromptRequest, more: JsonObject = {}): string {
  const { session = { keep: true }, outputSchema, nativeTools = [] } = request;
  const isResumed = "resume" in session || "fork" in session;
  const { hooks, ...first } = more;
  const settings = {
    ...first,
    ...(isResumed && { systemPromptSnapshot: false }),
    ...(outputSchema !== undefined && { jsonSchema: outputSchema }),
    ...(nativeTools.length > 0 && { sdkMcpServers: [HOST_SERVER] }),
    ...(hooks !== undefined && { hooks }),
  };
  if (Object.keys(settings).length === 0) return "";
  const line = { type: "control_request", request_id: SETTINGS, request: { subtype: "initialize", ...settings } };
  return `${JSON.stringify(line)}\n`;
}

/** The largest whole number of seconds that its timer takes, 24 days: a call without an answer is never run, and is not run when the time is over. */
const UNANSWERED_SECONDS = 2_147_483;

/** Claude Code sends a `hook_callback` before each call, also before those of sub-agents, and waits for the answer. `onFailure` is read by 2.1.326. */
function hooksOf({ mode, permissions = {} }: PromptRequest): JsonObject {
  if (mode !== "agent" || !needsConsent(permissions)) return {};
  const asked = { hookCallbackIds: ["coxswain-call"], timeout: UNANSWERED_SECONDS, onFailure: "block" };
  return { hooks: { PreToolUse: [asked] } };
}

/** The control line that answers the question about a call. */
export function claudeConsent(requestId: string, consent: Consent): Send {
  const decided = consent.say === "as-ruled" ? {} : { hookSpecificOutput: toHookOutput(consent) };
  const line = { type: "control_response", response: { subtype: "success", request_id: requestId, response: decided } };
  return { text: `${JSON.stringify(line)}\n` };
}

function toHookOutput({ say, reason }: Exclude<Consent, { say: "as-ruled" }>): JsonObject {
  return { hookEventName: "PreToolUse", permissionDecision: say, permissionDecisionReason: reason };
}

/** Claude Code looks for mentions (`@file`) and commands (`/word`) in the last block only, so a blank last block makes the prompt inert. */
function userLine({ prompt, images = [] }: PromptRequest): string {
  const content = [
    ...images.map(({ mediaType, data }) => ({ type: "image", source: { type: "base64", media_type: mediaType, data } })),
    ...[prompt, " "].map((text) => ({ type: "text", text })),
  ];
  return `${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`;
}
