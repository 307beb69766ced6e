import type { JsonObject } from "../spec/json.ts";
import type { ToolDefinition } from "../spec/tool.ts";

/** A schema of Zod or of any other library that implements Standard Schema with JSON Schema output. */
export type StandardSchema = {
  readonly "~standard": {
    readonly vendor: string;
    readonly jsonSchema?: { readonly input: (options: { readonly target: "draft-07" }) => Record<string, unknown> };
  };
};

/** The name, description and schema of a tool. */
export type ToolSource = {
  readonly name: string;
  readonly description?: string;
  readonly schema?: StandardSchema | JsonObject;
};

/** Makes the definition of a host tool; throws when its schema has no JSON Schema. */
export function defineTool({ name, description, schema }: ToolSource): ToolDefinition {
  if (typeof name !== "string" || name === "") throw new TypeError("A tool needs a name.");
  return {
    name,
    ...(description !== undefined && { description }),
    ...(schema !== undefined && { parameters: toJsonSchema(schema) }),
  };
}

/** The JSON Schema (draft 7) of the input; a JSON Schema is returned as it is. */
function toJsonSchema(schema: StandardSchema | JsonObject): JsonObject {
  if (!isStandard(schema)) return schema;
  const { vendor, jsonSchema } = schema["~standard"];
  if (jsonSchema === undefined) {
    throw new TypeError(`This version of ${vendor} cannot give a JSON Schema; pass a JSON Schema instead (Zod: 4.2 or newer).`);
  }
  return JSON.parse(JSON.stringify(jsonSchema.input({ target: "draft-07" })));
}

function isStandard(schema: StandardSchema | JsonObject): schema is StandardSchema {
  return "~standard" in schema;
}
