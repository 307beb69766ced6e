import type { JsonObject } from "../../spec/json.ts";
import type { Image, Message } from "../../spec/message.ts";
import type { Conversation, PromptRequest } from "../../spec/request.ts";
import { hostToolSettings } from "./app-server-asks.ts";
import { codexEffort, SANDBOXES } from "./launch.ts";
import { trustSetting } from "./project.ts";

export type RpcCall = { readonly method: string; readonly params: JsonObject };

/** The request for a new thread; a completion without a session is not stored. */
export function startThread(request: PromptRequest, directory: string | undefined): RpcCall {
  return { method: "thread/start", params: { ...threadSettings(request, directory), ephemeral: isEphemeral(request) } };
}

/** The settings of a thread that is opened before its prompt is known; undefined for a thread that is stored. */
export function spareSettings(request: PromptRequest): JsonObject | undefined {
  return isEphemeral(request) ? threadSettings(request, undefined) : undefined;
}

/** The request that loads a stored thread. Without a model Codex takes the model and the effort of the thread's last turn. */
export function resumeThread(
  request: PromptRequest,
  directory: string | undefined,
  threadId: string,
  model: string | undefined,
): RpcCall {
  const settings = { ...threadSettings(request, directory), ...(model !== undefined && { model }) };
  return { method: "thread/resume", params: { threadId, ...settings, excludeTurns: true } };
}

/** The request that gives a thread the messages before its first turn; undefined if there are none. */
export function injectHistory(request: PromptRequest, threadId: string): RpcCall | undefined {
  const { items } = splitHistory(request);
  return items.length === 0 ? undefined : { method: "thread/inject_items", params: { threadId, items } };
}

export function startTurn(request: PromptRequest, threadId: string): RpcCall {
  const { prompt, images } = splitHistory(request);
  const { outputSchema } = request;
  const pictures = images.map((image) => ({ type: "image", url: imageUrl(image) }));
  const input = [...pictures, ...(prompt === undefined ? [] : [{ type: "text", text: prompt, text_elements: [] }])];
  return { method: "turn/start", params: { threadId, input, ...(outputSchema !== undefined && { outputSchema }) } };
}

/** What the wire tells about each thread, because the process is shared by requests that differ in it. */
function threadSettings(request: PromptRequest, directory: string | undefined): JsonObject {
  const { systemMode, effort, addDirs = [], permissions, mode, nativeTools = [] } = request;
  const system = systemOf(request) ?? "";
  const instructions = systemMode === "append" ? "developerInstructions" : "baseInstructions";
  return {
    ...(directory !== undefined && { cwd: directory }),
    ...hostToolSettings(nativeTools),
    sandbox: mode === "agent" ? SANDBOXES[permissions?.mode ?? "default"] : "read-only",
    ...(system.trim() !== "" && { [instructions]: system }),
    config: {
      ...(mode === "agent" && trustSetting(request)),
      ...(effort !== undefined && { model_reasoning_effort: codexEffort(effort) }),
      ...(addDirs.length > 0 && { "sandbox_workspace_write.writable_roots": [...addDirs] }),
    },
  };
}

function isEphemeral({ mode, session }: PromptRequest): boolean {
  return mode !== "agent" && session === undefined;
}

/**
 * The request that gives the model the reason of a denial after the result of the call, because the answer to a question has no field for it.
 * Sent before that answer it causes no further request to the model (0.169.0). Undefined without a reason.
 */
export function explainDenial(reason: string, threadId: string | undefined, turnId: string | undefined): RpcCall | undefined {
  if (reason === "" || threadId === undefined || turnId === undefined) return undefined;
  const input = [{ type: "text", text: `The call was denied: ${reason}`, text_elements: [] }];
  return { method: "turn/steer", params: { threadId, expectedTurnId: turnId, input } };
}

/** What a thread gets: the items of the messages before the turn, and the prompt and images of the turn; no prompt after results of tools. */
type ThreadInput = { readonly items: readonly JsonObject[]; readonly prompt?: string; readonly images: readonly Image[] };

function splitHistory({ prompt, images = [], conversation, session }: PromptRequest): ThreadInput {
  if (conversation === undefined || (session !== undefined && "resume" in session)) return { items: [], prompt, images };
  const { messages } = conversation;
  const last = messages.at(-1);
  if (last?.role !== "user") return { items: messages.flatMap(toItems), images: [] };
  return { items: messages.slice(0, -1).flatMap(toItems), prompt: last.text, images: last.images ?? [] };
}

/** The settings that replace those of the prompt: a conversation needs no note about a thread. */
function systemOf({ system, conversation }: PromptRequest): Conversation["system"] {
  return conversation === undefined ? system : conversation.system;
}

function imageUrl({ mediaType, data }: Image): string {
  return `data:${mediaType};base64,${data}`;
}

/** A message as items of OpenAI's Responses API. */
function toItems(message: Message): readonly JsonObject[] {
  const { text, images = [] } = message;
  switch (message.role) {
    case "user": {
      const pictures = images.map((image) => ({ type: "input_image", image_url: imageUrl(image) }));
      return [toMessage("user", [...pictures, { type: "input_text", text }])];
    }
    case "assistant": {
      const calls = (message.toolCalls ?? []).map(({ id, name, args }) => ({
        type: "function_call",
        name,
        arguments: JSON.stringify(args),
        call_id: id,
      }));
      return [...(text === "" ? [] : [toMessage("assistant", [{ type: "output_text", text }])]), ...calls];
    }
    case "tool":
      return [{ type: "function_call_output", call_id: message.callId, output: text }];
    default:
      // Codex drops items with the role `system`.
      return [toMessage("developer", [{ type: "input_text", text }])];
  }
}

function toMessage(role: string, content: readonly JsonObject[]): JsonObject {
  return { type: "message", role, content };
}
