import { resolve } from "node:path";
import { isStandardSchema, type OutputValidator, toJsonSchema, toValidator } from "../schemas/standard-schema.ts";
import type { Budget } from "../spec/client-options.ts";
import { createFailure, type Failure, thrownMessage } from "../spec/failure/failure.ts";
import { checkNames, type Fields, REQUEST_FIELDS } from "../spec/fields.ts";
import { isJsonObject } from "../spec/json.ts";
import type { Message } from "../spec/message.ts";
import type { McpServer, Permissions, RunInput, RunRequest, SessionChoice, Timeouts } from "../spec/request.ts";
import type { RunContext } from "../spec/stream.ts";

/** Checks the types of a call, which throws, and settles its request: with absolute paths, and with a JSON Schema. */
export function settle(input: RunInput, context: RunContext): SettledOutput {
  const settled = settleOutput(checkRequestTypes(input));
  demand(isJsonObject(context), "A context is an object.");
  checkNames("context", context, CONTEXT);
  for (const name of ["callTool", "onPermission"] as const)
    demand(["undefined", "function"].includes(typeof context[name]), `${name} must be a function.`);
  return { ...settled, request: withAbsolutePaths(settled.request) };
}

type SettledOutput = {
  readonly request: RunRequest;
  readonly output?: OutputValidator | undefined;
  readonly failure?: Failure;
};

/** Replaces the schema of a request by its JSON Schema; the validator of a Standard Schema is returned beside it. */
export function settleOutput({ outputSchema, ...rest }: RunInput): SettledOutput {
  const request = rest as RunRequest;
  if (outputSchema === undefined) return { request };
  try {
    const output = isStandardSchema(outputSchema) ? toValidator(outputSchema) : undefined;
    return { request: { ...request, outputSchema: toJsonSchema(outputSchema) }, output };
  } catch (error) {
    const why = thrownMessage(error);
    return { request, failure: createFailure("schema-unreadable", `The output schema has no JSON Schema: ${why}`) };
  }
}

/**
 * Makes the paths of a request absolute, because the CLI may run in another directory than the caller. Values of a wrong type are
 * left for validation.
 */
function withAbsolutePaths(request: RunRequest): RunRequest {
  const { cwd, addDirs } = request;
  if (typeof cwd !== "string" && !Array.isArray(addDirs)) return request;
  const base = resolve(typeof cwd === "string" ? cwd : ".");
  return {
    ...request,
    ...(typeof cwd === "string" && { cwd: base }),
    ...(Array.isArray(addDirs) && {
      addDirs: addDirs.map((path) => (typeof path !== "string" || path === "" ? path : resolve(base, path))),
    }),
  };
}

/** The first reason why the conversation, the tools or the bounds of a request cannot be used. */
export function validateConversation(request: RunRequest): Failure | undefined {
  return checkBounds(request) ?? checkConversation(request);
}

export function checkBounds({ maxWaitMs, budget = {} }: Pick<RunRequest, "maxWaitMs" | "budget">): Failure | undefined {
  const { usd, tokens, wallMs } = budget;
  for (const [name, value] of Object.entries({ maxWaitMs, "budget.usd": usd, "budget.tokens": tokens, "budget.wallMs": wallMs }))
    if (value !== undefined && !(typeof value === "number" && value >= 0))
      return createFailure("bad-request", `${name} must be a number, at least zero, not ${JSON.stringify(value)}.`);
  return undefined;
}

