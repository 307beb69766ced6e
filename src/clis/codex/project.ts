import type { JsonObject } from "../../spec/json.ts";
import type { ProjectStart } from "../../spec/provider/provider-facts.ts";
import type { PromptRequest } from "../../spec/request.ts";
import { toToml } from "../shared/toml.ts";

/** What Codex starts in a project that is trusted. */
export const CODEX_PROJECT: readonly ProjectStart[] = [
  { file: ".codex/config.toml", keys: ["mcp_servers", "hooks", "notify", "shell_environment_policy", "model_providers"] },
  { file: ".codex/hooks.json", keys: ["hooks"] },
  { folder: ".codex/agents" },
  { folder: ".codex/rules" },
];

/**
 * Whether Codex reads the configuration of the project, as a setting for each of its folders. Without it the app-server (0.169.0) writes into the user's
 * `config.toml` that the project is trusted, if its sandbox may write, and every later Codex starts what the project names.
 */
export function trustSetting({ cwd, trustProject }: PromptRequest): JsonObject {
  if (cwd === undefined) return {};
  const folders = trustProject === true ? [cwd] : foldersFrom(cwd);
  const level = { trust_level: trustProject === true ? "trusted" : "untrusted" };
  return { projects: Object.fromEntries(folders.map((folder) => [folder, level])) };
}

/** The folder and those above it, without the root. */
function foldersFrom(folder: string): readonly string[] {
  const above = folder.replace(/[\\/][^\\/]*$/, "");
  return above === "" || above === folder ? [folder] : [folder, ...foldersFrom(above)];
}

export function trustArguments(request: PromptRequest): readonly string[] {
  return Object.entries(trustSetting(request)).flatMap(([name, value]) => ["-c", `${name}=${toToml(value)}`]);
}
