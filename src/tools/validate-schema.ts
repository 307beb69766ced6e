import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonObject, JsonValue } from "../spec/json.ts";
import type { ToolDefinition } from "../spec/tool.ts";

/** Validates a value; the problems are worded for the model, and the list is empty when there are none. */
export type SchemaCheck = (value: JsonValue) => readonly string[];

/** Without the meta-schema, which takes longer to compile than all tools of a request. */
const OPTIONS = {
  strict: false,
  allErrors: true,
  validateFormats: false,
  logger: false,
  meta: false,
  validateSchema: false,
} as const;
/** A problem may name keys of any length that the model made up. */
const LONGEST_PROBLEM = 300;
const MOST_COMPILED = 256;
const compiled = new Map<string, SchemaCheck>();

/** Compiles a JSON Schema and caches it; throws when it is invalid. References are not fetched and values are not converted. */
export function compileSchema(schema: JsonObject): SchemaCheck {
  const key = JSON.stringify(schema);
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const check = compile(schema);
  if (compiled.size >= MOST_COMPILED) compiled.clear();
  compiled.set(key, check);
  return check;
}

/** The tools of one request by exact name, each with the check of its arguments. */
export type BoundTools = ReadonlyMap<string, SchemaCheck>;

/** Compiles the schemas of tools; throws when one of them is invalid. */
export function bindTools(tools: readonly ToolDefinition[]): BoundTools {
  return new Map(tools.map(({ name, parameters }) => [name, parameters === undefined ? () => [] : compileSchema(parameters)]));
}

/** True if a schema names a draft before 2019-09, whose keywords have another meaning. */
export function isOldSchema({ $schema: dialect }: JsonObject): boolean {
  return typeof dialect === "string" && /draft-0[467]/.test(dialect);
}

function compile(schema: JsonObject): SchemaCheck {
  const { $schema: _, ...rules } = schema;
  const validate: ValidateFunction = isOldSchema(schema) ? new Ajv(OPTIONS).compile(rules) : new Ajv2020(OPTIONS).compile(rules);
  return (value) => {
    if (validate(value)) return [];
    return (validate.errors ?? []).slice(0, 8).map(({ instancePath, message = "is invalid", params }) => {
      const extra = Object.values(params).filter((param) => typeof param === "string" || Array.isArray(param));
      const problem = `${instancePath === "" ? "it" : instancePath} ${message}${extra.length > 0 ? ` (${extra.join(", ")})` : ""}`;
      return problem.length > LONGEST_PROBLEM ? `${problem.slice(0, LONGEST_PROBLEM - 1)}…` : problem;
    });
  };
}
