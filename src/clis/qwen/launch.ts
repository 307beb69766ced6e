import type { JsonObject } from "../../spec/json.ts";
import { addFile, type TempFile, type Variables } from "../../spec/provider/cli-data.ts";
import type { LaunchOptions, LaunchParts, McpConfig } from "../../spec/provider/provider.ts";
import type { Refusal } from "../../spec/provider/provider-facts.ts";
import type { McpServers, PromptRequest } from "../../spec/request.ts";
import { CLOSE_INPUT } from "../../spec/wire/define-wire.ts";
import type { Send } from "../../spec/wire/wire.ts";
import { LONGEST_CALL_MS } from "../shared/bridged-tools.ts";
import { toGeminiServers } from "../shared/mcp-servers.ts";
import { type PromptCommand, toPromptArgument, toPromptCommand } from "../shared/prompt-input.ts";
import { agentArguments, hookVariables, refuseQwenPermissions } from "./permissions.ts";
import { projectArguments, projectVariables } from "./project.ts";
import { agentVariables, pureArguments, pureVariables } from "./settings.ts";

/**
 * The launcher of 0.24.4 starts the program as a child that signals do not reach, unless its arguments ask for help. It reads them
 * from this variable first; the program reads the real ones. With the compile cache on it leaves files in the temporary directory.
 */
const ONE_PROCESS = { QWEN_CODE_RELAUNCH_ARGS: '["-h"]', NODE_DISABLE_COMPILE_CACHE: "1" };

/** The arguments that make a process print its answer to one prompt as JSON lines. */
export const FORMAT_ARGUMENTS: readonly string[] = ["-o", "stream-json", "--include-partial-messages"];

/** Arguments, environment and home of one headless `qwen` process; each was checked with 0.15.10 and 0.24.4. Only a resident process can ask its host. */
export function launchQwen(request: PromptRequest, options: LaunchOptions, asksHost = false): LaunchParts {
  const tempFiles: TempFile[] = [];
  const isAgent = request.mode === "agent";
  const command = commandFor(request);
  const system = systemParts(request, tempFiles);
  const args = [
    ...FORMAT_ARGUMENTS,
    ...(options.model === undefined ? [] : ["-m", options.model]),
    ...(isAgent ? agentArguments(request, asksHost) : pureArguments(request)),
    ...system.args,
    ...sessionArguments(request),
    ...mcpArguments(request, tempFiles),
    ...schemaArguments(request, tempFiles),
    ...(request.maxTurns === undefined ? [] : ["--max-session-turns", String(request.maxTurns)]),
    ...projectArguments(request),
  ];
  const env = {
    ...ONE_PROCESS,
    ...system.env,
    ...(isAgent ? agentVariables(request, tempFiles) : pureVariables(request, tempFiles)),
    ...(isAgent ? hookVariables(request, asksHost, tempFiles) : {}),
    ...(isAgent ? projectVariables(request, options, tempFiles) : {}),
  };
  const homeFiles = command === undefined ? [] : [command.file];
  return { args, env, tempFiles, homeFiles };
}

/** Refuses permissions that Qwen Code would not keep to, and the few prompts that it would change before it sends them to the model. */
export function refuseForQwen(request: PromptRequest): Refusal | undefined {
  if (request.mode === "agent") return refuseQwenPermissions(request);
  if (commandFor(request) !== undefined) return undefined;
  return {
    code: "prompt-malformed",
    message:
      "Qwen Code would change a prompt that has two of the marks !{, @{ and {{args}} with a line break or several spaces between them.",
    hint: "Remove the line breaks and spaces between the marks, or use another provider.",
  };
}

type SystemParts = { readonly args: readonly string[]; readonly env: Variables };

/**
 * The system prompt is in a private file, because other users of the machine can see arguments, and Qwen Code replaces an empty
 * argument by its own system prompt. A text to append can only be an argument.
 */
function systemParts(request: PromptRequest, tempFiles: TempFile[]): SystemParts {
  const { system = "", systemMode, mode } = request;
  if (systemMode === "append") return { args: system === "" ? [] : [`--append-system-prompt=${system}`], env: {} };
  if (mode === "agent" && system === "") return { args: [], env: {} };
  return { args: [], env: { QWEN_SYSTEM_MD: addFile(tempFiles, "system-prompt.md", system) } };
}

function sessionArguments(request: PromptRequest): readonly string[] {
  const { session } = request;
  if (session === undefined) return request.mode === "agent" ? [] : ["--chat-recording=false"];
  if ("keep" in session) return [];
  if ("resume" in session) return ["--resume", session.resume];
  return session.id === undefined ? [] : ["--session-id", session.id];
}

/** Server settings may contain secrets: they are passed in a private file, never in an argument. */
function mcpArguments(request: PromptRequest, tempFiles: TempFile[]): readonly string[] {
  if (request.mcpServers === undefined) return [];
  const { mcpServers, mode, hostServer } = request;
  const trust: JsonObject = mode === "agent" ? {} : { trust: true };
  const { place, content } = qwenMcpConfig(mcpServers, (name) => (name === hostServer ? HOST_SETTINGS : trust));
  return [place, addFile(tempFiles, "mcp.json", content)];
}

/** Otherwise an agent is not offered the tools until it searches for them, and calls end after ten minutes. */
const HOST_SETTINGS = { trust: true, alwaysLoadTools: true, timeout: LONGEST_CALL_MS };

/** The servers as Qwen Code gets them; the tools of a completion's servers are allowed. */
export function qwenMcpConfig(servers: McpServers, settingsOf: (name: string) => JsonObject = () => ({})): McpConfig {
  return { place: "--mcp-config", content: JSON.stringify({ mcpServers: toGeminiServers(servers, settingsOf) }) };
}

function schemaArguments(request: PromptRequest, tempFiles: TempFile[]): readonly string[] {
  if (request.outputSchema === undefined) return [];
  return ["--json-schema", `@${addFile(tempFiles, "schema.json", JSON.stringify(request.outputSchema))}`];
}

/**
 * The command that contains the prompt of a completion. On stdin Qwen Code would execute `/word` and look up `@word` as a file,
 * which puts spaces into mail addresses.
 */
function commandFor({ prompt, mode }: PromptRequest): PromptCommand | undefined {
  return mode === "agent" ? undefined : (toPromptCommand(prompt) ?? toPromptArgument(prompt));
}

/** The stdin of Qwen Code: the call of that command, or an agent's prompt unchanged. */
export function qwenInput(request: PromptRequest): readonly Send[] {
  return [{ text: commandFor(request)?.call ?? request.prompt }, CLOSE_INPUT];
}
