import type { JsonObject } from "../spec/json.ts";

/** What a call has of its client: a signal that aborts when the call is cancelled, and a way to report progress. */
export type McpCall = { readonly signal: AbortSignal; readonly progress?: (message: string) => void };

/** The answer to a call: a text for the model, the same as data, and whether the call failed. */
export type McpAnswer = { readonly text: string; readonly data: JsonObject; readonly isError: boolean };

export type McpTool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The JSON Schema of its arguments. */
  readonly input: JsonObject;
  /** The JSON Schema of its data. */
  readonly output: JsonObject;
  /** True if a call sends no prompt and stores nothing. */
  readonly isReadOnly: boolean;
  /** Makes a call; the arguments match the schema. A run that fails is an answer. */
  call(args: JsonObject, call: McpCall): Promise<McpAnswer>;
};
