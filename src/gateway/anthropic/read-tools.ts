import type { JsonObject } from "../../spec/json.ts";
import type { ToolChoice, ToolDefinition } from "../../spec/tool.ts";
import { badField, type Field, flagAt, isGiven, listAt, objectAt, stringAt } from "./fields.ts";
import type { ToolChanges } from "./read-messages.ts";

/** The tools that the model gets. Deferred ones are among them if the conversation loaded them, or if they would have to be searched for. */
export function readTools(value: Field, { offered, defined }: ToolChanges): readonly ToolDefinition[] {
  const listed = isGiven(value) ? listAt(value, "tools") : [];
  const tools = [...listed, ...defined].map((entry, index) => objectAt(entry, `tools.${index}`));
  const isSearched = tools.some(isToolSearch);
  return tools.flatMap((tool, index) => {
    if (isToolSearch(tool)) return [];
    const path = `tools.${index}`;
    const definition = readTool(tool, path);
    const isDeferred = flagAt(tool["defer_loading"], `${path}.defer_loading`);
    return (offered.get(definition.name) ?? (!isDeferred || isSearched)) ? [definition] : [];
  });
}

/** True for Anthropic's own search for deferred tools; without it the model sees all of them. */
function isToolSearch({ type }: JsonObject): boolean {
  return typeof type === "string" && type.startsWith("tool_search_tool_");
}

function readTool(tool: JsonObject, path: string): ToolDefinition {
  const { type, description } = tool as Readonly<Record<string, Field>>;
  if (isGiven(type) && type !== "custom") {
    const problem = `The tool type ${JSON.stringify(type)} is one of Anthropic's own; a CLI gets only custom tools.`;
    throw badField(path, problem, "Leave the tool out, or describe it with a name and an input_schema.");
  }
  return {
    name: stringAt(tool["name"], `${path}.name`),
    ...(isGiven(description) && { description: stringAt(description, `${path}.description`) }),
    parameters: objectAt(tool["input_schema"], `${path}.input_schema`),
  };
}

/** The choice of a request and what of it no CLI honours. */
export type ReadChoice = { readonly toolChoice?: ToolChoice; readonly ignored: readonly string[] };

/** Reads `tool_choice`. `auto` is left out, because it is the default. */
export function readToolChoice(value: Field): ReadChoice {
  if (!isGiven(value)) return { ignored: [] };
  const choice = objectAt(value, "tool_choice");
  const isSerial = flagAt(choice["disable_parallel_tool_use"], "tool_choice.disable_parallel_tool_use");
  const ignored = isSerial ? ["tool_choice.disable_parallel_tool_use"] : [];
  switch (choice["type"]) {
    case "auto":
      return { ignored };
    case "any":
      return { toolChoice: "required", ignored };
    case "none":
      return { toolChoice: "none", ignored };
    case "tool":
      return { toolChoice: { name: stringAt(choice["name"], "tool_choice.name") }, ignored };
    default:
      throw badField("tool_choice.type", "Input should be 'auto', 'any', 'tool' or 'none'");
  }
}
