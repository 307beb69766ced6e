import { isJsonObject, type JsonObject, type JsonValue } from "../spec/json.ts";
import type { Message, NativeTool, ToolDefinition } from "../spec/message.ts";
import type { RunRequest } from "../spec/request.ts";

/** Every CLI takes names of this length: model APIs take 64 characters, and some CLIs put up to eleven in front. */
const LONGEST_NAME = 50;

/**
 * The tools with names that the CLI takes. A tool whose name it would change or drop, or which one of its own tools has, gets another name;
 * its description then has the caller's, because system prompts and messages use that. Undefined for a tool for which no name is found.
 */
export function withNativeNames(
  tools: readonly ToolDefinition[],
  isTaken: (name: string) => boolean,
): readonly (NativeTool | undefined)[] {
  const used = new Set(tools.map(({ name }) => name));
  return tools.map((tool) => {
    if (!isTaken(tool.name)) return tool;
    const name = namesLike(tool.name, tools.length).find((candidate) => !used.has(candidate) && !isTaken(candidate));
    if (name === undefined) return undefined;
    used.add(name);
    const description = `${tool.description ?? ""}\n\nOther texts call this tool ${tool.name}.`.trim();
    return { ...tool, name, description, callersName: tool.name };
  });
}

export function callersNameOf({ name, callersName = name }: NativeTool): string {
  return callersName;
}

/** Gives the calls of host tools the callers' names and inputs instead of the CLI's. */
export type CallersNames = {
  /** The callers' names by the names of the CLI. */
  readonly names: ReadonlyMap<string, string>;
  /** The input of a call as the model gave it, by the caller's name of the tool; the CLI's own report by default. */
  readonly inputOf?: (name: string, input: JsonValue) => JsonValue;
};

/** The callers' names by those of the CLI, of the tools that have two. */
export function changedNames(tools: readonly NativeTool[]): ReadonlyMap<string, string> {
  return new Map(tools.flatMap(({ name, callersName }) => (callersName === undefined ? [] : [[name, callersName] as const])));
}

/** The request with the CLI's names in the calls of its conversation, so that the model knows its own calls again. */
export function withNativeCalls(request: RunRequest, tools: readonly NativeTool[]): RunRequest {
  const names = new Map([...changedNames(tools)].map(([name, callersName]) => [callersName, name]));
  if (names.size === 0 || request.messages === undefined) return request;
  const rename = (message: Message): Message => {
    if (message.role !== "assistant" || message.toolCalls === undefined) return message;
    return { ...message, toolCalls: message.toolCalls.map((call) => ({ ...call, name: names.get(call.name) ?? call.name })) };
  };
  return { ...request, messages: request.messages.map(rename) };
}

/** Names of letters, digits, single `_` and `-` that resemble the caller's; more than the other tools can have. */
function namesLike(name: string, tools: number): readonly string[] {
  const plain = name.replace(/[^A-Za-z0-9-]+/g, "_").replace(/^[_-]+/, "") || "tool";
  const host = `host_${plain}`;
  const numbered = Array.from({ length: 2 * tools }, (_, index) => {
    const suffix = `_${index + 2}`;
    return host.slice(0, LONGEST_NAME - suffix.length) + suffix;
  });
  return [plain.slice(0, LONGEST_NAME), host.slice(0, LONGEST_NAME), ...numbered];
}

/** The input of a call without the arguments that the CLI adds to every tool, unless the schema of the tool has them itself. */
export function withoutAdded<Input extends JsonValue>(input: Input, added: readonly string[], schema: JsonObject = {}): Input {
  if (!isJsonObject(input) || added.length === 0) return input;
  const own = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const isKept = (name: string): boolean => !added.includes(name) || Object.hasOwn(own, name);
  return Object.fromEntries(Object.entries(input).filter(([name]) => isKept(name))) as Input;
}
