import type { ToolDefinition } from "../../src/spec/message.ts";

/** A host tool with a default, and without room for arguments that a CLI adds. */
export const WEATHER: ToolDefinition = {
  name: "get_weather",
  description: "Weather of a city",
  parameters: {
    type: "object",
    properties: { city: { type: "string" }, days: { type: "number", default: 1 } },
    required: ["city"],
    additionalProperties: false,
  },
};
