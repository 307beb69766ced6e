import { didYouMean } from "../spec/nearest-name.ts";
import type { Budget } from "../spec/policy.ts";
import type { Permissions, RunRequest, Timeouts } from "../spec/request.ts";

type Fields<Type> = Readonly<Record<keyof Type, true>>;

const REQUEST: Fields<RunRequest> = {
  prompt: true,
  messages: true,
  images: true,
  system: true,
  systemMode: true,
  mode: true,
  cwd: true,
  addDirs: true,
  permissions: true,
  backgroundTasks: true,
  session: true,
  mcpServers: true,
  outputSchema: true,
  maxTurns: true,
  maxOutputTokens: true,
  effort: true,
  env: true,
  auth: true,
  strict: true,
  onPermissionDenied: true,
  timeouts: true,
  metadata: true,
  tools: true,
  hostTools: true,
  toolChoice: true,
  invalidCalls: true,
  threadEncoding: true,
  budget: true,
  maxWaitMs: true,
};
const TIMEOUTS: Fields<Timeouts> = { firstEventMs: true, idleMs: true, backgroundMs: true, toolMs: true, totalMs: true };
const PERMISSIONS: Fields<Permissions> = { mode: true, tools: true, allow: true, deny: true };
const BUDGET: Fields<Budget> = { usd: true, tokens: true, wallMs: true };

/** Throws a TypeError that names the first field that a request does not have: a misspelt setting must not be lost in silence. */
export function checkFields(request: object): void {
  checkNames("request", request, REQUEST);
  checkNames("request.timeouts", Reflect.get(request, "timeouts"), TIMEOUTS);
  checkNames("request.permissions", Reflect.get(request, "permissions"), PERMISSIONS);
  checkNames("request.budget", Reflect.get(request, "budget"), BUDGET);
}

function checkNames(place: string, value: unknown, fields: Readonly<Record<string, true>>): void {
  if (typeof value !== "object" || value === null) return;
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(fields, name) && Reflect.get(value, name) !== undefined);
  if (unknown === undefined) return;
  throw new TypeError(`${place} has no field ${JSON.stringify(unknown)}. ${didYouMean(unknown, Object.keys(fields))}`.trim());
}