function checkConversation(request: RunRequest): Failure | undefined {
  const { messages, tools = [], toolChoice = "auto", threadEncoding = "xml", hostTools = "auto" } = request;
  if (!["auto", "native", "text"].includes(hostTools))
    return createFailure("bad-request", `hostTools is auto, native or text, not ${JSON.stringify(hostTools)}.`);
  if (!["xml", "text"].includes(threadEncoding))
    return createFailure("bad-request", `threadEncoding is xml or text, not ${JSON.stringify(threadEncoding)}.`);
  if (request.trustThread === true && threadEncoding === "text")
    return createFailure("bad-request", "trustThread is for an XML thread, and threadEncoding is text.");
  if (!isToolChoice(toolChoice)) {
    const given = JSON.stringify(toolChoice);
    return createFailure("bad-request", `toolChoice is auto, none, required or an object with a name, not ${given}.`);
  }
  const isBlank = ({ role, text, images = [] }: Message): boolean =>
    ["system", "user"].includes(role) && text.trim() === "" && images.length === 0;
  if (messages?.every(isBlank) === true) return createFailure("prompt-blank", "The messages are blank.");
  const names = tools.map(({ name }) => name);
  const repeated = firstRepeated(names);
  if (repeated !== undefined) return createFailure("bad-request", `Two tools are called ${JSON.stringify(repeated)}.`);
  const bad = names.find((name) => typeof name !== "string" || !/^[\p{L}\p{N}_.:/-]{1,128}$/u.test(name));
  if (bad !== undefined)
    return createFailure("bad-request", `${JSON.stringify(bad)} cannot be the name of a tool: use letters, digits, _ . : / -.`);
  const wanted = typeof toolChoice === "object" ? toolChoice.name : undefined;
  if (wanted !== undefined && !names.includes(wanted))
    return createFailure("bad-request", `The tool ${JSON.stringify(wanted)} must be called but is not among the tools.`);
  return toolChoice === "required" && tools.length === 0
    ? createFailure("bad-request", "A tool must be called, but there are no tools.")
    : undefined;
}

function isToolChoice(choice: unknown): boolean {
  if (typeof choice === "object" && choice !== null) return "name" in choice && typeof choice.name === "string";
  return choice === "auto" || choice === "none" || choice === "required";
}

/** The first name that was there before. A request of a gateway may have very many names, so each is looked up in a set. */
function firstRepeated(names: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return names.find((name) => {
    const isRepeated = seen.has(name);
    seen.add(name);
    return isRepeated;
  });
}

/** Returns the request; throws a TypeError if a field is unknown or has a wrong type, because that is a bug in the caller's code. */
export function checkRequestTypes(request: RunInput): RunInput {
  demand(isJsonObject(request), "A request is an object with a prompt or messages.");
  checkFields(request);
  const { prompt, messages, system, tools, images, outputSchema, budget, env } = request;
  demand(messages === undefined || Array.isArray(messages), "request.messages must be an array.");
  demand(messages !== undefined || typeof prompt === "string", "request.prompt must be a string.");
  demand(messages === undefined || prompt === undefined, "A request has a prompt or messages, not both.");
  demand(system === undefined || typeof system === "string", "request.system must be a string.");
  demand(tools === undefined || Array.isArray(tools), "request.tools must be an array.");
  const isSchema = outputSchema === undefined || isJsonObject(outputSchema) || isStandardSchema(outputSchema);
  demand(isSchema, "request.outputSchema must be a JSON Schema object or a Standard Schema.");
  demand(budget === undefined || isJsonObject(budget), "request.budget must be an object with usd, tokens or wallMs.");
  for (const name of ["timeouts", "permissions", "session", "mcpServers"] as const)
    demand(request[name] === undefined || isJsonObject(request[name]), `request.${name} must be an object.`);
  checkEnv("request.env", env);
  demand([undefined, "fail", "return"].includes(request.invalidCalls), 'request.invalidCalls must be "fail" or "return".');
  demand([undefined, "wait", "off"].includes(request.backgroundTasks), 'request.backgroundTasks must be "wait" or "off".');
  for (const name of ["trustThread", "marks", "trustProject"] as const)
    demand(["undefined", "boolean"].includes(typeof request[name]), `request.${name} must be true or false.`);
  for (const message of messages ?? []) checkMessage(message);
  for (const tool of tools ?? []) checkTool(tool);
  checkImages(images);
  return request;
}

const ROLES: ReadonlySet<unknown> = new Set(["system", "user", "assistant", "tool", "other"]);

