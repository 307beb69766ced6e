import type { JsonObject } from "../../spec/json.ts";
import type { Variables } from "../../spec/provider/cli-data.ts";
import type { ProjectStart } from "../../spec/provider/provider-facts.ts";
import type { PromptRequest } from "../../spec/request.ts";

const SETTINGS: readonly string[] = ["opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"];

/**
 * What OpenCode starts in a project. No setting of 1.18.33 keeps it from the plugins: OPENCODE_DISABLE_PROJECT_CONFIG and `--pure` hold for one of its two
 * loaders, and the other one reads every folder up to the root of the repository, outside of a repository up to the root of the file system.
 */
export const OPENCODE_PROJECT: readonly ProjectStart[] = [
  // Its parser lets a key of this name stand for others.
  ...SETTINGS.map((file) => ({ file, keys: ["plugin", "plugins", "__proto__"], unavoidable: true, everyFolder: true }) as const),
  { folder: ".opencode/plugin", unavoidable: true, everyFolder: true },
  { folder: ".opencode/plugins", unavoidable: true, everyFolder: true },
  ...SETTINGS.map((file) => ({ file, keys: ["mcp", "formatter", "lsp", "shell", "agent", "mode", "command", "provider"] })),
  ...["tool", "tools", "agent", "agents", "mode", "modes", "command", "commands"].map((name) => ({
    folder: `.opencode/${name}`,
  })),
];

/** The variables that keep an agent from the configuration of a project that is not trusted. */
export function projectEnvironment({ trustProject }: PromptRequest): Variables {
  return trustProject === true ? {} : { OPENCODE_DISABLE_PROJECT_CONFIG: "1" };
}

/**
 * The settings of an agent in a project that is not trusted. Formatters and language servers, which the user's settings can switch on, run programs of
 * the project's node_modules. AGENTS.md of the directory is text; without the project's configuration OpenCode reads it only by its path.
 */
export function projectSettings({ trustProject, cwd }: PromptRequest): JsonObject {
  if (trustProject === true) return {};
  return { formatter: false, lsp: false, ...(cwd !== undefined && { instructions: [`${cwd}/AGENTS.md`] }) };
}
