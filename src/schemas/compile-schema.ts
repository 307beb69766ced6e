import type { Ajv2020 } from "ajv/dist/2020.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../spec/json.ts";
import { modernizeSchema } from "./modernize-schema.ts";
import { FORMATS, toRegExp } from "./schema-formats.ts";
import { mapSubschemas, visitSchemas } from "./subschemas.ts";

/** A validated value: with the defaults of its schema filled in, and its problems, worded for the model. */
export type CheckedValue = {
  readonly value: JsonValue;
  /** Empty when the value is valid. */
  readonly problems: readonly string[];
  /** The JSON pointers of everything that is wrong. */
  readonly places: readonly string[];
};

/** Validates a value and returns it with its defaults; the value itself is not changed. */
export type SchemaCheck = (value: JsonValue) => CheckedValue;

/** The check that accepts every value. */
export const ANY_VALUE: SchemaCheck = (value) => ({ value, problems: [], places: [] });

/** Without the meta-schema, which takes longer to compile than all tools of a request. */
const OPTIONS = {
  strict: false,
  allErrors: true,
  useDefaults: true,
  formats: Object.fromEntries([...FORMATS].map(([name, pattern]) => [name, new RegExp(pattern, "u")])),
  code: { regExp: Object.assign((pattern: string) => toRegExp(pattern), { code: "new RegExp" }) },
  logger: false,
  meta: false,
  validateSchema: false,
} as const;
/** A problem may name keys of any length that the model made up. */
const LONGEST_PROBLEM = 300;
const MOST_COMPILED = 256;
const compiled = new Map<string, SchemaCheck>();

/** The class of the compiler. It takes 30 ms to load, so that this module only gets it. */
export type Ajv = typeof Ajv2020;

/** Compiles a JSON Schema and caches it; throws when it is invalid. References are not fetched and values are not converted. */
export function compileWith(ajv: Ajv, schema: JsonObject): SchemaCheck {
  const key = JSON.stringify(schema);
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const check = compile(ajv, schema, key.includes('"default":'));
  if (compiled.size >= MOST_COMPILED) compiled.clear();
  compiled.set(key, check);
  return check;
}

/** Ajv ignores a text where a schema belongs, such as `properties: { city: "string" }`. */
function refuseOthers(schema: JsonObject): void {
  for (const [keyword, value] of Object.entries(schema))
    mapSubschemas(keyword, value, (below) => {
      if (typeof below !== "boolean" && !isJsonObject(below)) throw new TypeError(`${keyword} needs a schema.`);
      return below;
    });
}

function compile(ajv: Ajv, schema: JsonObject, hasDefaults: boolean): SchemaCheck {
  const { $schema: _, ...rules } = modernizeSchema(schema);
  visitSchemas(rules, refuseOthers);
  const validate = new ajv(OPTIONS).compile(rules);
  return (given) => {
    const value: JsonValue = hasDefaults ? structuredClone(given) : given;
    if (validate(value)) return { value, problems: [], places: [] };
    const errors = validate.errors ?? [];
    const problems = errors.slice(0, 8).map(({ instancePath, message = "is invalid", params }) => {
      const extra = Object.values(params).filter((param) => typeof param === "string" || Array.isArray(param));
      const problem = `${instancePath === "" ? "it" : instancePath} ${message}${extra.length > 0 ? ` (${extra.join(", ")})` : ""}`;
      return problem.length > LONGEST_PROBLEM ? `${problem.slice(0, LONGEST_PROBLEM - 1)}…` : problem;
    });
    return { value: given, problems, places: errors.map(({ instancePath }) => instancePath) };
  };
}
