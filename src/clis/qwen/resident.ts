import { acpWire } from "../../dialects/acp/acp.ts";
import type { AcpPrompt, RpcError } from "../../dialects/acp/acp-cli.ts";
import { type JsonObject, objectOf, stringOf } from "../../spec/json.ts";
import type { LaunchOptions, LaunchParts, ResidentTransport } from "../../spec/provider/provider.ts";
import type { PromptRequest } from "../../spec/request.ts";
import type { TurnEnd } from "../../spec/wire/wire.ts";
import { asksHost } from "../shared/asks-host.ts";
import { toApiError } from "./cli-message.ts";
import { FORMAT_ARGUMENTS, launchQwen } from "./launch.ts";

/** `qwen --acp`: one process for many sessions; checked with 0.15.10 and 0.24.4. */
export const qwenResident: ResidentTransport = {
  launch: launchResident,
  serves,
  wire: acpWire({
    turnsAtOnce: 4,
    // 100 turns took 47 MB (0.24.4); 0.15.10 cannot close a session.
    turnsPerProcess: 100,
    prompt: inertPrompt,
    closes: "qwen/control/session/close",
    loads: true,
    toolName,
    countsIn: (update) => objectOf(objectOf(update["_meta"])?.["usage"]),
    endOf,
  }),
  stopSignal: "SIGTERM",
  traits: { usage: "turn", permissionRequests: true },
  // 0.24.4 calls every 429 a rate limit, also that of a spent quota.
  unclearFailures: ["rate_limit"],
  keepsConversation: true,
};

/** The system prompt and the model are part of the launch: the protocol has no field for the first, and only listed values for the second. */
function launchResident({ session, ...request }: PromptRequest, options: LaunchOptions): LaunchParts {
  const kept = session === undefined ? {} : { session: { keep: true } as const };
  const parts = launchQwen({ ...request, prompt: "", ...kept }, options, true);
  return { ...parts, args: ["--acp", ...parts.args.slice(FORMAT_ARGUMENTS.length)], homeFiles: [] };
}

/** Schemas and turn limits are flags of a single run. An agent of `spawn` reads `@file` and `/command`; this transport does not. */
function serves(
  { mode, prompt, session, permissions, ...request }: PromptRequest,
  { answersPermissions }: LaunchOptions,
): boolean {
  if (request.outputSchema !== undefined || request.maxTurns !== undefined || request.mcpServers !== undefined) return false;
  if (session !== undefined && !("keep" in session) && !("resume" in session)) return false;
  return mode !== "agent" || (answersPermissions && asksHost(permissions?.mode) && !/^\s*\/|@/.test(prompt));
}

/**
 * Qwen Code looks for a command in the first text only, and sends no empty text to the model. It stores the texts of a session with a
 * space between them, so that any other prompt is one text.
 */
function inertPrompt({ prompt }: PromptRequest): AcpPrompt {
  const texts = prompt.startsWith("/") ? ["", prompt] : [prompt];
  return { prompt: texts.map((text) => ({ type: "text", text })) };
}

/** The permission requests of 0.15.10 name no tool. */
function toolName({ _meta, kind, title }: JsonObject): string | undefined {
  return stringOf(objectOf(_meta)?.["toolName"]) ?? (kind === "execute" ? "run_shell_command" : stringOf(title));
}

/** The code is the HTTP status of a rate limit (0.24.4); other errors of the API have it in their text. */
function endOf({ code, message, details, event }: RpcError): TurnEnd {
  return { finish: "error", fault: { ...(code >= 400 && { status: code }), ...toApiError(details ?? message), event } };
}
