import type { SchemaDialect } from "../../spec/provider/schema-dialect.ts";

/**
 * The schemas that OpenAI's strict mode takes. Codex passes every schema on with `strict: true` and checks neither it nor the
 * answer; the service refuses an optional key, an open object and a schema without a type (`invalid_json_schema`). Patterns are left
 * out, because its regular expressions have no lookaround.
 */
export const CODEX_SCHEMAS: SchemaDialect = {
  keywords: [
    ...["$defs", "$ref", "additionalProperties", "anyOf", "const", "definitions", "description", "enum", "exclusiveMaximum"],
    ...["exclusiveMinimum", "format", "items", "maxItems", "maximum", "minItems", "minimum", "multipleOf", "properties"],
    ...["required", "title", "type"],
  ],
  formats: ["date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uuid"],
  root: "object",
  objects: "closed",
};
