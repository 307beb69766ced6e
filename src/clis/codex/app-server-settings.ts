import type { JsonObject } from "../../spec/json.ts";
import type { PromptRequest } from "../../spec/request.ts";
import { imageUrl, splitHistory, systemOf } from "./app-server-history.ts";
import { hostToolSettings } from "./app-server-host-tools.ts";
import { codexEffort, SANDBOXES } from "./launch.ts";
import { trustSetting } from "./project.ts";

/** The method and parameters of a JSON-RPC request. */
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

/** The request for a turn: the prompt, its images and the schema of the answer. */
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
