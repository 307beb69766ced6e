import { createFailure, type Failure } from "../spec/failure/failure.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../spec/json.ts";
import type { Message, NativeTool, ToolDefinition } from "../spec/message.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { NativeTools, Surroundings } from "../spec/provider/provider-facts.ts";
import type { McpServers, PromptRequest, RunRequest, Target } from "../spec/request.ts";

/**
 * How host tools reach the model: as tools of the CLI, with the definitions that it gets and its rules, or in the prompt, with the reason.
 */
export type ToolWay = { readonly tools: readonly NativeTool[]; readonly rules: NativeTools } | { readonly reason: string };

type WayOptions = {
  /** A function of the caller runs them during the run, or the caller after it. */
  readonly runner: "function" | "caller";
  /** True if the client keeps turns open between runs. */
  readonly canPark: boolean;
  readonly env: Surroundings;
};

/** The provider is that of the installed version. */
export function chooseToolWay(
  { provider, target }: { readonly provider: Provider; readonly target: Target },
  request: RunRequest,
  { runner, canPark, env }: WayOptions,
): ToolWay {
  const { hostTools = "auto", toolChoice = "auto", session, tools = [], mode } = request;
  if (tools.length === 0) return { reason: "The request has no tools." };
  if (hostTools === "text") return { reason: "The request asks for tools by text." };
  const rules = rulesOf(provider, target, request);
  if (rules === undefined || (mode === "agent" && rules.forAgents === false))
    return { reason: `${provider.label} cannot offer host tools as tools of its own for this request.` };
  if (toolChoice !== "auto") return { reason: "toolChoice works by text only." };
  if (isUnlimited(provider, rules, request)) return { reason: `${provider.label} cannot limit its turns, and maxTurns is set.` };
  const proxy = proxyOf(rules, request, env);
  if (proxy !== undefined) return { reason: `${provider.label} would ask the proxy of ${proxy} for them.` };
  if (runner === "caller") {
    if (request.budget?.usd !== undefined && provider.traits.cost)
      return {
        reason: `${provider.label} tells the cost of calls that wait at the end of its turn, and the request limits the cost.`,
      };
    const isAlone = session === undefined && mode !== "agent" && request.maxTurns === undefined;
    const reason = parkingProblem(rules, { canPark, isAlone, label: provider.label });
    if (reason !== undefined) return { reason };
  }
  const isOwn = (name: string): boolean =>
    name === provider.objectTool || (mode === "agent" && rules.ownNames?.test(name) === true);
  const named = withNativeNames(tools, (name) => !rules.names.test(name) || isOwn(name));
  const nameless = tools.find((_, index) => named[index] === undefined);
  if (nameless !== undefined) return { reason: `${provider.label} takes no name like ${JSON.stringify(nameless.name)}.` };
  const native = named.filter((tool) => tool !== undefined).map((tool) => withShortDescription(toNativeTool(tool), rules));
  const problem = native.map((tool) => toolProblem(tool, rules)).find((found) => found !== undefined);
  return problem === undefined ? { tools: native, rules } : { reason: problem };
}

/** The failure of a request whose host tools cannot reach the model as it asks. */
export function refuseWay({ hostTools, mode, tools = [] }: RunRequest, way: ToolWay): Failure | undefined {
  if (tools.length === 0 || "tools" in way) return undefined;
  if (hostTools === "native") return createFailure("option-unsupported", `Host tools cannot be native. ${way.reason}`);
  if (mode !== "agent") return undefined;
  const message = "Host tools by text need completion mode; in agent mode the CLI uses its own tools.";
  return createFailure("options-conflict", `${message} ${way.reason}`);
}

/** The rules of the transport that takes the tools; a new process is preferred, because every request can have one. */
function rulesOf(
  { transports: { spawn, resident } }: Provider,
  { transport = "auto" }: Target,
  request: RunRequest,
): NativeTools | undefined {
  if (transport === "spawn" || (transport === "auto" && spawn.nativeTools !== undefined)) return spawn.nativeTools;
  const prompt = { ...request, prompt: request.prompt ?? "" } as PromptRequest;
  return resident?.serves(prompt, { answersPermissions: false }) === true ? resident.nativeTools : undefined;
}

