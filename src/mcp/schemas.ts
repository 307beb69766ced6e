import type { JsonObject } from "../spec/json.ts";

const TARGET =
  "the CLI to ask: its id, id/model, or a vendor's name of a model (claude, claude/opus, gpt-5.5); the tool models lists them";

const PROPERTIES: Readonly<Record<string, JsonObject>> = {
  prompt: { type: "string", minLength: 1, description: "the prompt; the CLI sees nothing else of this conversation" },
  target: {
    type: "string",
    description: `${TARGET}; several separated by commas are a chain: the next one is asked if one fails`,
  },
  targets: {
    type: "array",
    items: { type: "string" },
    minItems: 2,
    maxItems: 16,
    description: `the CLIs to compare: each is ${TARGET.replace("the CLI to ask: ", "")}`,
  },
  system: { type: "string", description: "the system prompt" },
  schema: { type: "object", description: "a JSON Schema; the answer is JSON that matches it" },
  timeoutSeconds: {
    type: "number",
    exclusiveMinimum: 0,
    maximum: 86_400,
    description: "the time limit (default: 600 s for each attempt)",
  },
  agent: { type: "boolean", description: "true: the CLI works with its own tools in a directory (default: it only answers)" },
  cwd: { type: "string", description: "the directory of an agent, inside the allowed one, which is the default" },
  name: {
    type: "string",
    minLength: 1,
    description: "continues the session with this name; a new one begins if there is none",
  },
  id: {
    type: "string",
    minLength: 1,
    description: "continues the session with this id, which an earlier call returned as sessionId",
  },
  providers: { type: "array", items: { type: "string" }, description: "ids of CLIs (default: all)" },
};

/** The schema of arguments: these properties, and no others. */
export function inputOf(names: readonly string[], required: readonly string[] = []): JsonObject {
  const properties = Object.fromEntries(names.map((name) => [name, PROPERTIES[name] ?? {}]));
  return { type: "object", properties, required, additionalProperties: false };
}

const TEXT = { type: "string" };
const FAILURE: JsonObject = {
  type: "object",
  description: "why it failed",
  properties: {
    code: TEXT,
    category: TEXT,
    message: TEXT,
    hint: TEXT,
    fixCommand: TEXT,
    retryAfterMs: { type: "number" },
    resetAt: TEXT,
  },
  required: ["code", "message", "hint"],
};

const RESULT: JsonObject = {
  text: { ...TEXT, description: "the answer" },
  object: { description: "the answer as JSON, if a schema was given" },
  provider: { ...TEXT, description: "the CLI that answered" },
  model: TEXT,
  usage: { type: "object", description: "tokens; scope thread: those of the whole session of the CLI" },
  costUsd: { type: "number" },
  costScope: { ...TEXT, description: "thread if the cost is that of the whole session of the CLI" },
  finish: TEXT,
  attempts: { type: "array", items: { type: "object" }, description: "all attempts, if there was more than one" },
  warnings: { type: "array", items: { type: "object" } },
  failure: FAILURE,
};

const CONTINUED: JsonObject = { ...RESULT, sessionId: { ...TEXT, description: "the id by which the tool session continues it" } };

export const ASK_OUTPUT: JsonObject = { type: "object", properties: CONTINUED };

export const SESSION_OUTPUT: JsonObject = {
  type: "object",
  properties: {
    ...CONTINUED,
    name: TEXT,
    turns: { type: "number" },
  },
};

export const COMPARE_OUTPUT: JsonObject = {
  type: "object",
  properties: {
    results: {
      type: "array",
      items: {
        type: "object",
        properties: { ...RESULT, target: TEXT, durationMs: { type: "number" }, firstTextMs: { type: "number" } },
        required: ["target", "durationMs"],
      },
    },
    failure: FAILURE,
  },
};

export const LIST_OUTPUT: JsonObject = {
  type: "object",
  properties: {
    providers: { type: "array", items: { type: "object" } },
    usable: { type: "array", items: TEXT },
    failure: FAILURE,
  },
};
