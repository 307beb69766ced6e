import { resolve } from "node:path";
import { isStandardSchema, type OutputValidator, toJsonSchema, toValidator } from "../schemas/standard-schema.ts";
import { createFailure } from "../spec/failure/create-failure.ts";
import type { Failure } from "../spec/failure/failure.ts";
import { thrownMessage } from "../spec/failure/thrown.ts";
import type { Message } from "../spec/message.ts";
import type { RunInput, RunRequest } from "../spec/request.ts";
import type { RunContext } from "../spec/stream.ts";
import { checkContextTypes, checkRequestTypes } from "./check-request-types.ts";

/** Checks the types of a call, which throws, and settles its request: with absolute paths, and with a JSON Schema. */
export function settle(input: RunInput, context: RunContext): SettledOutput {
  const settled = settleOutput(checkRequestTypes(input));
  checkContextTypes(context);
  return { ...settled, request: withAbsolutePaths(settled.request) };
}

type SettledOutput = {
  readonly request: RunRequest;
  readonly output?: OutputValidator | undefined;
  /** The failure of a schema that has no JSON Schema. */
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

/** The failure of a budget or a maximum wait that is no number or below zero. */
export function checkBounds({ maxWaitMs, budget = {} }: RunRequest): Failure | undefined {
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
  if (messages?.every((message) => ["system", "user"].includes(message.role) && isBlank(message)) === true)
    return createFailure("prompt-blank", "The messages are blank.");
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

function isBlank(message: Message): boolean {
  return message.text.trim() === "" && (message.images ?? []).length === 0;
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
