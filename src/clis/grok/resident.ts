import { acpWire } from "../../dialects/acp/acp.ts";
import type { AcpPrompt } from "../../dialects/acp/acp-cli.ts";
import { type JsonObject, objectOf, stringOf } from "../../spec/json.ts";
import type { LaunchOptions, LaunchParts, ResidentTransport } from "../../spec/provider/provider.ts";
import type { PromptRequest } from "../../spec/request.ts";
import { endByError, FAULT_KINDS } from "./end.ts";
import { modelArguments, pureVariables } from "./launch.ts";
import { agentProfile, promptPlaces } from "./prompt.ts";

/** `grok agent stdio`: one process for many sessions, in completion mode only; checked with 1.0.41. */
export const grokResident: ResidentTransport = {
  launch: launchResident,
  serves,
  wire: acpWire({
    turnsAtOnce: 4,
    // 100 turns took no more memory.
    turnsPerProcess: 500,
    session: newSession,
    prompt: verbatimPrompt,
    closes: "session/close",
    loads: false,
    toolName: (call) => stringOf(objectOf(objectOf(call["_meta"])?.["x.ai/tool"])?.["name"]) ?? stringOf(call["title"]),
    countsOf: readCounts,
    endOf: ({ message, details }) => endByError({ type: "error", message: details ?? message }),
    faultKinds: FAULT_KINDS,
  }),
  // With session/load the session would lose the system prompt of its agent.
  resumes: false,
  stopSignal: "SIGTERM",
  traits: { cost: false },
};

/** The system prompt is bound to the session; the model and its effort are flags. */
function launchResident(request: PromptRequest, options: LaunchOptions): LaunchParts {
  const args = ["agent", "--no-leader", ...modelArguments(request, options), "stdio"];
  return { args, env: pureVariables(request) };
}

/** A session gets its id from the CLI here, and no fork of one is begun. */
function serves({ mode, session, ...request }: PromptRequest): boolean {
  if (request.outputSchema !== undefined || request.maxTurns !== undefined || request.mcpServers !== undefined) return false;
  return mode !== "agent" && (session === undefined || "keep" in session || "resume" in session);
}

/** A list of no tools means all tools, so that one is offered and taken away, as in `spawn`. */
function newSession(request: PromptRequest): JsonObject {
  const { context } = promptPlaces(request.prompt);
  const profile = { ...agentProfile(request, context), tools: ["read_file"], disallowedTools: DISALLOWED };
  return { _meta: { agentProfile: profile } };
}

const DISALLOWED: readonly string[] = ["read_file", "search_tool", "use_tool", "web_search", "x_search"];

/** Without `verbatim` the prompt would be put between tags and cut at 100,000 characters. */
function verbatimPrompt({ prompt }: PromptRequest): AcpPrompt {
  return { prompt: [{ type: "text", text: promptPlaces(prompt).prompt }], _meta: { verbatim: true } };
}

/** The names of Grok Build for cached and reasoning tokens, as the protocol names them. */
function readCounts(result: JsonObject): JsonObject | undefined {
  const usage = objectOf(objectOf(result["_meta"])?.["usage"]);
  if (usage === undefined) return undefined;
  const { cacheCreationTokens = null, reasoningTokens = null } = usage;
  return { ...usage, cachedWriteTokens: cacheCreationTokens, thoughtTokens: reasoningTokens };
}
