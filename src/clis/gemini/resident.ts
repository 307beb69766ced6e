import { acpWire } from "../../dialects/acp/acp.ts";
import { textsOf } from "../../dialects/acp/acp-calls.ts";
import type { AcpTally, RpcError } from "../../dialects/acp/acp-cli.ts";
import { isJsonObject, type JsonObject, type JsonValue, numberOf, objectOf, parseJson, stringOf } from "../../spec/json.ts";
import type { LaunchOptions, LaunchParts, ResidentTransport } from "../../spec/provider/provider.ts";
import type { PromptRequest } from "../../spec/request.ts";
import type { Fault, TurnEnd } from "../../spec/wire/wire.ts";
import { asksHost } from "../shared/asks-host.ts";
import { FORMAT_ARGUMENTS, launchGemini } from "./launch.ts";
import { SHELL_TOOL } from "./policy.ts";
import { toGeminiFault } from "./read-fault.ts";

/** `gemini --acp`: one process for many sessions; checked with 0.61.0. */
export const geminiResident: ResidentTransport = {
  launch: launchResident,
  serves,
  wire: acpWire({
    turnsAtOnce: 4,
    // No method closes a session: 100 turns took 47 MB.
    turnsPerProcess: 100,
    loads: false,
    toolName: ({ toolCallId }) => /^(.+)__[^_]*$/.exec(String(toolCallId))?.[1],
    inputOf,
    countsOf,
    faultOf,
    faultKinds: new Map([
      ["max_tokens", "no-request"],
      ["max_turn_requests", "FatalTurnLimitedError"],
    ]),
    endOf,
  }),
  // Its session/load refuses the sessions of other processes ("Invalid session identifier").
  resumes: false,
  stopSignal: "SIGTERM",
  traits: { reasoning: true, permissionRequests: true },
  onlyIfAsked: "Gemini reports no output tokens there: it counts them without the model's thoughts.",
};

/** The system prompt and the model are part of the launch, as in `spawn`. */
function launchResident({ session, ...request }: PromptRequest, options: LaunchOptions): LaunchParts {
  const kept = session === undefined ? {} : { session: { keep: true } as const };
  const { homeFiles, ...parts } = launchGemini({ ...request, prompt: "", ...kept }, options, "ask_user");
  const settings = homeFiles?.filter(({ path }) => path === ".gemini/settings.json");
  const args = ["--acp", ...parts.args.slice(FORMAT_ARGUMENTS.length)];
  return { ...parts, args, ...(settings !== undefined && { homeFiles: settings }) };
}

/** It executes `/word` and `$word` after any whitespace, in all texts of a prompt together; other marks have no meaning. */
function serves(
  { mode, prompt, session, mcpServers, permissions }: PromptRequest,
  { answersPermissions }: LaunchOptions,
): boolean {
  if (mcpServers !== undefined) return false;
  if (/^\s*[/$]/.test(prompt)) return false;
  if (session !== undefined && !("keep" in session) && !("resume" in session)) return false;
  return mode !== "agent" || (answersPermissions && asksHost(permissions?.mode) && !prompt.includes("@"));
}

/**
 * Gemini sends no `rawInput`. The title of a command is the command, and the text has its directory. The text of an MCP tool is its input as
 * JSON, unless that has more than 500 characters.
 */
function inputOf(call: JsonObject, name: string): JsonValue | undefined {
  const text = textsOf(call).join("\n");
  if (name === SHELL_TOOL) {
    const command = stringOf(call["title"]);
    return command === undefined ? undefined : { command, ...(text !== "" && { explanation: text }) };
  }
  const given = name.startsWith("mcp_") ? parseJson(text) : undefined;
  return isJsonObject(given) ? given : undefined;
}

/** The output is counted without the model's thoughts, so that it stays unknown. */
function countsOf(result: JsonObject): JsonObject {
  return { inputTokens: tokensOf(result)["input_tokens"] ?? null };
}

/** Gemini ends a turn without an error if the answer was empty, blocked or cut; then it has no text or no tokens. */
function faultOf(result: JsonObject, { hasText, hasCalls }: AcpTally): Fault | undefined {
  const isCounted = numberOf(tokensOf(result)["input_tokens"]) !== 0;
  return isCounted && (hasText || hasCalls) ? undefined : EMPTY;
}

const EMPTY: Fault = { kind: "INVALID_STREAM", message: "Gemini ended its turn without a complete answer." };

function tokensOf(result: JsonObject): JsonObject {
  return objectOf(objectOf(objectOf(result["_meta"])?.["quota"])?.["token_count"]) ?? {};
}

/** The code is the HTTP status; 500 also stands for an unknown one. */
function endOf({ code, message, details, event }: RpcError): TurnEnd {
  const status = code >= 400 && code !== 500 ? { status: code } : {};
  return { finish: "error", fault: { ...status, ...toGeminiFault(`[API Error: ${details ?? message}]`), event } };
}
