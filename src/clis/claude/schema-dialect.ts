import type { SchemaDialect } from "../../spec/provider/schema-dialect.ts";

/**
 * The schemas that Claude Code takes. It compiles a schema as draft 7 in strict mode and silently ignores the whole schema if it
 * has any other keyword or, in 2.1.197, any `format` (tests/real/schema-dialects). Anthropic's API refuses tools whose arguments
 * are a choice at their root, and tuples written as `items` with a list.
 */
export const CLAUDE_SCHEMAS: SchemaDialect = {
  keywords: [
    ...["$comment", "$defs", "$ref", "additionalProperties", "allOf", "anyOf", "const", "contains", "default", "definitions"],
    ...["dependencies", "description", "else", "enum", "examples", "exclusiveMaximum", "exclusiveMinimum", "if", "items"],
    ...["maxItems", "maxLength", "maxProperties", "maximum", "minItems", "minLength", "minProperties", "minimum", "multipleOf"],
    ...["not", "oneOf", "pattern", "patternProperties", "properties", "propertyNames", "required", "then", "title", "type"],
    ...["uniqueItems"],
  ],
  root: "object",
};
