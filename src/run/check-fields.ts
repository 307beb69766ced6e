import { didYouMean } from "../spec/nearest-name.ts";
import type { Budget } from "../spec/policy.ts";
import type { Permissions, Timeouts } from "../spec/request.ts";
import { type Fields, REQUEST_FIELDS } from "../spec/request-fields.ts";

const TIMEOUTS: Fields<Timeouts> = { firstEventMs: true, idleMs: true, backgroundMs: true, toolMs: true, totalMs: true };
const PERMISSIONS: Fields<Permissions> = { mode: true, tools: true, allow: true, deny: true };
const BUDGET: Fields<Budget> = { usd: true, tokens: true, wallMs: true };

/** Throws a TypeError that names the first field that a request does not have: a misspelt setting must not be lost in silence. */
export function checkFields(request: object): void {
  checkNames("request", request, REQUEST_FIELDS);
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
