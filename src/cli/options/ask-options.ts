import { resolve } from "node:path";
import { defined, isJsonObject, type JsonObject } from "../../spec/json.ts";
import type { PermissionMode, Permissions, RunRequest } from "../../spec/request.ts";
import { readImages } from "../input/read-attachments.ts";
import { mistakeIn, readJsonFile } from "../input/read-file.ts";
import { readMcpFiles } from "../input/read-mcp-file.ts";
import type { ConfigChoice, LogFlags } from "../open-client.ts";
import { UsageError } from "../usage-error.ts";
import { toMilliseconds } from "./read-option.ts";

export type AskOptions = LogFlags & {
  readonly provider?: string;
  readonly model?: string;
  readonly system?: string;
  readonly appendSystem?: string;
  readonly file?: readonly string[];
  readonly image?: readonly string[];
  readonly effort?: Effort;
  readonly mcp?: readonly string[];
  readonly agent?: true;
  readonly cwd?: string;
  readonly addDir?: readonly string[];
  readonly allowTool?: readonly string[];
  readonly denyTool?: readonly string[];
  readonly permissionMode?: PermissionMode;
  /** False with `--no-trust-project`. */
  readonly trustProject?: boolean;
  /** False with `--no-background`. */
  readonly background: boolean;
  readonly schema?: string;
  readonly continue?: true;
  readonly session?: string;
  readonly resume?: string;
  readonly timeout?: number;
  readonly retries: number;
  /** False with `--no-fallback`. */
  readonly fallback: boolean;
  readonly maxWait?: number;
  readonly budgetUsd?: number;
  readonly config?: ConfigChoice;
  /** False with `--no-serve`. */
  readonly serve: boolean;
  readonly json?: true;
  readonly streamJson?: true;
  readonly dryRun?: true;
  readonly verbose?: true;
};

type Effort = NonNullable<RunRequest["effort"]>;

export const EFFORTS: readonly Effort[] = ["low", "medium", "high", "max"];

export const PERMISSION_MODES: readonly PermissionMode[] = ["default", "plan", "accept-edits", "dont-ask", "bypass"];

/** The output: streamed text, one JSON result, all events as JSON lines, or only the launch plan. */
export type AskOutput = "text" | "json" | "stream-json" | "dry-run";

export function chosenOutput(options: Pick<AskOptions, "json" | "streamJson" | "dryRun">): AskOutput {
  const chosen: AskOutput[] = [];
  if (options.json) chosen.push("json");
  if (options.streamJson) chosen.push("stream-json");
  if (options.dryRun) chosen.push("dry-run");
  const [first = "text", second] = chosen;
  if (second === undefined) return first;
  throw new UsageError(`--${first} and --${second} contradict each other.`, "Remove one of them.");
}

export function checkAgentOptions(options: AskOptions): void {
  if (options.agent) return;
  const given = [
    options.cwd !== undefined && "--cwd",
    options.addDir !== undefined && "--add-dir",
    options.allowTool !== undefined && "--allow-tool",
    options.denyTool !== undefined && "--deny-tool",
    options.permissionMode !== undefined && "--permission-mode",
    options.trustProject !== undefined && (options.trustProject ? "--trust-project" : "--no-trust-project"),
    !options.background && "--no-background",
  ].filter((flag) => flag !== false);
  if (given.length === 0) return;
  const verb = given.length === 1 ? "needs" : "need";
  throw new UsageError(
    `${given.join(", ")} ${verb} --agent: completion mode has no directory and no tools.`,
    "Add --agent, or remove the option.",
  );
}

export async function toRequest(options: Partial<AskOptions>, system: string | undefined): Promise<Omit<RunRequest, "prompt">> {
  return {
    ...toSystem(system, options.appendSystem),
    ...defined({
      images: options.image && readImages(options.image),
      effort: options.effort,
      mcpServers: options.mcp && readMcpFiles(options.mcp),
      outputSchema: options.schema === undefined ? undefined : await readSchema(options.schema),
      maxWaitMs: toMilliseconds(options.maxWait),
      budget: options.budgetUsd === undefined ? undefined : { usd: options.budgetUsd },
    }),
    ...(options.agent && toAgentRequest(options)),
  };
}

function toSystem(system: string | undefined, appended: string | undefined): Pick<RunRequest, "system" | "systemMode"> {
  if (appended === undefined) return system === undefined ? {} : { system };
  return system === undefined ? { system: appended, systemMode: "append" } : { system: `${system}\n\n${appended}` };
}

export function toPermissions(options: Pick<AskOptions, "permissionMode" | "allowTool" | "denyTool">): Permissions {
  return defined({ mode: options.permissionMode, allow: options.allowTool, deny: options.denyTool });
}

function toAgentRequest(options: Partial<AskOptions>): Omit<RunRequest, "prompt"> {
  const permissions = toPermissions(options);
  return {
    mode: "agent",
    cwd: resolve(options.cwd ?? "."),
    ...defined({
      addDirs: options.addDir?.map((path) => resolve(path)),
      permissions: Object.keys(permissions).length > 0 ? permissions : undefined,
      trustProject: options.trustProject,
      backgroundTasks: options.background === false ? ("off" as const) : undefined,
    }),
  };
}

const HINT = "Use a file with one JSON Schema object.";

/** Reads a JSON Schema from a file; anything else is a usage error that names the place of the mistake. */
async function readSchema(path: string): Promise<JsonObject> {
  const { value, place } = readJsonFile(path, HINT);
  if (!isJsonObject(value)) throw new UsageError(`${path} does not contain a JSON object.`, HINT);
  // Loaded on demand: the validator takes longer to load than the rest of the command.
  const { findSchemaMistake } = await import("../../schemas/validate-schema.ts");
  const mistake = findSchemaMistake(value);
  if (mistake === undefined) return value;
  const where = mistake.path.length === 0 ? "the schema" : mistake.path.join(".");
  throw mistakeIn(path, place({ path: mistake.path, message: `${where}: ${mistake.message}` }), "Correct the JSON Schema.");
}
