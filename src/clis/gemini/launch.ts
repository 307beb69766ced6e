import { type JsonObject, listOf, objectOf, stringOf } from "../../spec/json.ts";
import { addFile, type HomeFile, type TempFile, type Variables } from "../../spec/provider/cli-data.ts";
import type { LaunchOptions, LaunchParts, McpConfig } from "../../spec/provider/provider.ts";
import type { Refusal, Surroundings } from "../../spec/provider/provider-facts.ts";
import type { McpServers, PermissionMode, PromptRequest } from "../../spec/request.ts";
import { CLOSE_INPUT } from "../../spec/wire/define-wire.ts";
import type { Send } from "../../spec/wire/wire.ts";
import { LONGEST_CALL_MS } from "../shared/bridged-tools.ts";
import { toGeminiServers } from "../shared/mcp-servers.ts";
import { toPromptCommand } from "../shared/prompt-input.ts";
import { refuseCommas } from "../shared/refuse.ts";
import { geminiPolicy, refuseGeminiPermissions, type Unallowed } from "./policy.ts";
import { projectVariables } from "./project.ts";

/** The arguments that make a process print its answer to one prompt as JSON lines. */
export const FORMAT_ARGUMENTS: readonly string[] = ["-o", "stream-json"];

/** Arguments, environment and home of one headless `gemini` process; each was checked with 0.61.0. */
export function launchGemini(request: PromptRequest, options: LaunchOptions, unallowed: Unallowed = "deny"): LaunchParts {
  const tempFiles: TempFile[] = [];
  const env = systemVariables(request, tempFiles);
  const isAgent = request.mode === "agent";
  const args = [
    ...FORMAT_ARGUMENTS,
    ...["--raw-output", "--accept-raw-output-risk"],
    ...(options.model === undefined ? [] : ["-m", options.model]),
    ...(isAgent ? agentArguments(request, tempFiles, unallowed) : []),
    ...sessionArguments(request),
  ];
  if (isAgent) return { args, env: { ...env, ...projectVariables(request, options, tempFiles) }, tempFiles };
  const command = toPromptCommand(request.prompt);
  const homeFiles: HomeFile[] = [{ path: ".gemini/settings.json", content: JSON.stringify(pureSettings(request, options)) }];
  if (command !== undefined) homeFiles.push({ ...command.file, path: `.gemini/${command.file.path}` });
  return { args, env, tempFiles, homeFiles };
}

/** The stdin of Gemini: in a completion the call of the command that contains the prompt, where there is one. */
export function geminiInput({ prompt, mode }: PromptRequest): readonly Send[] {
  const command = mode === "agent" ? undefined : toPromptCommand(prompt);
  return [{ text: command?.call ?? prompt }, CLOSE_INPUT];
}

/** Refuses directories that Gemini would split, permissions that it would not keep to, and the few texts that it would change before it sends them to the model. */
export function refuseForGemini(request: PromptRequest): Refusal | undefined {
  if (request.mode === "agent") return refuseForAgent(request);
  if (/\$\{(?:AgentSkills|SubAgents|AvailableTools)\}/.test(request.system ?? "")) {
    return {
      code: "prompt-malformed",
      message: "Gemini would replace its placeholders AgentSkills, SubAgents or AvailableTools in the system prompt.",
      hint: TEXT_HINT,
    };
  }
  if (toPromptCommand(request.prompt) !== undefined || isPlain(request.prompt)) return undefined;
  const message =
    "Gemini would change a prompt that has two of the marks !{, @{ and {{args}} together with a mention or a command.";
  return { code: "prompt-malformed", message, hint: TEXT_HINT };
}

/** An agent has the user's settings, and no file or argument of a run adds a server to them (0.61.0). */
function refuseForAgent(request: PromptRequest): Refusal | undefined {
  if (request.mcpServers === undefined) return refuseCommas("Gemini", request.addDirs ?? []) ?? refuseGeminiPermissions(request);
  const message = "Gemini takes MCP servers in completion mode only.";
  return { code: "option-unsupported", message, hint: "Add the server to Gemini's own settings, or use another provider." };
}

const TEXT_HINT = "Put a space into the mark, or use another provider.";

