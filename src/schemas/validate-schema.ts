import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonObject } from "../spec/json.ts";
import type { ToolDefinition } from "../spec/message.ts";
import type { RunRequest } from "../spec/request.ts";
import {
  ANY_VALUE,
  compileWith,
  findMistakeWith,
  findProblemWith,
  type SchemaCheck,
  type SchemaMistake,
} from "./compile-schema.ts";

/** Compiles a JSON Schema and caches it; throws when it is invalid. */
export function compileSchema(schema: JsonObject): SchemaCheck {
  return compileWith(Ajv2020, schema);
}

export function findSchemaMistake(schema: JsonObject): SchemaMistake | undefined {
  return findMistakeWith(Ajv2020, schema);
}

export function findSchemaProblem(request: RunRequest): string | undefined {
  return findProblemWith(Ajv2020, request);
}

/** The tools of one request by exact name, each with the check of its arguments. */
export type BoundTools = ReadonlyMap<string, SchemaCheck>;

/** Throws if the schema of a tool is invalid. */
export function bindTools(tools: readonly ToolDefinition[]): BoundTools {
  return new Map(tools.map(({ name, parameters }) => [name, parameters === undefined ? ANY_VALUE : compileSchema(parameters)]));
}
