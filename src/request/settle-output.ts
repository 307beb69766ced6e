import { isStandardSchema, type OutputValidator, toJsonSchema, toValidator } from "../schemas/standard-schema.ts";
import { createFailure } from "../spec/failure/create-failure.ts";
import type { Failure } from "../spec/failure/failure.ts";
import { thrownMessage } from "../spec/failure/thrown.ts";
import type { RunInput, RunRequest } from "../spec/request.ts";

/** A request as plain data, and the validator of its schema if that has one. */
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
