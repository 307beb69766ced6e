import { isStandardSchema } from "../schemas/standard-schema.ts";
import type { RunInput } from "../spec/request.ts";
import type { RunContext } from "../spec/stream.ts";
import { checkContextFields, checkEnv, checkFields } from "./check-fields.ts";

/** Returns the request; throws a TypeError if a field is unknown or has a wrong type, because that is a bug in the caller's code. */
export function checkRequestTypes(request: RunInput): RunInput {
  demand(isObject(request), "A request is an object with a prompt or messages.");
  checkFields(request);
  const { prompt, messages, system, tools, images, outputSchema, budget, env } = request;
  demand(messages === undefined || Array.isArray(messages), "request.messages must be an array.");
  demand(messages !== undefined || typeof prompt === "string", "request.prompt must be a string.");
  demand(messages === undefined || prompt === undefined, "A request has a prompt or messages, not both.");
  demand(system === undefined || typeof system === "string", "request.system must be a string.");
  demand(tools === undefined || Array.isArray(tools), "request.tools must be an array.");
  const isSchema = isObject(outputSchema) || isStandardSchema(outputSchema);
  demand(outputSchema === undefined || isSchema, "request.outputSchema must be a JSON Schema object or a Standard Schema.");
  demand(budget === undefined || isObject(budget), "request.budget must be an object with usd, tokens or wallMs.");
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
  demand(isObject(context), "A context is an object.");
  checkContextFields(context);
  for (const name of ["callTool", "onPermission"] as const)
    demand(["undefined", "function"].includes(typeof context[name]), `${name} must be a function.`);
  return context;
}

const ROLES: ReadonlySet<unknown> = new Set(["system", "user", "assistant", "tool", "other"]);

function checkMessage(message: unknown): void {
  demand(isObject(message) && typeof message["text"] === "string", "Each of request.messages needs a role and a text.");
  const { role, toolCalls, callId, label, images, name } = message;
  demand(ROLES.has(role), `A message has the role system, user, assistant, tool or other, not ${JSON.stringify(role)}.`);
  demand(role !== "tool" || typeof callId === "string", "A message of a tool needs the callId of its call.");
  demand(role !== "other" || typeof label === "string", "A message of another kind needs a label.");
  demand(name === undefined || typeof name === "string", "The name of a message must be a string.");
  demand(toolCalls === undefined || Array.isArray(toolCalls), "toolCalls of a message must be an array.");
  for (const call of (toolCalls as readonly unknown[] | undefined) ?? []) {
    const isCall = isObject(call) && typeof call["id"] === "string" && typeof call["name"] === "string" && isObject(call["args"]);
    demand(isCall, "Each of toolCalls needs an id, a name and args.");
  }
  checkImages(images);
}

function checkTool(tool: unknown): void {
  demand(isObject(tool) && typeof tool["name"] === "string", "Each of request.tools needs a name.");
  const { parameters } = tool;
  demand(
    parameters === undefined || isObject(parameters),
    `The parameters of the tool ${tool["name"]} must be a JSON Schema object.`,
  );
}

function checkImages(images: unknown): void {
  demand(images === undefined || Array.isArray(images), "images must be an array.");
  for (const image of (images as readonly unknown[] | undefined) ?? []) {
    const isImage = isObject(image) && typeof image["mediaType"] === "string" && typeof image["data"] === "string";
    demand(isImage, "An image needs a mediaType and data in base64.");
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function demand(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new TypeError(otherwise);
}