/** On stdin Gemini would execute commands (`/word`) and expand mentions of its own folder (`@./`). */
function isPlain(prompt: string): boolean {
  return !/^\/(?![/*])\s*[^\s/]/.test(prompt) && !/(?<!\\)@(?!\{)/.test(prompt);
}

/** No tools, memory, skills, agents, hooks, servers, retries or statistics: 0.6 KB is sent to the API instead of 31 KB. */
function pureSettings(request: PromptRequest, { env = {}, connection = {} }: LaunchOptions): object {
  const { mcpServers = {}, hostServer } = request;
  return {
    security: { auth: { ...objectOf(connection["auth"]), selectedType: chooseLogin(request, env, connection) } },
    // A result over the threshold would be cut to 40,000 characters.
    tools: { core: Object.keys(mcpServers).map((name) => `mcp_${name}_*`), truncateToolOutputThreshold: 0 },
    mcpServers: toGeminiServers(mcpServers, (name) => ({
      trust: true,
      ...(name === hostServer && { timeout: LONGEST_CALL_MS }),
    })),
    // The folders above the private one may contain a GEMINI.md, which Gemini reads even if another file name is set.
    context: { memoryBoundaryMarkers: [], includeDirectoryTree: false },
    skills: { enabled: false },
    hooksConfig: { enabled: false },
    experimental: { enableAgents: false },
    model: { disableLoopDetection: true },
    // Without it a 429 or 500 means ten requests and four minutes without output.
    general: { maxAttempts: 1, enableAutoUpdate: false, enableAutoUpdateNotification: false, topicUpdateNarration: false },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
  };
}

/** The login that the user has selected; without one the environment selects it as in Gemini itself, and the default is Google's. */
export function chooseLogin(request: Pick<PromptRequest, "auth">, env: Surroundings, { auth, variables }: JsonObject): string {
  const selected = stringOf(objectOf(auth)?.["selectedType"]);
  if (selected !== undefined && !(selected === "gemini-api-key" && request.auth === "subscription")) return selected;
  const isNamed = (name: string): boolean => Boolean(env[name]) || listOf(variables).includes(name);
  const named = env["GEMINI_DEFAULT_AUTH_TYPE"];
  if (named !== undefined && named !== "") return named;
  if (env["GOOGLE_GENAI_USE_GCA"] === "true") return "oauth-personal";
  if (env["GOOGLE_GENAI_USE_VERTEXAI"] === "true") return "vertex-ai";
  if (isNamed("GEMINI_API_KEY") && request.auth !== "subscription") return "gemini-api-key";
  if (env["CLOUD_SHELL"] === "true" || env["GEMINI_CLI_USE_COMPUTE_ADC"] === "true") return "compute-default-credentials";
  return "oauth-personal";
}

/** An empty file replaces Gemini's own system prompt. */
function systemVariables(request: PromptRequest, tempFiles: TempFile[]): Variables {
  if (request.system === undefined && request.mode === "agent") return {};
  return { GEMINI_SYSTEM_MD: addFile(tempFiles, "system-prompt.md", request.system ?? "") };
}

const APPROVALS: Readonly<Record<PermissionMode, string>> = {
  default: "default",
  plan: "plan",
  "dont-ask": "default",
  "accept-edits": "auto_edit",
  bypass: "yolo",
};

function agentArguments(request: PromptRequest, tempFiles: TempFile[], unallowed: Unallowed): readonly string[] {
  const { mode = "default" } = request.permissions ?? {};
  const directories = (request.addDirs ?? []).flatMap((directory) => ["--include-directories", directory]);
  // In auto_edit Gemini asks no host about a change of a file, whatever its rules say.
  const approval = mode === "accept-edits" && unallowed === "ask_user" ? "default" : APPROVALS[mode];
  return ["--approval-mode", approval, ...directories, ...policyArguments(request, tempFiles, unallowed)];
}

/** The servers as Gemini gets them, among its other settings; the tools of a completion's servers are allowed. */
export function geminiMcpConfig(servers: McpServers): McpConfig {
  return {
    place: ".gemini/settings.json",
    content: JSON.stringify({ mcpServers: toGeminiServers(servers, () => ({ trust: true })) }),
  };
}

/**
 * The rules of an administrator come before all others; on a machine that has its own, Gemini reads these as the user's. `bypass` without lists
 * leaves the user's own rules in force.
 */
function policyArguments(request: PromptRequest, tempFiles: TempFile[], unallowed: Unallowed): readonly string[] {
  const { mode, tools, deny = [] } = request.permissions ?? {};
  const { name, content } = geminiPolicy(request, unallowed);
  const path = addFile(tempFiles, name, content);
  const isOpen = mode === "bypass" && tools === undefined && deny.length === 0;
  return ["--admin-policy", path, ...(isOpen ? [] : ["--policy", path])];
}

function sessionArguments({ session }: PromptRequest): readonly string[] {
  if (session === undefined || "keep" in session) return [];
  if ("resume" in session) return ["--resume", session.resume];
  return session.id === undefined ? [] : ["--session-id", session.id];
}
