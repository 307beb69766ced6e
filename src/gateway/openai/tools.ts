import type { Fields } from "../../formats/fields.ts";
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "../../spec/json.ts";
import type { HostCall, ToolChoice, ToolDefinition } from "../../spec/message.ts";
import type { RunRequest } from "../../spec/request.ts";
import { openAiFields } from "./request-fields.ts";

/** A tool of the client: how the model knows it, and its form in OpenAI's APIs. */
export type ClientTool = {
  readonly definition: ToolDefinition;
  readonly name: string;
  readonly namespace?: string;
  /** A custom tool takes free text; the model gets a tool with the one argument `input`. */
  readonly isCustom: boolean;
};

export type ClientTools = { readonly tools: readonly ClientTool[]; readonly ignored: readonly string[] };

/** Tools of OpenAI's servers without which an answer is still an answer; Codex offers them in every request. */
const OPTIONAL: readonly string[] = ["web_search", "tool_search"];

export function readTools(list: readonly Fields[]): ClientTools {
  const found = list.map(readTool);
  return { tools: found.flatMap(({ tools }) => tools), ignored: found.flatMap(({ ignored }) => ignored) };
}

/** The tools of a request that was read before, by the names that the model knows. */
export function toolsByName(list: JsonValue | undefined): ReadonlyMap<string, ClientTool> {
  const { tools } = readTools(openAiFields({ tools: list ?? [] }).objects("tools"));
  return new Map(tools.map((tool) => [tool.definition.name, tool]));
}

export function modelName(name: string, namespace?: string): string {
  return namespace === undefined ? name : `${namespace}__${name}`;
}

function readTool(tool: Fields): ClientTools {
  const type = tool.neededText("type");
  if (OPTIONAL.includes(type)) return { tools: [], ignored: [`tools.${type}`] };
  if (type === "namespace") {
    const namespace = tool.neededText("name");
    return { tools: tool.objects("tools").map((inner) => readCallable(inner, namespace)), ignored: [] };
  }
  return { tools: [readCallable(tool)], ignored: [] };
}

/** Chat Completions has the definition in a field that is called as the type, Responses has it in the tool itself. */
function readCallable(tool: Fields, namespace?: string): ClientTool {
  const type = tool.neededText("type");
  if (type !== "function" && type !== "custom")
    throw tool.unsupported("type", `Tools of type '${type}' are not supported.`, "Use tools of the types function and custom.");
  const fields = tool.object(type) ?? tool;
  const name = fields.neededText("name");
  const isCustom = type === "custom";
  const parameters = isCustom ? FREE_TEXT : fields.object("parameters")?.values;
  const description = [fields.text("description") ?? "", isCustom ? describeFormat(fields) : ""].filter(Boolean).join("\n\n");
  const definition = {
    name: modelName(name, namespace),
    ...(description !== "" && { description }),
    ...(parameters !== undefined && { parameters }),
  };
  return { definition, name, ...(namespace !== undefined && { namespace }), isCustom };
}

const FREE_TEXT: JsonObject = {
  type: "object",
  properties: { input: { type: "string", description: "The whole input of the tool, as plain text" } },
  required: ["input"],
  additionalProperties: false,
};

function describeFormat(fields: Fields): string {
  const format = fields.object("format");
  if (format?.text("type") !== "grammar") return "";
  const grammar = format.object("grammar") ?? format;
  return `The input must match this grammar (${grammar.neededText("syntax")}):\n${grammar.neededText("definition")}`;
}

/** The text of a call in OpenAI's APIs: JSON, or the free text of a custom tool. */
export function toCallText({ args }: HostCall, tool: ClientTool | undefined): string {
  const input = args["input"];
  return tool?.isCustom === true && typeof input === "string" ? input : JSON.stringify(args);
}

/** The arguments of an earlier call; those of an invalid call need not be a JSON object. */
export function readArguments(text: string): JsonObject {
  if (text.trim() === "") return {};
  const value = parseJson(text);
  return isJsonObject(value) ? value : { invalid: text };
}

/** The fields of a run about the tools of the client: the tools that may be called, and whether one must be. */
export function toolSettings(body: Fields, tools: readonly ClientTool[]): Partial<RunRequest> {
  const { choice, allowed } = readChoice(body);
  const offered = tools.map(({ definition }) => definition).filter(({ name }) => allowed?.has(name) ?? true);
  if (offered.length === 0 && (choice === "auto" || choice === "none")) return {};
  // A client of OpenAI gets every call as the model wrote it, and checks the arguments itself.
  return { tools: offered, toolChoice: choice, invalidCalls: "return" };
}

type Choice = { readonly choice: ToolChoice; readonly allowed?: ReadonlySet<string> };

function readChoice(body: Fields): Choice {
  const value = body.value("tool_choice") ?? "auto";
  if (value === "auto" || value === "none" || value === "required") return { choice: value };
  if (typeof value === "string")
    throw body.unsupported("tool_choice", "Invalid value for 'tool_choice': use none, auto, required or an object.");
  const fields = body.neededObject("tool_choice");
  const type = fields.neededText("type");
  if (type === "allowed_tools") {
    const rules = fields.object("allowed_tools") ?? fields;
    const choice = rules.neededText("mode") === "required" ? "required" : "auto";
    return { choice, allowed: new Set(rules.objects("tools").map(readName)) };
  }
  return { choice: { name: readName(fields) } };
}

/** Chat Completions has the name in a field that is called as the type. */
function readName(choice: Fields): string {
  const type = choice.neededText("type");
  if (type !== "function" && type !== "custom") throw choice.unsupported("type", `Tools of type '${type}' are not supported.`);
  const fields = choice.object(type) ?? choice;
  return modelName(fields.neededText("name"), fields.text("namespace"));
}
