import { type Content, imageOfDataUrl, joinContent } from "../../doors/content.ts";
import { EFFORTS, isEffortName } from "../../doors/vendor-settings.ts";
import { type FieldKind, Fields, type FieldWording } from "../../formats/fields.ts";
import { createFailure, type Failure } from "../../spec/failure/failure.ts";
import { refusalOf } from "../../spec/failure/run-error.ts";
import type { JsonObject, JsonValue } from "../../spec/json.ts";
import type { Image } from "../../spec/message.ts";
import type { RunRequest } from "../../spec/request.ts";

/** The failure of a request because of one parameter, such as `messages[0].content`. */
type ParameterFailure = Failure & { readonly param: string };

const EXPECTED: Readonly<Record<FieldKind, string>> = {
  string: "a string",
  number: "a number",
  count: "a number",
  boolean: "a boolean",
  object: "an object",
  list: "a list of objects",
  strings: "a string or a list of strings",
};

const WORDING: FieldWording = {
  entry: (path, index) => `${path}[${index}]`,
  missing: (path) => `Missing required parameter: '${path}'.`,
  wrong(path, kind, value) {
    if (kind === "count" && typeof value === "number")
      return `Invalid value for '${path}': expected a whole number of at least 1.`;
    return `Invalid type for '${path}': expected ${EXPECTED[kind]}, but got ${nameType(value)}.`;
  },
  error(param, message, hint) {
    const failure: ParameterFailure = { ...createFailure("bad-request", message, hint === undefined ? {} : { hint }), param };
    return refusalOf(failure);
  },
};

export function openAiFields(values: JsonObject): Fields {
  return new Fields(values, WORDING);
}

function nameType(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** Reads content: a string, or a list of parts in the form of either API. Absent content is empty. */
export function readContent(fields: Fields, name: string): Content {
  const value = fields.value(name);
  if (value === undefined || typeof value === "string") return { text: value ?? "" };
  return joinContent(fields.objects(name).map(readPart));
}

function readPart(part: Fields): Content {
  const type = part.neededText("type");
  switch (type) {
    case "text":
    case "input_text":
    case "output_text":
      return { text: part.neededText("text") };
    case "refusal":
      return { text: part.neededText("refusal") };
    case "image_url":
      return { text: "", images: [readImage(part.neededObject("image_url"), "url")] };
    case "input_image":
      return { text: "", images: [readImage(part, "image_url")] };
    default:
      throw part.unsupported("type", `Content parts of type '${type}' are not supported.`, "Send text, or images as data URLs.");
  }
}

function readImage(fields: Fields, name: string): Image {
  const image = imageOfDataUrl(fields.neededText(name));
  if (image !== undefined) return image;
  const problem = "The URL of an image must be a base64 data URL; nothing is downloaded.";
  throw fields.unsupported(name, problem, "Send the image as data:image/png;base64,…");
}

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
