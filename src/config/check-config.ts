import { thrownMessage } from "../spec/failure/failure.ts";
import { nearestName } from "../spec/fields.ts";
import { type JsonObject, type JsonValue, objectOf } from "../spec/json.ts";
import type { JsonNode, PlacedMistake } from "./json-node.ts";
import type { ConfigEntry } from "./to-provider.ts";

/** Validates a document against a schema; supports the parts of JSON Schema that the configuration schema uses. */
export function checkSchema(schema: JsonObject, node: JsonNode, where = ""): readonly PlacedMistake[] {
  const wrong = (message: string): readonly PlacedMistake[] => [
    { offset: node.offset, message: `${where || "the file"} ${message}` },
  ];
  const types = [schema["type"] ?? []].flat();
  const type = typeOf(node.value);
  if (types.length > 0 && !types.includes(type) && !(type === "integer" && types.includes("number")))
    return wrong(`must be ${listed(types)}, not ${quoted(node.value)}`);
  const choices = schema["enum"];
  if (Array.isArray(choices) && !choices.includes(node.value))
    return wrong(`must be one of ${choices.join(", ")}, not ${quoted(node.value)}`);
  if (node.members !== undefined) return checkObject(schema, node, where);
  if (node.items !== undefined)
    return node.items.flatMap((item, index) => checkSchema(objectOf(schema["items"]) ?? {}, item, `${where}[${index}]`));
  const problem = typeof node.value === "string" ? stringProblem(schema, node.value) : numberProblem(schema, node.value);
  return problem === undefined ? [] : wrong(problem);
}

function checkObject(schema: JsonObject, { offset, members = new Map() }: JsonNode, where: string): readonly PlacedMistake[] {
  const { properties, required, additionalProperties, minProperties } = schema;
  const known = objectOf(properties) ?? {};
  const below = (key: string): string => (where === "" ? key : `${where}.${key}`);
  const missing = [required ?? []].flat().filter((key) => !members.has(String(key)));
  return [
    ...missing.map((key) => ({ offset, message: `${where || "the file"} lacks "${key}"` })),
    ...(typeof minProperties === "number" && members.size < minProperties
      ? [{ offset, message: `${where} must not be empty` }]
      : []),
    ...[...members].flatMap(([key, { keyOffset, node }]) => {
      const shape = Object.hasOwn(known, key) ? known[key] : additionalProperties;
      if (shape === false) return [{ offset: keyOffset, message: unknownKey(key, Object.keys(known), where) }];
      return checkSchema(objectOf(shape) ?? {}, node, below(key));
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
export function checkMeaning(entry: ConfigEntry, node: JsonNode, used: ReadonlySet<string>): readonly PlacedMistake[] {
  const { providerId, outputFormat = "text", promptStyle, defaultModel, models = [], errors = [] } = entry;
  const at = (...path: readonly (string | number)[]): number => offsetAt(node, path);
  const mistakes: PlacedMistake[] = [];
  const note = (isWrong: boolean, offset: number, message: string): void => void (isWrong && mistakes.push({ offset, message }));
  note(used.has(providerId), at("providerId"), `"${providerId}" is the id of another provider; choose a different id`);
  const isKnown = models.length === 0 || models.some(({ modelId }) => modelId === defaultModel);
  note(defaultModel !== undefined && !isKnown, at("defaultModel"), `"${defaultModel}" is not in models`);
  for (const name of ["promptFlag", "endOfOptions"] as const)
    note(entry[name] !== undefined && promptStyle !== "arg", at(name), `${name} needs promptStyle "arg"`);
  note(
    entry.extraction !== undefined && outputFormat === "text",
    at("extraction"),
    "extraction needs outputFormat json or stream-json",
  );
  const ends = entry.extraction?.end !== undefined && outputFormat === "json";
  note(ends, at("extraction", "end"), "end is only for outputFormat stream-json");
  for (const [index, { text, exitCode }] of errors.entries()) {
    note(text === undefined && exitCode === undefined, at("errors", index), "a rule needs text or exitCode");
    const problem = text === undefined ? undefined : patternProblem(text);
    if (problem !== undefined) mistakes.push({ offset: at("errors", index, "text"), message: problem });
  }
  return mistakes;
}

function offsetAt(node: JsonNode, path: readonly (string | number)[]): number {
  let at: JsonNode | undefined = node;
  for (const step of path) at = typeof step === "number" ? at?.items?.[step] : at?.members?.get(step)?.node;
  return (at ?? node).offset;
}

function patternProblem(pattern: string): string | undefined {
  try {
    new RegExp(pattern, "i");
    return undefined;
  } catch (error) {
    return thrownMessage(error);
  }
}
