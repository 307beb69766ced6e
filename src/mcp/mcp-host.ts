import type { Client } from "../client.ts";
import { realPathInside } from "../files/path-inside.ts";
import { createFailure, type Failure, thrownMessage } from "../spec/failure/failure.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../spec/json.ts";
import type { Permissions, RunRequest, Targets } from "../spec/request.ts";

export type McpHost = {
  readonly client: Client;
  defaultTargets(): Targets | { readonly failure: Failure };
  /** The directory in which agents may work, what they may do there, and whether its projects may start programs; without it there are no agents. */
  readonly agents?: { readonly directory: string; readonly permissions: Permissions; readonly trustProject?: boolean };
  /** Writes a line about a call; it has no text of a prompt or an answer. */
  log(line: string): void;
};

/** The targets of a chain such as `claude/opus,codex`, or those of the host if there is none. */
export function targetsOf(host: McpHost, chain: JsonValue | undefined): Targets | { readonly failure: Failure } {
  if (typeof chain !== "string" || chain.trim() === "") return host.defaultTargets();
  const found = host.client.resolve(chain);
  return "targets" in found ? found.targets : found;
}

/** The request of a call without its prompt; a directory that agents may not use is a failure. */
export function requestOf(host: McpHost, args: JsonObject): Omit<RunRequest, "prompt"> | { readonly failure: Failure } {
  const { system, schema, timeoutSeconds, agent, cwd } = args;
  const place = agent === true ? placeOf(host, cwd) : {};
  if ("failure" in place) return place;
  return {
    ...(typeof system === "string" && { system }),
    ...(isJsonObject(schema) && { outputSchema: schema }),
    ...(typeof timeoutSeconds === "number" && { timeouts: { totalMs: Math.ceil(timeoutSeconds * 1000) } }),
    ...place,
  };
}

function placeOf(host: McpHost, cwd: JsonValue | undefined): Partial<RunRequest> | { readonly failure: Failure } {
  const directory = agentDirectory(host, typeof cwd === "string" ? cwd : ".");
  if (typeof directory !== "string") return directory;
  const { permissions = {}, trustProject = false } = host.agents ?? {};
  return { mode: "agent", cwd: directory, permissions, trustProject };
}

/** The real path of a directory in which an agent may work; a link that leads outside counts as outside. */
export function agentDirectory({ agents }: McpHost, cwd: string): string | { readonly failure: Failure } {
  if (agents === undefined) return outside("This server starts no agents.");
  try {
    const place = realPathInside(agents.directory, cwd);
    if (place !== undefined) return place;
  } catch (error) {
    return { failure: createFailure("cwd-unusable", thrownMessage(error)) };
  }
  return outside(`${cwd} is not inside ${agents.directory}.`);
}

function outside(message: string): { readonly failure: Failure } {
  const hint = "The user allows a directory by cox mcp --allow-agent DIR. Without an agent the CLI only answers.";
  return { failure: createFailure("cwd-unusable", message, { hint }) };
}

/** What a call has of its client: a signal that aborts when the call is cancelled, and a way to report progress. */
export type McpCall = { readonly signal: AbortSignal; readonly progress?: (message: string) => void };

/** The answer to a call: a text for the model, the same as data, and whether the call failed. */
export type McpAnswer = { readonly text: string; readonly data: JsonObject; readonly isError: boolean };

export type McpTool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: JsonObject;
  readonly output: JsonObject;
  /** True if a call sends no prompt and stores nothing. */
  readonly isReadOnly: boolean;
  /** Makes a call; the arguments match the schema. A run that fails is an answer. */
  call(args: JsonObject, call: McpCall): Promise<McpAnswer>;
};
