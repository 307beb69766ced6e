import { CLAUDE_MODES } from "../../dialects/claude/claude-consent.ts";
import { HOST_SERVER } from "../../dialects/claude/claude-host-tools.ts";
import { type JsonObject, objectOf, stringOf } from "../../spec/json.ts";
import { addFile, RUN_DIRECTORY, type TempFile, toJsonWithPaths, type Variables } from "../../spec/provider/cli-data.ts";
import type { LaunchOptions, LaunchParts, McpConfig } from "../../spec/provider/provider.ts";
import type { ConnectionAbout, ConnectionSettings } from "../../spec/provider/provider-facts.ts";
import type { McpServers, PromptRequest, SessionChoice } from "../../spec/request.ts";
import { toPlainServers } from "../shared/mcp-servers.ts";
import { projectParts } from "./project.ts";

/** Arguments, environment and files of one `claude -p` process; each flag was checked with 2.1.197 and 2.1.325. The schema is sent on stdin. */
export function launchClaude(request: PromptRequest, options: LaunchOptions): LaunchParts {
  const { args, ...parts } = launch(request, options, NO_ATTACHMENTS);
  return { ...parts, args: hasCostLimit(request) ? [...args, "--max-budget-usd", String(request.budget?.usd)] : args };
}

/**
 * True if Claude Code gets the budget in USD. It counts the cost of its process, also in a resumed session, and looks after each answer of the
 * model: an answer without tools is complete by then.
 */
export function hasCostLimit(request: PromptRequest): boolean {
  return mayUseTools(request) && (request.budget?.usd ?? 0) > 0;
}

/** As `launchClaude`, for a program that has the flags of `claude`, attaches nothing to a prompt and reads no project. */
export function launchPlainClaude(request: PromptRequest, options: LaunchOptions): LaunchParts {
  return launch({ ...request, trustProject: true }, options, { files: [], args: [], env: {} });
}

