import type { SchemaDialect } from "../../spec/provider/schema-dialect.ts";

/** The schemas that Qwen Code takes: it exits with 52 for any other keyword, and for a root that is no object (tests/real/schema-dialects). */
export const QWEN_SCHEMAS: SchemaDialect = {
  keywords: [
    ...["$comment", "$defs", "$ref", "additionalProperties", "allOf", "anyOf", "const", "contains", "default", "definitions"],
    ...[
      "dependencies",
      "description",
      "else",
      "enum",
      "examples",
      "exclusiveMaximum",
      "exclusiveMinimum",
      "format",
      "if",
      "items",
    ],
    ...["maxItems", "maxLength", "maxProperties", "maximum", "minItems", "minLength", "minProperties", "minimum", "multipleOf"],
    ...["not", "oneOf", "pattern", "patternProperties", "properties", "propertyNames", "required", "then", "title", "type"],
    ...["uniqueItems"],
  ],
  formats: ["date", "date-time", "email", "hostname", "ipv4", "ipv6", "time", "uri", "uuid"],
  root: "object",
};
