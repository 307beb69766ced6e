import { resumedBy } from "../../spec/fields.ts";
import { addFile, type TempFile } from "../../spec/provider/cli-data.ts";
import type { LaunchOptions, LaunchParts } from "../../spec/provider/provider.ts";
import type { PermissionMode, PromptRequest } from "../../spec/request.ts";
import { tomlString } from "../shared/toml.ts";
import { connectionArguments } from "./connection.ts";
import { codexMcpConfig, mcpArguments } from "./mcp-config.ts";
import { trustArguments } from "./project.ts";

/** Arguments and files of one `codex exec` process; each flag was checked with 0.166.0. */
export function launchCodex(request: PromptRequest, options: LaunchOptions): LaunchParts {
  const tempFiles: TempFile[] = [];
  const session = resumedBy(request);
  const resume = session === undefined ? [] : ["resume", session];
  const args = [
    ...["exec", "--json", "--skip-git-repo-check"],
    ...(request.mode === "agent" ? agentArguments(request) : pureArguments(request, options, tempFiles)),
    ...NO_PHONE_HOME,
    ...NO_SNAPSHOT,
    ...connectionArguments(options),
    ...mcpArguments(request),
    ...systemArguments(request, tempFiles),
    ...schemaArguments(request, tempFiles),
    ...imageArguments(request, tempFiles),
    ...(options.model === undefined ? [] : ["--model", options.model]),
    ...(request.effort === undefined ? [] : setting("model_reasoning_effort", codexEffort(request.effort))),
    ...resume,
    "-",
  ];
  const makesMountPoints = request.permissions?.mode === "accept-edits";
  return {
    args,
    env: codexMcpConfig(request.mcpServers ?? {}).env ?? {},
    tempFiles,
    ...(makesMountPoints && { leftovers: MOUNT_POINTS }),
  };
}

/**
 * The sandbox of a writable directory creates these as mount points; no tool can write into them. A sandbox that is killed
 * leaves them, and Codex kills its sandboxes itself at SIGINT and when a turn ends with an open terminal (0.166.0, Linux).
 */
export const MOUNT_POINTS: readonly string[] = [".git", ".codex", ".agents", ".aws"];

export function codexEffort(effort: NonNullable<PromptRequest["effort"]>): string {
  return effort === "max" ? "xhigh" : effort;
}

/** A string setting as a TOML literal, which has no escapes: only our own words and paths are passed. */
function setting(name: string, value: string): readonly string[] {
  return ["-c", `${name}='''${value}'''`];
}

/** Without these each run contacts four hosts, waits up to five seconds after its answer, and retries without end when offline. */
export const NO_PHONE_HOME: readonly string[] = [
  ...["-c", "analytics.enabled=false", "--disable", "plugins", "--disable", "unbounded_connection_retries"],
];

/** Otherwise Codex writes the whole environment into a file of its home, which stays if the process is stopped (0.166.0, 0.169.0). */
export const NO_SNAPSHOT: readonly string[] = ["--disable", "shell_snapshot"];

/**
 * The sandbox of a writable workspace would also let commands write below /tmp, where other projects and programs have files (0.169.0). The temporary
 * directory stays writable: it belongs to the process alone.
 */
export const OWN_TEMPORARY: readonly string[] = [
  ...["-c", "sandbox_workspace_write.exclude_slash_tmp=true", "-c", "sandbox_workspace_write.exclude_tmpdir_env_var=false"],
];

const OWN_TOOLS: readonly string[] = [
  ...["shell_tool", "unified_exec", "multi_agent", "goals", "view_image", "apps", "image_generation", "tool_suggest"],
  ...["skill_search", "sleep_tool"],
];

const OWN_CONTEXT: readonly string[] = [
  'web_search="disabled"',
  "include_environment_context=false",
  "include_permissions_instructions=false",
  "include_apps_instructions=false",
  "skills.include_instructions=false",
  "skills.bundled.enabled=false",
  "project_root_markers=[]",
  "project_doc_max_bytes=0",
  "tools.experimental_request_user_input.enabled=false",
];

/** No user configuration, project files or tools, and only our system prompt: 1.6 KB is sent to the API instead of 56 KB. */
function pureArguments(request: PromptRequest, options: LaunchOptions, tempFiles: TempFile[]): readonly string[] {
  return [
    ...["--ignore-user-config", "--ignore-rules", "--sandbox", "read-only"],
    ...(request.session === undefined ? ["--ephemeral"] : []),
    ...pureSettings(options.model, tempFiles),
  ];
}

/** The settings that switch off Codex's tools, context and instructions. */
export function pureSettings(model: string | undefined, tempFiles: TempFile[]): readonly string[] {
  return [
    ...OWN_TOOLS.flatMap((feature) => ["--disable", feature]),
    ...OWN_CONTEXT.flatMap((value) => ["-c", value]),
    ...catalogArguments(model, tempFiles),
  ];
}

/**
 * Codex chooses tools and instructions by its catalogue entry for the model, and no flag removes them all. A catalogue with a
 * bare entry for the model does (checked for every bundled model that its list offers).
 */
function catalogArguments(model: string | undefined, tempFiles: TempFile[]): readonly string[] {
  if (model === undefined) return [];
  const entry = {
    slug: model,
    display_name: model,
    supported_reasoning_levels: ["minimal", "low", "medium", "high", "xhigh"].map((effort) => ({ effort, description: effort })),
    shell_type: "disabled",
    visibility: "list",
    supported_in_api: true,
    priority: 1,
    input_modalities: ["text", "image"],
    base_instructions: "",
    supports_reasoning_summaries: true,
    support_verbosity: false,
    truncation_policy: { mode: "tokens", limit: 10_000 },
    experimental_supported_tools: [],
  };
  return setting("model_catalog_json", addFile(tempFiles, "models.json", JSON.stringify({ models: [entry] })));
}

export const SANDBOXES: Readonly<Record<PermissionMode, string>> = {
  default: "read-only",
  plan: "read-only",
  "dont-ask": "read-only",
  "accept-edits": "workspace-write",
  bypass: "danger-full-access",
};

function agentArguments(request: PromptRequest): readonly string[] {
  const { mode = "default" } = request.permissions ?? {};
  const sandbox = mode === "bypass" ? ["--dangerously-bypass-approvals-and-sandbox"] : ["--sandbox", SANDBOXES[mode]];
  return [
    ...sandbox,
    ...OWN_TEMPORARY,
    ...trustArguments(request),
    ...(request.addDirs ?? []).flatMap((directory) => ["--add-dir", directory]),
  ];
}

function systemArguments(request: PromptRequest, tempFiles: TempFile[]): readonly string[] {
  const { system, systemMode = "replace" } = request;
  if (system === undefined || system.trim() === "") return [];
  if (systemMode === "append") return ["-c", `developer_instructions=${tomlString(system)}`];
  return setting("model_instructions_file", addFile(tempFiles, "system-prompt.txt", system));
}

function schemaArguments(request: PromptRequest, tempFiles: TempFile[]): readonly string[] {
  if (request.outputSchema === undefined) return [];
  return ["--output-schema", addFile(tempFiles, "schema.json", JSON.stringify(request.outputSchema))];
}

/** `--image` takes any number of values, so each image has its own flag, and a flag with one value follows. */
function imageArguments({ images = [] }: PromptRequest, tempFiles: TempFile[]): readonly string[] {
  return images.flatMap(({ mediaType, data }, index) => {
    const name = `image-${index + 1}.${mediaType.slice("image/".length)}`;
    return ["--image", addFile(tempFiles, name, data, "base64")];
  });
}
