import { isStandardSchema } from "../schemas/standard-schema.ts";
import { checkNames, type Fields } from "../spec/fields.ts";
import { isJsonObject, type JsonValue } from "../spec/json.ts";
import type { OutputSchema } from "../spec/standard-schema.ts";
import type { RunContext } from "../spec/stream.ts";

/** The tool by which a model gives a structured answer: the arguments of its first valid call are the answer. */
export type AnswerTool<Output = unknown> = {
  readonly name: string;
  readonly description?: string;
  /** The schema of the answer; its root is an object, because the arguments of a call are one. */
  readonly parameters: OutputSchema<Output>;
};

/** The settings of one run: its signal, its callbacks, and the structured answer that the caller wants. */
export type AgentContext<Output = JsonValue> = Pick<RunContext, "signal" | "onPermission" | "keepEvents"> & {
  /** The schema of the last answer; the value is in `object` of the result. */
  readonly outputSchema?: OutputSchema<Output>;
  /** The tool by which the model gives the structured answer; the run ends when the model has called it. */
  readonly outputTool?: AnswerTool<Output>;
};

/** The context of a run whose structured answer is an argument of its own. */
export type PlainContext = Omit<AgentContext, "outputSchema" | "outputTool">;

const FIELDS: Fields<AgentContext> = {
  signal: true,
  onPermission: true,
  keepEvents: true,
  outputSchema: true,
  outputTool: true,
};

/** Throws a TypeError if a field is unknown or has a wrong type; `taken` are the names of the agent's own tools. */
export function checkAgentContext(context: AgentContext<unknown>, taken: ReadonlyMap<string, unknown>): void {
  checkNames("The context of an agent", context, FIELDS);
  const { signal, onPermission, outputSchema, outputTool } = context;
  demand(signal === undefined || signal instanceof AbortSignal, "signal must be an AbortSignal.");
  demand(onPermission === undefined || typeof onPermission === "function", "onPermission must be a function.");
  demand(outputSchema === undefined || isSchema(outputSchema), "outputSchema must be a JSON Schema object or a Standard Schema.");
  if (outputTool === undefined) return;
  const { name, parameters } = outputTool;
  demand(typeof name === "string" && name !== "" && isSchema(parameters), "outputTool needs a name and parameters.");
  demand(!taken.has(name), `The agent has a tool ${name} already; outputTool needs another name.`);
  demand(outputSchema === undefined, "A run has an outputSchema or an outputTool, not both.");
}

/** The context of a run with a structured answer; throws a TypeError without a schema. */
export function withAnswerSchema<Output>(context: PlainContext, outputSchema: OutputSchema<Output>): AgentContext<Output> {
  demand(isSchema(outputSchema), "A structured answer needs a JSON Schema object or a Standard Schema.");
  return { ...context, outputSchema };
}

/** The context of a run with a structured answer by a tool; throws a TypeError without one. */
export function withAnswerTool<Output>(context: PlainContext, outputTool: AnswerTool<Output>): AgentContext<Output> {
  demand(
    typeof outputTool === "object" && outputTool !== null,
    "A structured answer by a tool needs the tool, with a name and parameters.",
  );
  return { ...context, outputTool };
}

function isSchema(schema: unknown): boolean {
  return isStandardSchema(schema) || isJsonObject(schema);
}

function demand(holds: boolean, otherwise: string): void {
  if (!holds) throw new TypeError(otherwise);
}
