import type { JsonObject } from "../spec/json.ts";
import type { ToolDefinition } from "../spec/tool.ts";
import { type BoundTools, bindTools } from "../tools/validate-schema.ts";

/** A host tool as a CLI gets it from an MCP server. */
export type ListedTool = { readonly name: string; readonly description: string; readonly inputSchema: JsonObject };

/** The tools of a bridge: the list for the CLI, the callers' names by listed name, and the checks by the callers' names. */
export type ToolList = {
  readonly listed: readonly ListedTool[];
  readonly callersNames: ReadonlyMap<string, string>;
  readonly checks: BoundTools;
};

/**
 * The longest name in the list. Model APIs take 64 characters, and a CLI puts up to eleven in front (`mcp__host__`); Gemini cuts names
 * of more than 63.
 */
const LONGEST_NAME = 50;

/** Prepares tools for a CLI; throws a TypeError for a schema that does not describe an object. */
export function toToolList(tools: readonly ToolDefinition[]): ToolList {
  const callersNames = new Map<string, string>();
  const listed = tools.map(({ name, description, parameters }) => {
    const listedName = toListedName(name, callersNames);
    callersNames.set(listedName, name);
    const inputSchema = toInputSchema(name, parameters);
    // Qwen Code 0.15.10 drops a tool without a description.
    return { name: listedName, description: description || name, inputSchema };
  });
  return { listed, callersNames, checks: bindTools(tools) };
}

/** A name of letters, digits, `_` and `-` that no other tool has; other characters become `_`. */
function toListedName(name: string, taken: ReadonlyMap<string, string>): string {
  const plain = name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, LONGEST_NAME) || "tool";
  let listed = plain;
  for (let number = 2; taken.has(listed); number += 1) {
    const suffix = `_${number}`;
    listed = plain.slice(0, LONGEST_NAME - suffix.length) + suffix;
  }
  return listed;
}

/** MCP needs `type: "object"` at the root; some CLIs drop all tools of a server that has one without it. */
function toInputSchema(name: string, parameters: JsonObject = {}): JsonObject {
  const { type = "object" } = parameters;
  const isObject = type === "object" || (Array.isArray(type) && type.includes("object"));
  if (!isObject) throw new TypeError(`The schema of the tool ${JSON.stringify(name)} does not describe an object.`);
  return { ...parameters, type: "object" };
}
