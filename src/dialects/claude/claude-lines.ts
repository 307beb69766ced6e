import { type JsonObject, type JsonValue, objectOf } from "../../spec/json.ts";
import type { PromptRequest } from "../../spec/request.ts";
import type { Send } from "../../spec/wire/wire.ts";
import { sendLine } from "../kit/lines.ts";
import { hooksOf } from "./claude-consent.ts";
import { HOST_SERVER } from "./claude-host-tools.ts";

/** The lines that send Claude Code a prompt; stdin stays open, because the CLI may ask for permissions. */
export function claudeInput(request: PromptRequest): readonly Send[] {
  return [{ text: `${initializeLine(request)}${userLine(request)}` }];
}

/** As `claudeInput`, for Claude Code itself, which asks about each call of an agent before it runs. */
export function claudeAskingInput(request: PromptRequest): readonly Send[] {
  return [{ text: `${initializeLine(request, agentHooks(request))}${userLine(request)}` }];
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
    ...agentHooks(request),
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
  return [sendLine({ type: "control_request", request_id: "coxswain-interrupt", request: { subtype: "interrupt" } })];
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

/** Claude Code looks for mentions (`@file`) and commands (`/word`) in the last block only, so a blank last block makes the prompt inert. */
function userLine({ prompt, images = [] }: PromptRequest): string {
  const content = [
    ...images.map(({ mediaType, data }) => ({ type: "image", source: { type: "base64", media_type: mediaType, data } })),
    ...[prompt, " "].map((text) => ({ type: "text", text })),
  ];
  return `${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`;
}

function agentHooks(request: PromptRequest): JsonObject {
  return request.mode === "agent" ? hooksOf(request) : {};
}

/** A longer line costs more by its bytes than by its fields. */
const LONGEST_LINE = 4096;

const JSON_STRING: string = String.raw`"[^"\\\0-\x1f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\0-\x1f]*)*"`;
const DELTA: string = String.raw`\{"type":"content_block_delta","index":\d,"delta":\{"type":"text_delta","text":(${JSON_STRING})\}\}`;
const IDS: string = String.raw`(?:,"(?:session_id|uuid|api_message_id)":"[\w-]*"|,"parent_tool_use_id":null)*`;
/** A text delta of the main agent (fixture partial-text); the group is the text as a JSON string. */
const TEXT_LINE: RegExp = new RegExp(String.raw`^\{"type":"stream_event","event":${DELTA}${IDS}\}$`);

/**
 * Reads a line with a text delta without the ids that no event needs. Most lines of a long answer are these: a stream of them is
 * read in half the time that `JSON.parse` of the whole lines takes.
 */
export function readTextLine(line: string): JsonValue | undefined {
  const text = line.length > LONGEST_LINE ? undefined : TEXT_LINE.exec(line)?.[1];
  if (text === undefined) return undefined;
  const delta = { type: "text_delta", text: JSON.parse(text) as string };
  return { type: "stream_event", event: { type: "content_block_delta", delta }, parent_tool_use_id: null };
}