function launch(request: PromptRequest, options: LaunchOptions, plugin: Plugin): LaunchParts {
  const isAgent = request.mode === "agent";
  const tempFiles: TempFile[] = isAgent ? [] : [...plugin.files];
  const args = [
    ...["-p", "--output-format", "stream-json", "--input-format", "stream-json", "--verbose", "--include-partial-messages"],
    ...(isAgent ? agentArguments(request, options) : [...PURE_MODEL, ...allowArguments(request), ...plugin.args]),
    ...systemArguments(request, tempFiles),
    ...settingsArguments({ ...options.connection, ...(isAgent ? agentSettings(request) : {}) }, tempFiles),
    ...sessionArguments(request),
    ...mcpArguments(request, tempFiles),
    ...(options.model === undefined ? [] : ["--model", options.model]),
    ...(request.maxTurns === undefined ? [] : ["--max-turns", String(request.maxTurns)]),
    ...(request.effort === undefined ? [] : ["--effort", request.effort]),
  ];
  const env = {
    ...(mayUseTools(request) ? { CLAUDE_CODE_MAX_RETRIES: "2" } : {}),
    ...(isAgent
      ? { ...projectParts(request).env, ...agentEnv(request) }
      : { CLAUDE_CODE_DISABLE_ATTACHMENTS: "1", ...plugin.env }),
    // A conversation without a session is the caller's: a full context must be the caller's failure, as in a new process.
    ...(isAgent || request.session !== undefined ? {} : { DISABLE_AUTO_COMPACT: "1" }),
    ...(hasHostTools(request) ? { CLAUDE_AGENT_SDK_MCP_NO_PREFIX: "1" } : {}),
    ...(request.backgroundTasks === "off" ? { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" } : {}),
    ...(request.maxOutputTokens === undefined ? {} : { CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(request.maxOutputTokens) }),
  };
  return { args, env, tempFiles };
}

/**
 * After a tool has run only Claude Code can repeat a request. Without tools Coxswain repeats what failed before the first text, and
 * Claude Code still survives a stream that breaks later: it sends the request once more, without streaming.
 */
function mayUseTools(request: PromptRequest): boolean {
  return request.mode === "agent" || hasHostTools(request) || Object.keys(request.mcpServers ?? {}).length > 0;
}

function hasHostTools({ nativeTools = [] }: PromptRequest): boolean {
  return nativeTools.length > 0;
}

/**
 * The tools that may run without a question. The host tools are those of a server whose name the model does not see. A completion has no
 * permissions, so the tools of its MCP servers are all allowed.
 */
function allowArguments(request: PromptRequest): readonly string[] {
  const ofCompletion = request.mode === "agent" ? [] : Object.keys(request.mcpServers ?? {});
  const servers = [...(hasHostTools(request) ? [HOST_SERVER] : []), ...ofCompletion];
  const tools = servers.map((name) => `mcp__${name.replace(/[^A-Za-z0-9_-]/g, "_")}`);
  const allowed = [...(request.permissions?.allow ?? []), ...tools];
  return allowed.length === 0 ? [] : ["--allowedTools", ...allowed];
}

/** No tools, project files, commands or MCP servers: Claude Code sends 1 KB to the API instead of 76 KB. */
const PURE_MODEL: readonly string[] = ["--tools", "", "--setting-sources", "", "--strict-mcp-config", "--disable-slash-commands"];

/** A whole `Edit` in the list does not cover these (2.1.197, 2.1.326). */
const FURTHER_EDITS: readonly string[] = ["MultiEdit", "NotebookEdit"];

/** A variadic flag stands before a flag with one value, so that it does not swallow other arguments; the prompt is on stdin. */
function agentArguments(request: PromptRequest, options: LaunchOptions): readonly string[] {
  const { mode, tools, deny = [] } = request.permissions ?? {};
  const addDirs = request.addDirs ?? [];
  return [
    ...(tools === undefined ? [] : ["--tools", tools.join(",")]),
    ...allowArguments(request),
    ...(deny.length === 0 ? [] : ["--disallowedTools", ...deny, ...(deny.includes("Edit") ? FURTHER_EDITS : [])]),
    ...(addDirs.length === 0 ? [] : ["--add-dir", ...addDirs]),
    ...(options.answersPermissions ? ["--permission-prompt-tool", "stdio"] : []),
    ...projectParts(request).args,
    ...["--permission-mode", CLAUDE_MODES[mode ?? "default"]],
  ];
}

/**
 * With the service of Anthropic a classifier of the service may allow commands in the plan mode, because it follows the rules of Claude Code's auto
 * mode (2.1.326). This setting makes it follow those of the default mode.
 */
function agentSettings({ permissions }: PromptRequest): JsonObject {
  return permissions?.mode === "plan" ? { useAutoModeDuringPlan: false } : {};
}

/** If tools are named, 2.1.325 adds a placeholder for those that ToolSearch would find, unless ToolSearch is denied. */
function agentEnv({ permissions }: PromptRequest): Variables {
  const { tools } = permissions ?? {};
  return tools === undefined || tools.includes("ToolSearch") ? {} : { ENABLE_TOOL_SEARCH: "false" };
}

/**
 * A system prompt is passed in a private file, because other users of the machine can see arguments. A completion without one gets an
 * empty one; without it Claude Code would send its own.
 */
function systemArguments(request: PromptRequest, tempFiles: TempFile[]): readonly string[] {
  const { system, systemMode = "replace" } = request;
  if (system === undefined) return request.mode === "agent" ? [] : ["--system-prompt", ""];
  const flag = systemMode === "append" ? "--append-system-prompt" : "--system-prompt";
  if (system === "") return [flag, ""];
  return [`${flag}-file`, addFile(tempFiles, "system-prompt.txt", system)];
}

function sessionArguments(request: PromptRequest): readonly string[] {
  const { session } = request;
  if (session === undefined) return request.mode === "agent" ? [] : ["--no-session-persistence"];
  return chosenSession(session);
}

function chosenSession(session: SessionChoice): readonly string[] {
  if ("keep" in session) return [];
  if ("resume" in session) return ["--resume", session.resume];
  if (!("fork" in session)) return ["--session-id", session.id];
  return ["--resume", session.fork, "--fork-session", ...(session.id === undefined ? [] : ["--session-id", session.id])];
}

/**
 * Server settings may contain secrets: they are passed in a private file, never in an argument. In a completion the tools of the servers
 * are the only ones, and they are allowed.
 */
function mcpArguments(request: PromptRequest, tempFiles: TempFile[]): readonly string[] {
  if (request.mcpServers === undefined) return [];
  const { place, content } = claudeMcpConfig(request.mcpServers);
  return [...(request.mode === "agent" ? ["--strict-mcp-config"] : []), place, addFile(tempFiles, "mcp.json", content)];
}

export function claudeMcpConfig(servers: McpServers): McpConfig {
  return { place: "--mcp-config", content: JSON.stringify({ mcpServers: toPlainServers(servers) }) };
}

/** A plugin of Claude Code for one process: its files, and the arguments and variables that load it. */
type Plugin = {
  readonly files: readonly TempFile[];
  readonly args: readonly string[];
  readonly env: Variables;
};

const FOLDER = "no-attachments";
const MODULE = `${FOLDER}/hooks/no-attachments.mjs`;
const DROP_ATTACHMENT = 'on("prompt.attachment", () => ({ text: null }));';

/**
 * A plugin that removes what Claude Code attaches to a prompt: since 2.1.325 its directory, system, model and date.
 * `text: null` makes the CLI drop an attachment. 2.1.197 has no such hooks: it reads the list, finds `hooks`
 * empty and continues.
 */
const NO_ATTACHMENTS: Plugin = {
  files: [
    { name: `${FOLDER}/hooks/hooks.json`, content: '{ "hooks": {}, "modules": ["./no-attachments.mjs"] }\n' },
    { name: MODULE, content: moduleOf([DROP_ATTACHMENT]) },
  ],
  args: ["--plugin-dir", `${RUN_DIRECTORY}/${FOLDER}`],
  // A separate thread for the plugin would add a tenth of a second to each start.
  env: { CLAUDE_CODE_HOOKS_SAME_THREAD: "1" },
};

/** The launch with more hooks in the plugin; a launch without the plugin stays as it is. */
export function withHooks({ tempFiles = [], ...parts }: LaunchParts, hooks: readonly string[]): LaunchParts {
  const more = { name: MODULE, content: moduleOf([DROP_ATTACHMENT, ...hooks]) };
  return { ...parts, tempFiles: tempFiles.map((file) => (file.name === MODULE ? more : file)) };
}

function moduleOf(hooks: readonly string[]): string {
  return `export const register = (on) => {\n${hooks.map((hook) => `  ${hook}\n`).join("")}};\n`;
}

const FILE = { variable: "CLAUDE_CONFIG_DIR", folder: ".claude", name: "settings.json" };

const COMMANDS: readonly string[] = ["apiKeyHelper", "awsAuthRefresh", "awsCredentialExport", "gcpAuthRefresh"];
/** The commands and limits of the user's login; connection variables of `env` are taken over too. */
const TAKEN: readonly string[] = [...COMMANDS, "forceLoginMethod", "forceLoginOrgUUID", "modelOverrides"];

/** A completion runs without the user's settings (`--setting-sources ""`); settings of an administrator always hold. */
export const CLAUDE_CONNECTION: ConnectionSettings = {
  files: [FILE],
  read: ([settings = {}], about) => {
    const taken = takenOf(settings, about);
    const secrets = COMMANDS.flatMap((name) => stringOf(taken[name]) ?? []);
    return { env: variablesOf(settings, about), taken, secrets };
  },
};

/** The variables alone: a helper's key must not reach another service. */
export const CLAUDE_VARIABLES: ConnectionSettings = {
  files: [FILE],
  read: ([settings = {}], about) => ({ env: variablesOf(settings, about) }),
};

/**
 * The variables that say where and as whom Claude Code talks: services, logins, clouds, proxies and certificates (names in the program of
 * 2.1.326). Others of the user's, such as `MAX_THINKING_TOKENS` or `NODE_OPTIONS`, would change the answer or start a program.
 */
const CONNECTION_VARIABLES =
  /^(?:ANTHROPIC|AWS|AZURE|CLOUDSDK|GCLOUD|GOOGLE|VERTEX)_\w+$|^CLAUDE_CODE_(?:USE_\w+|SKIP_\w+_AUTH|OAUTH_\w+|CUSTOM_OAUTH_URL|API_BASE_URL|API_KEY_HELPER_TTL_MS|GATEWAY_TOKEN|CERT_STORE|CLIENT_(?:CERT|KEY|KEY_PASSPHRASE)|HTTPS?_PROXY|PROXY_\w+)$|^CLOUD_ML_REGION$|^(?:HTTPS?|NO|ALL)_PROXY$|^(?:https?|no|all)_proxy$|^NODE_(?:EXTRA_CA_CERTS|TLS_REJECT_UNAUTHORIZED|USE_SYSTEM_CA)$|^SSL_CERT_(?:FILE|DIR)$/;

/** Claude Code sets these variables over those of its environment; the request's own come last. */
function variablesOf(settings: JsonObject, { request }: ConnectionAbout): Variables {
  const entries = Object.entries(objectOf(settings["env"]) ?? {}).filter(
    ([name]) => CONNECTION_VARIABLES.test(name) && request.env?.[name] === undefined,
  );
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

function takenOf(settings: JsonObject, { request }: ConnectionAbout): JsonObject {
  const names = TAKEN.filter((name) => request.auth !== "subscription" || name !== "apiKeyHelper");
  return Object.fromEntries(names.flatMap((name) => (settings[name] === undefined ? [] : [[name, settings[name]]])));
}

/** Settings of the run, in a private file, because a command may contain a secret. Claude Code puts them over those of the user. */
function settingsArguments(settings: JsonObject, tempFiles: TempFile[]): readonly string[] {
  if (Object.keys(settings).length === 0) return [];
  return ["--settings", addFile(tempFiles, "settings.json", toJsonWithPaths(settings))];
}