/** By text Coxswain itself counts the answers. An agent has no other way, and there the setting is left out as without tools. */
function isUnlimited({ options }: Provider, { bridgeName }: NativeTools, { maxTurns, mode }: RunRequest): boolean {
  return maxTurns !== undefined && mode !== "agent" && bridgeName !== undefined && !options.includes("max-turns");
}

function proxyOf({ proxyVariables = [] }: NativeTools, request: RunRequest, env: Surroundings): string | undefined {
  return proxyVariables.find((name) => (request.env?.[name] ?? env[name] ?? "") !== "");
}

function parkingProblem(
  rules: NativeTools,
  { canPark, isAlone, label }: { readonly canPark: boolean; readonly isAlone: boolean; readonly label: string },
): string | undefined {
  if (!rules.canPark) return `${label} does not tell when all calls of an answer are known.`;
  if (!isAlone) return "In sessions, in agent mode and with maxTurns only a function (callTool) can run them.";
  return canPark ? undefined : "The client keeps no processes between runs.";
}

function toolProblem({ name, description = "", parameters = {} }: ToolDefinition, rules: NativeTools): string | undefined {
  if (description.length > rules.descriptionLength) return `The CLI would cut the description of ${name}.`;
  return rules.takes?.(parameters) === false ? `The CLI does not take the schema of ${name}.` : undefined;
}

const COMBINED: readonly string[] = ["anyOf", "oneOf", "allOf", "$ref", "not", "if", "enum", "const"];

/**
 * The definition that the CLI gets. CLIs drop tools whose schema is not an object with properties at its root, some of them all tools
 * together. Such a tool takes any object, and its description has the schema; Coxswain checks the arguments in either case.
 */
function toNativeTool({ description = "", parameters = {}, ...tool }: NativeTool): NativeTool {
  const isPlain = (parameters["type"] ?? "object") === "object" && !COMBINED.some((keyword) => keyword in parameters);
  if (isPlain) return { ...tool, description, parameters: { type: "object", ...withoutBooleans(parameters) } };
  const explained = `${description}\n\nThe arguments must match this JSON Schema: ${JSON.stringify(parameters)}`.trim();
  return { ...tool, description: explained, parameters: { type: "object", additionalProperties: true } };
}

/** Moves a description that the CLI would cut into the schema, if the CLI passes that on whole. */
function withShortDescription(tool: NativeTool, { descriptionLength, keepsSchemaDescription }: NativeTools): NativeTool {
  const { name, description = "", parameters = {} } = tool;
  if (keepsSchemaDescription !== true || description.length <= descriptionLength) return tool;
  const whole = [description, parameters["description"] ?? ""].filter((text) => text !== "").join("\n\n");
  const pointer = `The description of ${name} is that of its input schema.`;
  return { ...tool, description: pointer, parameters: { ...parameters, description: whole } };
}

/** Claude Code 2.1.197 drops all tools if a property has a boolean as its schema. */
function withoutBooleans(parameters: JsonObject): JsonObject {
  const { properties } = parameters;
  if (!isJsonObject(properties)) return parameters;
  const entries = Object.entries(properties).map(([name, schema]) => [name, typeof schema === "boolean" ? {} : schema] as const);
  return { ...parameters, properties: Object.fromEntries(entries) };
}

export function freeServerName(servers: McpServers = {}): string {
  let name = "host";
  for (let number = 2; Object.hasOwn(servers, name); number += 1) name = `host${number}`;
  return name;
}

/** The request with a bridge as a plan shows it: its port, path and token are chosen when the run begins. */
export function withPlannedBridge(request: PromptRequest): PromptRequest {
  const hostServer = freeServerName(request.mcpServers);
  const server = { type: "http", url: "http://127.0.0.1:0/", headers: { Authorization: "Bearer (of the run)" } } as const;
  return { ...request, mcpServers: { ...request.mcpServers, [hostServer]: server }, hostServer };
}

/** Every CLI takes names of this length: model APIs take 64 characters, and some CLIs put up to eleven in front. */
const LONGEST_NAME = 50;

/**
 * The tools with names that the CLI takes. A tool whose name it would change or drop, or which one of its own tools has, gets another name;
 * its description then has the caller's, because system prompts and messages use that. Undefined for a tool for which no name is found.
 */
function withNativeNames(
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
