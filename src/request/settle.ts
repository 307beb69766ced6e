import { resolve } from "node:path";
import { isStandardSchema, type OutputValidator, toJsonSchema, toValidator } from "../schemas/standard-schema.ts";
import { createFailure } from "../spec/failure/create-failure.ts";
import type { Failure } from "../spec/failure/failure.ts";
import { thrownMessage } from "../spec/failure/thrown.ts";
import type { RunInput, RunRequest } from "../spec/request.ts";
import type { RunContext } from "../spec/stream.ts";
import { checkContextTypes, checkRequestTypes } from "./check-request-types.ts";

/** Checks the types of a call, which throws, and settles its request: with absolute paths, and with a JSON Schema. */
export function settle(input: RunInput, context: RunContext): SettledOutput {
  const settled = settleOutput(checkRequestTypes(input));
  checkContextTypes(context);
  return { ...settled, request: withAbsolutePaths(settled.request) };
}

export type SettledOutput = {
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
