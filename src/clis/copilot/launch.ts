import type { JsonObject } from "../../spec/json.ts";
import { addFile, RUN_DIRECTORY, type TempFile, type Variables } from "../../spec/provider/cli-data.ts";
import type { LaunchOptions, LaunchParts, McpConfig } from "../../spec/provider/provider.ts";
import type { Refusal, Surroundings } from "../../spec/provider/provider-facts.ts";
import type { McpServers, PromptRequest, SessionChoice } from "../../spec/request.ts";
import { mapServers } from "../shared/mcp-servers.ts";
import { agentArguments, hookParts, refuseCopilotPermissions } from "./permissions.ts";
import { projectArguments } from "./project.ts";

/** Arguments, environment and files of one `copilot` process; each flag was checked with 1.0.102. */
export function launchCopilot(request: PromptRequest, { model, env = {} }: LaunchOptions): LaunchParts {
  const tempFiles: TempFile[] = [];
  const hook = hookParts(request, tempFiles);
  const args = [
    ...["--output-format", "json", "--stream", "on", "--no-ask-user", "--no-color", "--log-level", "none"],
    ...["--no-auto-update", "--no-remote", "--no-remote-export", "--disable-client-telemetry"],
    ...(request.mode === "agent" ? [...agentArguments(request), ...projectArguments(request)] : pureArguments(request)),
    ...hook.args,
    ...sessionArguments(request.session),
    ...mcpArguments(request, tempFiles),
    ...(model === undefined ? [] : ["--model", model]),
    ...(request.effort === undefined ? [] : ["--reasoning-effort", request.effort]),
  ];
  return {
    args,
    env: { ...hook.env, ...systemEnvironment(request, env, tempFiles) },
    tempFiles,
  };
}

const COMMAND = /^\s*\/(?:compact|autopilot|goal)(?=\s|$)/;

/** Copilot executes these commands even when it is not interactive, and no flag disables them. */
export function refuseCopilot(request: PromptRequest): Refusal | undefined {
  const command = COMMAND.exec(request.prompt)?.[0]?.trim();
  if (command === undefined) return refuseCopilotPermissions(request);
  const message = `GitHub Copilot CLI would run "${command}" at the beginning of the prompt as a command.`;
  return { code: "prompt-malformed", message, hint: "Put a word before it, or use another provider." };
}

/** No tool is named `none`: 7.9 KB is sent to the API instead of 47 KB. An empty list would mean all tools. */
function pureArguments({ system, mcpServers = {} }: PromptRequest): readonly string[] {
  const tools = Object.keys(mcpServers).map((server) => `${server}/*`);
  return [
    `--available-tools=${["none", ...tools].join(",")}`,
    "--disable-builtin-mcps",
    ...(system?.trim() ? [] : ["--no-custom-instructions"]),
    ...Object.keys(mcpServers).map((server) => `--allow-tool=${server}`),
  ];
}

function sessionArguments(session: SessionChoice | undefined): readonly string[] {
  if (session === undefined || "keep" in session) return [];
  if ("resume" in session) return [`--resume=${session.resume}`];
  return "fork" in session ? [] : [`--session-id=${session.id}`];
}

/** Server settings may contain secrets: they are passed in a private file, never in an argument. */
function mcpArguments({ mcpServers }: PromptRequest, tempFiles: TempFile[]): readonly string[] {
  if (mcpServers === undefined) return [];
  const { place, content } = copilotMcpConfig(mcpServers);
  return [place, `@${addFile(tempFiles, "mcp.json", content)}`];
}

export function copilotMcpConfig(servers: McpServers): McpConfig {
  const typed = mapServers(servers, (server) => {
    const type: JsonObject = "url" in server ? {} : { type: "local", args: [] };
    return { ...type, ...server, tools: ["*"] };
  });
  return { place: "--additional-mcp-config", content: JSON.stringify({ mcpServers: typed }) };
}

/** Copilot keeps its own system prompt and adds ours from a directory of instructions. Text that looks like front matter stays text. */
function systemEnvironment({ system }: PromptRequest, env: Surroundings, tempFiles: TempFile[]): Variables {
  if (system === undefined || system.trim() === "") return {};
  tempFiles.push({ name: "coxswain.instructions.md", content: system.startsWith("---") ? `\n${system}` : system });
  const directories = [env["COPILOT_CUSTOM_INSTRUCTIONS_DIRS"], RUN_DIRECTORY].filter(Boolean);
  return { COPILOT_CUSTOM_INSTRUCTIONS_DIRS: directories.join(",") };
}
