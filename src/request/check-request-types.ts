import { isStandardSchema } from "../schemas/standard-schema.ts";
import { isJsonObject } from "../spec/json.ts";
import type { Budget } from "../spec/policy.ts";
import type { McpServer, Permissions, RunInput, SessionChoice, Timeouts } from "../spec/request.ts";
import { type Fields, REQUEST_FIELDS } from "../spec/request-fields.ts";
import type { RunContext } from "../spec/stream.ts";
import { checkNames } from "../spec/text/names.ts";

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
  const isSchema = isJsonObject(outputSchema) || isStandardSchema(outputSchema);
  demand(outputSchema === undefined || isSchema, "request.outputSchema must be a JSON Schema object or a Standard Schema.");
  demand(budget === undefined || isJsonObject(budget), "request.budget must be an object with usd, tokens or wallMs.");
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

/** Returns the context; throws a TypeError if a field is unknown or one of its functions is none. */
export function checkContextTypes(context: RunContext): RunContext {
  demand(isJsonObject(context), "A context is an object.");
  checkContextFields(context);
  for (const name of ["callTool", "onPermission"] as const)
    demand(["undefined", "function"].includes(typeof context[name]), `${name} must be a function.`);
  return context;
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
  const { parameters } = tool;
  demand(
    parameters === undefined || isJsonObject(parameters),
    `The parameters of the tool ${tool["name"]} must be a JSON Schema object.`,
  );
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

/** The names of the fields of all members of a union. */
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

/** Throws a TypeError that names the first field that a context does not have. */
function checkContextFields(context: object): void {
  checkNames("context", context, CONTEXT);
}

/** Throws a TypeError that names the first variable whose value is no text. */
function checkEnv(place: string, env: unknown): void {
  // The environment of this process has texts only, and each access to it leaves JavaScript.
  if (env === undefined || env === process.env) return;
  if (typeof env !== "object" || env === null || Array.isArray(env)) throw new TypeError(`${place} must be an object.`);
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
