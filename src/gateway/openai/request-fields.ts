import { type Content, imageOfDataUrl, joinContent } from "../../doors/content.ts";
import { type FieldKind, Fields, type FieldWording } from "../../formats/fields.ts";
import { createFailure, type Failure } from "../../spec/failure/failure.ts";
import { refusalOf } from "../../spec/failure/run-error.ts";
import type { JsonObject, JsonValue } from "../../spec/json.ts";
import type { Image } from "../../spec/message.ts";

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
