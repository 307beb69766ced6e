import { checkNames } from "../spec/check-names.ts";
import type { Budget } from "../spec/policy.ts";
import type { McpServer, Permissions, SessionChoice, Timeouts } from "../spec/request.ts";
import { type Fields, REQUEST_FIELDS } from "../spec/request-fields.ts";
import type { RunContext } from "../spec/stream.ts";

/** The names of the fields of all members of a union. */
type AllFields<Union> = Readonly<Record<Union extends unknown ? keyof Union : never, true>>;

const TIMEOUTS: Fields<Timeouts> = { firstEventMs: true, idleMs: true, backgroundMs: true, toolMs: true, totalMs: true };
const PERMISSIONS: Fields<Permissions> = { mode: true, tools: true, allow: true, deny: true };
const SERVER: AllFields<McpServer> = {
  command: true,
  args: true,
  env: true,
  type: true,
  url: true,
  headers: true,
  required: true,
};
const SESSION: AllFields<SessionChoice> = { id: true, keep: true, resume: true, fork: true };
const BUDGET: Fields<Budget> = { usd: true, tokens: true, wallMs: true };

const CONTEXT: Fields<RunContext> = {
  signal: true,
  onPermission: true,
  callTool: true,
  commit: true,
  fullQueue: true,
  gate: true,
  keepEvents: true,
  keepsProcess: true,
};
const LIMITS = { lineBytes: true, spillBytes: true } as const;

/** Throws a TypeError that names the first option of a client that does not exist, or the first variable of `env` that is no text. */
export function checkClientOptions(options: object, fields: Readonly<Record<string, true>>): void {
  checkNames("createClient", options, fields);
  checkNames("createClient.limits", Reflect.get(options, "limits"), LIMITS);
  checkEnv("env", Reflect.get(options, "env"));
}

/** Throws a TypeError that names the first field that a context does not have. */
export function checkContextFields(context: object): void {
  checkNames("context", context, CONTEXT);
}

/** Throws a TypeError that names the first variable whose value is no text. */
export function checkEnv(place: string, env: unknown): void {
  // The environment of this process has texts only, and each access to it leaves JavaScript.
  if (env === undefined || env === process.env) return;
  if (typeof env !== "object" || env === null || Array.isArray(env)) throw new TypeError(`${place} must be an object.`);
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && typeof value !== "string")
      throw new TypeError(`${place}.${name} must be a string, not ${value === null ? "null" : `a ${typeof value}`}.`);
}

/** Throws a TypeError that names the first field that a request does not have: a misspelt setting must not be lost in silence. */
export function checkFields(request: object): void {
  checkNames("request", request, REQUEST_FIELDS);
  checkNames("request.timeouts", Reflect.get(request, "timeouts"), TIMEOUTS);
  checkNames("request.permissions", Reflect.get(request, "permissions"), PERMISSIONS);
  checkNames("request.budget", Reflect.get(request, "budget"), BUDGET);
  checkNames("request.session", Reflect.get(request, "session"), SESSION);
  checkServers("request.mcpServers", Reflect.get(request, "mcpServers") ?? {});
}

/** Throws a TypeError that names the first field that an MCP server does not have, or a variable of it that is no text. */
export function checkServers(place: string, servers: object): void {
  for (const [name, server] of Object.entries(servers)) {
    if (typeof server !== "object" || server === null) continue;
    checkNames(`${place}.${name}`, server, SERVER);
    checkEnv(`${place}.${name}.env`, Reflect.get(server, "env"));
  }
}
