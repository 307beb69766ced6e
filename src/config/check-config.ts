import { thrownMessage } from "../spec/failure/failure.ts";
import { nearestName } from "../spec/fields.ts";
import { isJsonObject, type JsonObject, type JsonValue, objectOf } from "../spec/json.ts";
import type { JsonMistake, JsonPath } from "./json-text.ts";
import type { ConfigEntry } from "./to-provider.ts";

/** Where a value is, and how messages name that place. */
type Place = { readonly path: JsonPath; readonly where: string };

const ROOT: Place = { path: [], where: "" };

/** Validates a value against a schema; supports the parts of JSON Schema that the configuration schema uses. */
export function checkSchema(schema: JsonObject, value: JsonValue, place: Place = ROOT): readonly JsonMistake[] {
  const { path, where } = place;
  const wrong = (message: string): readonly JsonMistake[] => [{ path, message: `${where || "the file"} ${message}` }];
  const types = [schema["type"] ?? []].flat();
  const type = typeOf(value);
  if (types.length > 0 && !types.includes(type) && !(type === "integer" && types.includes("number")))
    return wrong(`must be ${listed(types)}, not ${quoted(value)}`);
  const choices = schema["enum"];
  if (Array.isArray(choices) && !choices.includes(value))
    return wrong(`must be one of ${choices.join(", ")}, not ${quoted(value)}`);
  if (isJsonObject(value)) return checkObject(schema, value, place);
  if (Array.isArray(value)) {
    const items = objectOf(schema["items"]) ?? {};
    return value.flatMap((item, at) => checkSchema(items, item, { path: [...path, at], where: `${where}[${at}]` }));
  }
  const problem = typeof value === "string" ? stringProblem(schema, value) : numberProblem(schema, value);
  return problem === undefined ? [] : wrong(problem);
}

function checkObject(schema: JsonObject, value: JsonObject, { path, where }: Place): readonly JsonMistake[] {
  const { properties, required, additionalProperties, minProperties } = schema;
  const known = objectOf(properties) ?? {};
  const missing = [required ?? []].flat().filter((key) => !Object.hasOwn(value, String(key)));
  const members = Object.entries(value);
  return [
    ...missing.map((key) => ({ path, message: `${where || "the file"} lacks "${key}"` })),
    ...(typeof minProperties === "number" && members.length < minProperties
      ? [{ path, message: `${where} must not be empty` }]
      : []),
    ...members.flatMap(([key, member]) => {
      const shape = Object.hasOwn(known, key) ? known[key] : additionalProperties;
      const below = [...path, key];
      if (shape === false) return [{ path: below, isName: true, message: unknownKey(key, Object.keys(known), where) }];
      return checkSchema(objectOf(shape) ?? {}, member, { path: below, where: where === "" ? key : `${where}.${key}` });
    }),
  ];
}

function unknownKey(key: string, known: readonly string[], where: string): string {
  const near = nearestName(key, known);
  return `there is no "${key}" in ${where || "the file"}${near === undefined ? "" : `; did you mean "${near}"?`}`;
}

function stringProblem({ minLength, pattern }: JsonObject, value: string): string | undefined {
  if (typeof minLength === "number" && value.length < minLength) return "must not be empty";
  if (typeof pattern === "string" && !new RegExp(pattern, "u").test(value))
    return `must look like ${pattern}, not ${quoted(value)}`;
  return undefined;
}

function numberProblem({ minimum, maximum }: JsonObject, value: JsonValue): string | undefined {
  if (typeof value !== "number") return undefined;
  if (typeof minimum === "number" && value < minimum) return `must be at least ${minimum}, not ${value}`;
  return typeof maximum === "number" && value > maximum ? `must be at most ${maximum}, not ${value}` : undefined;
}

function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: "a text",
  array: "a list",
  object: "an object",
  boolean: "true or false",
  integer: "a whole number",
  number: "a number",
};

function listed(types: readonly JsonValue[]): string {
  return types.map((type) => TYPE_WORDS[String(type)]).join(" or ");
}

function quoted(value: JsonValue): string {
  const words = JSON.stringify(value);
  return words.length > 40 ? `${words.slice(0, 39)}…` : words;
}

/** Checks what the schema cannot express: fields that need or exclude each other, and ids that are in use. */
export function checkMeaning(entry: ConfigEntry, used: ReadonlySet<string>, path: JsonPath = []): readonly JsonMistake[] {
  const { providerId, outputFormat = "text", promptStyle, defaultModel, models = [], errors = [] } = entry;
  const mistakes: JsonMistake[] = [];
  const note = (isWrong: boolean, steps: JsonPath, message: string): void =>
    void (isWrong && mistakes.push({ path: [...path, ...steps], message }));
  note(used.has(providerId), ["providerId"], `"${providerId}" is the id of another provider; choose a different id`);
  const isKnown = models.length === 0 || models.some(({ modelId }) => modelId === defaultModel);
  note(defaultModel !== undefined && !isKnown, ["defaultModel"], `"${defaultModel}" is not in models`);
  for (const name of ["promptFlag", "endOfOptions"] as const)
    note(entry[name] !== undefined && promptStyle !== "arg", [name], `${name} needs promptStyle "arg"`);
  note(
    entry.extraction !== undefined && outputFormat === "text",
    ["extraction"],
    "extraction needs outputFormat json or stream-json",
  );
  const ends = entry.extraction?.end !== undefined && outputFormat === "json";
  note(ends, ["extraction", "end"], "end is only for outputFormat stream-json");
  for (const [index, { text, exitCode }] of errors.entries()) {
    note(text === undefined && exitCode === undefined, ["errors", index], "a rule needs text or exitCode");
    const problem = text === undefined ? undefined : patternProblem(text);
    note(problem !== undefined, ["errors", index, "text"], problem ?? "");
  }
  return mistakes;
}

function patternProblem(pattern: string): string | undefined {
  try {
    new RegExp(pattern, "i");
    return undefined;
  } catch (error) {
    return thrownMessage(error);
  }
}
