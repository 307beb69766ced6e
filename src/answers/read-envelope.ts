import type { BoundTools } from "../schemas/validate-schema.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../spec/json.ts";
import { readJsonObject } from "./read-json.ts";
import type { Sliced } from "./slices.ts";

/** A call as it is written in the answer, before it gets its id. */
export type DraftCall = { readonly name: string; readonly args: JsonObject; readonly givenId?: string };

export type InvalidDraft = DraftCall & { readonly problem: string };

/** The calls of an envelope, those that must not be made among them, and its other problems. */
type EnvelopeReading = { readonly calls: readonly (DraftCall | InvalidDraft)[]; readonly problems: readonly string[] };

/** The keys that may hold the arguments of a call; the first one present is used. */
export const ARGUMENT_KEYS = ["args", "arguments", "parameters", "input"] as const;

/** More calls than this in one block are a mistake or an attack. */
const MOST_CALLS = 1000;

/** Reads the value of `tool_calls`; a call of an unknown tool or with wrong arguments has a problem. */
export function* readEnvelope(value: JsonValue | undefined, tools: BoundTools): Sliced<EnvelopeReading> {
  const list = Array.isArray(value) ? value : isJsonObject(value) ? [value] : undefined;
  if (list === undefined) return { calls: [], problems: ['"tool_calls" is not an array of calls.'] };
  if (list.length > MOST_CALLS) return { calls: [], problems: [`There are more than ${MOST_CALLS} calls in one block.`] };
  const readings: (DraftCall | InvalidDraft | string)[] = [];
  for (const item of list) {
    readings.push(yield* readCall(item, tools));
    yield;
  }
  return {
    calls: readings.filter((reading) => typeof reading !== "string"),
    problems: readings.filter((reading) => typeof reading === "string"),
  };
}

/** The name and arguments of one call in any supported form, not validated. */
function* toDraftCall(item: JsonValue): Sliced<DraftCall | string> {
  if (!isJsonObject(item)) return "A call is not an object.";
  const nested = item["function"];
  const source = item["name"] === undefined && isJsonObject(nested) ? nested : item;
  const name = source["name"];
  if (typeof name !== "string") return 'A call has no "name".';
  const args = yield* toArguments(source);
  if (args === undefined) return `The arguments of ${quote(name)} are not a JSON object.`;
  const givenId = item["id"];
  const isGiven = typeof givenId === "string" || typeof givenId === "number";
  return { name, args, ...(isGiven && { givenId: String(givenId) }) };
}

function* readCall(item: JsonValue, tools: BoundTools): Sliced<DraftCall | InvalidDraft | string> {
  const call = yield* toDraftCall(item);
  return typeof call === "string" ? call : checkCall(call, tools);
}

/** The call with the defaults of its schema; it has a problem if there is no such tool or the arguments do not match. */
export function checkCall(call: DraftCall, tools: BoundTools): DraftCall | InvalidDraft {
  const check = tools.get(call.name);
  if (check === undefined)
    return { ...call, problem: `There is no tool ${quote(call.name)}. The tools are: ${[...tools.keys()].join(", ")}.` };
  const { value, problems } = check(call.args);
  return problems.length === 0
    ? { ...call, args: value as JsonObject }
    : { ...call, problem: `The arguments of ${call.name} do not match its schema: ${problems.join("; ")}.` };
}

function* toArguments(source: JsonObject): Sliced<JsonObject | undefined> {
  const key = ARGUMENT_KEYS.find((name) => Object.hasOwn(source, name));
  const value = key === undefined ? null : (source[key] ?? null);
  if (value === null || (typeof value === "string" && value.trim() === "")) return {};
  if (typeof value === "string") return yield* readJsonObject(value);
  return isJsonObject(value) ? value : undefined;
}

/** A name that the model made up can have any length. */
function quote(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 99)}…` : name);
}
