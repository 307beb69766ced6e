import { toJsonSchema } from "../schemas/standard-schema.ts";
import type { ToolDefinition } from "../spec/message.ts";
import type { OutputSchema } from "../spec/standard-schema.ts";

export type ToolSource = {
  readonly name: string;
  readonly description?: string;
  /** A Standard Schema or a JSON Schema. */
  readonly schema?: OutputSchema;
};

/** Makes the definition of a host tool; throws when its schema has no JSON Schema, with the place. */
export function defineTool({ name, description, schema }: ToolSource): ToolDefinition {
  if (typeof name !== "string" || name === "") throw new TypeError("A tool needs a name.");
  return {
    name,
    ...(description !== undefined && { description }),
    ...(schema !== undefined && { parameters: toJsonSchema(schema) }),
  };
}
