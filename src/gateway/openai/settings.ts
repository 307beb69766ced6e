import { EFFORTS, isEffortName } from "../../doors/vendor-settings.ts";
import type { Fields } from "../../formats/fields.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { RunRequest } from "../../spec/request.ts";

/** The effort of a run; CLIs have four, so the nearest one. */
export function readEffort(fields: Fields | undefined, name: string): Partial<RunRequest> {
  const asked = fields?.text(name);
  if (fields === undefined || asked === undefined) return {};
  if (!isEffortName(asked))
    throw fields.unsupported(name, `The effort '${asked}' is not supported: use one of ${Object.keys(EFFORTS).join(", ")}.`);
  return { effort: EFFORTS[asked] };
}

/** The schema of the answer from `response_format` or `text.format`; JSON without a schema is an object with any fields. */
export function readFormat(format: Fields | undefined): Partial<RunRequest> {
  const type = format?.neededText("type");
  if (format === undefined || type === "text") return {};
  if (type === "json_object") return { outputSchema: { type: "object" } };
  if (type !== "json_schema")
    throw format.unsupported("type", `The format '${type}' is not supported.`, "Use text, json_object or json_schema.");
  const holder = format.object("json_schema") ?? format;
  return { outputSchema: holder.neededObject("schema").values };
}

const FORMAT_FIELDS: Readonly<Record<string, readonly string[]>> = {
  json_schema: ["type", "json_schema", "name", "description", "schema", "strict"],
};

/** The paths of the fields that the type of a format does not use, such as a schema beside `json_object`. */
export function findUnusedFormat(format: Fields | undefined): readonly string[] {
  if (format === undefined) return [];
  const used = FORMAT_FIELDS[format.text("type") ?? ""] ?? ["type"];
  return Object.keys(format.values)
    .filter((name) => format.value(name) !== undefined && !used.includes(name))
    .map((name) => toHeaderName(format.pathOf(name)))
    .slice(0, MOST_NAMES);
}

const SAMPLING = ["temperature", "top_p", "seed", "frequency_penalty", "presence_penalty"] as const;

const MOST_NAMES = 20;

/**
 * The names of the parameters of a request that are not among the known ones, for the header `x-coxswain-ignored`. A name that cannot be
 * in a header is `other`.
 */
export function findIgnored(body: Fields, known: ReadonlySet<string>): readonly string[] {
  for (const name of SAMPLING) body.number(name);
  body.object("logit_bias");
  const names = Object.keys(body.values).filter((name) => body.value(name) !== undefined && !known.has(name));
  return [...new Set(names.map(toHeaderName))].slice(0, MOST_NAMES);
}

function toHeaderName(name: string): string {
  return /^[\w.-]{1,64}$/.test(name) ? name : "other";
}

/** `parallel_tool_calls` if it asks for one call at a time: no CLI has such a setting. */
export function findParallel(body: Fields, { tools = [] }: Partial<RunRequest>): readonly string[] {
  return body.flag("parallel_tool_calls") === false && tools.length > 0 ? ["parallel_tool_calls"] : [];
}

/** Refuses settings that would change the shape of an answer; `values` are the harmless ones. */
export function refuseUnless(body: Fields, name: string, values: readonly unknown[], why: string): void {
  const value = body.value(name);
  if (value === undefined || values.includes(value)) return;
  const hint = `Leave out ${name}. A retry would fail in the same way.`;
  throw body.unsupported(name, `'${name}' is not supported: ${why}`, hint);
}

export function pick(body: Fields, names: readonly string[]): JsonObject {
  const entries = names.flatMap((name) => {
    const value = body.value(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}