function checkMessage(message: unknown): void {
  demand(isJsonObject(message) && typeof message["text"] === "string", "Each of request.messages needs a role and a text.");
  const { role, toolCalls, callId, label, images, name } = message;
  demand(ROLES.has(role), `A message has the role system, user, assistant, tool or other, not ${JSON.stringify(role)}.`);
  demand(role !== "tool" || typeof callId === "string", "A message of a tool needs the callId of its call.");
  demand(role !== "other" || typeof label === "string", "A message of another kind needs a label.");
  demand(name === undefined || typeof name === "string", "The name of a message must be a string.");
  demand(toolCalls === undefined || Array.isArray(toolCalls), "toolCalls of a message must be an array.");
  for (const call of (toolCalls as readonly unknown[] | undefined) ?? []) {
    const isCall =
      isJsonObject(call) && typeof call["id"] === "string" && typeof call["name"] === "string" && isJsonObject(call["args"]);
    demand(isCall, "Each of toolCalls needs an id, a name and args.");
  }
  checkImages(images);
}

function checkTool(tool: unknown): void {
  demand(isJsonObject(tool) && typeof tool["name"] === "string", "Each of request.tools needs a name.");
  const isUsable = tool["parameters"] === undefined || isJsonObject(tool["parameters"]);
  demand(isUsable, `The parameters of the tool ${tool["name"]} must be a JSON Schema object.`);
}

function checkImages(images: unknown): void {
  demand(images === undefined || Array.isArray(images), "images must be an array.");
  for (const image of (images as readonly unknown[] | undefined) ?? []) {
    const isImage = isJsonObject(image) && typeof image["mediaType"] === "string" && typeof image["data"] === "string";
    demand(isImage, "An image needs a mediaType and data in base64.");
  }
}

function demand(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new TypeError(otherwise);
}

type AllFields<Union> = Readonly<Record<Union extends unknown ? keyof Union : never, true>>;

const TIMEOUTS: Fields<Timeouts> = { firstEventMs: true, idleMs: true, backgroundMs: true, toolMs: true, totalMs: true };
const PERMISSIONS: Fields<Permissions> = { mode: true, tools: true, allow: true, deny: true };
const SERVER: AllFields<McpServer> = {
  command: true,
  args: true,
  env: true,
  type: true,
  url: true,
  headers: true,
  required: true,
};
const SESSION: AllFields<SessionChoice> = { id: true, keep: true, resume: true, fork: true };
const BUDGET: Fields<Budget> = { usd: true, tokens: true, wallMs: true };

const CONTEXT: Fields<RunContext> = {
  signal: true,
  onPermission: true,
  callTool: true,
  commit: true,
  fullQueue: true,
  gate: true,
  keepEvents: true,
  keepsProcess: true,
};
const LIMITS = { lineBytes: true, spillBytes: true } as const;

/** Throws a TypeError that names the first option of a client that does not exist, or the first variable of `env` that is no text. */
export function checkClientOptions(options: object, fields: Readonly<Record<string, true>>): void {
  checkNames("createClient", options, fields);
  checkNames("createClient.limits", Reflect.get(options, "limits"), LIMITS);
  checkEnv("env", Reflect.get(options, "env"));
}

function checkEnv(place: string, env: unknown): void {
  // The environment of this process has texts only, and each access to it leaves JavaScript.
  if (env === undefined || env === process.env) return;
  demand(isJsonObject(env), `${place} must be an object.`);
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && typeof value !== "string")
      throw new TypeError(`${place}.${name} must be a string, not ${value === null ? "null" : `a ${typeof value}`}.`);
}

/** Throws a TypeError that names the first field that a request does not have: a misspelt setting must not be lost in silence. */
export function checkFields(request: object): void {
  checkNames("request", request, REQUEST_FIELDS);
  checkNames("request.timeouts", Reflect.get(request, "timeouts"), TIMEOUTS);
  checkNames("request.permissions", Reflect.get(request, "permissions"), PERMISSIONS);
  checkNames("request.budget", Reflect.get(request, "budget"), BUDGET);
  checkNames("request.session", Reflect.get(request, "session"), SESSION);
  checkServers("request.mcpServers", Reflect.get(request, "mcpServers") ?? {});
}

/** Throws a TypeError that names the first field that an MCP server does not have, or a variable of it that is no text. */
export function checkServers(place: string, servers: object): void {
  for (const [name, server] of Object.entries(servers)) {
    if (typeof server !== "object" || server === null) continue;
    checkNames(`${place}.${name}`, server, SERVER);
    checkEnv(`${place}.${name}.env`, Reflect.get(server, "env"));
  }
}
