import { type BoundTools, bindTools } from "../../schemas/validate-schema.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { NativeTool } from "../../spec/message.ts";
import { callersNameOf } from "../native-tools.ts";

/** A host tool as a CLI gets it from an MCP server. */
export type ListedTool = { readonly name: string; readonly description: string; readonly inputSchema: JsonObject };

/** The tools of a bridge: the list for the CLI, the callers' names by listed name, and the checks by the callers' names. */
export type ToolList = {
  readonly listed: readonly ListedTool[];
  readonly callersNames: ReadonlyMap<string, string>;
  readonly checks: BoundTools;
};

/** Prepares tools for a CLI; throws a TypeError for a schema that does not describe an object. */
export function toToolList(tools: readonly NativeTool[]): ToolList {
  const listed = tools.map(({ name, description, parameters }) => {
    const inputSchema = toInputSchema(name, parameters);
    // Qwen Code 0.15.10 drops a tool without a description.
    return { name, description: description || name, inputSchema };
  });
  const callersNames = new Map(tools.map((tool) => [tool.name, callersNameOf(tool)]));
  return { listed, callersNames, checks: bindTools(tools.map((tool) => ({ ...tool, name: callersNameOf(tool) }))) };
}

/** MCP needs `type: "object"` at the root; some CLIs drop all tools of a server that has one without it. */
function toInputSchema(name: string, parameters: JsonObject = {}): JsonObject {
  const { type = "object" } = parameters;
  const isObject = type === "object" || (Array.isArray(type) && type.includes("object"));
  if (!isObject) throw new TypeError(`The schema of the tool ${JSON.stringify(name)} does not describe an object.`);
  return { ...parameters, type: "object" };
}
