import type { BindToolsInput } from "@langchain/core/language_models/chat_models";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { toJsonSchema } from "@langchain/core/utils/json_schema";
import type { JsonObject } from "../../spec/json.ts";
import type { ToolChoice, ToolDefinition } from "../../spec/message.ts";

type Field = "type" | "name" | "description" | "parameters" | "schema" | "input_schema" | "inputSchema";
type Loose = { readonly [Name in Field]?: unknown } & { readonly function?: Loose };

/** Converts tools in any of LangChain's forms to plain definitions: its own, Zod, JSON Schema, OpenAI's, Anthropic's. */
export function toDefinitions(tools: readonly BindToolsInput[]): readonly ToolDefinition[] {
  return tools.map(toDefinition);
}

function toDefinition(tool: BindToolsInput): ToolDefinition {
  const converted: Loose = convertToOpenAITool(tool as never);
  const { name, description, parameters, schema, input_schema, inputSchema } = converted.function ?? converted;
  const given = parameters ?? schema ?? input_schema ?? inputSchema;
  const isOfServer = typeof converted.type === "string" && converted.type !== "function" && given === undefined;
  if (typeof name !== "string" || name === "" || isOfServer)
    throw new TypeError(
      "Only tools with a name and a schema can be bound; tools that run on a vendor's server are not available here.",
    );
  return {
    name,
    ...(typeof description === "string" && description !== "" && { description }),
    ...(given !== undefined && { parameters: toPlainSchema(given) }),
  };
}

/** The JSON Schema of a Zod or Standard Schema; a JSON Schema is returned as it is. */
export function toPlainSchema(schema: unknown): JsonObject {
  return JSON.parse(JSON.stringify(toJsonSchema(schema as never)));
}

export function toToolChoice(choice: unknown): ToolChoice {
  if (choice === undefined || choice === null || choice === "auto") return "auto";
  if (choice === "none") return "none";
  if (choice === "any" || choice === "required") return "required";
  if (typeof choice === "string") return { name: choice };
  const { type, name, function: nested } = choice as { type?: unknown; name?: unknown; function?: { name?: unknown } };
  const wanted = nested?.name ?? name;
  return typeof wanted === "string" ? { name: wanted } : toToolChoice(type === "function" || type === "tool" ? "auto" : type);
}
