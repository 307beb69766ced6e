import { readObject } from "../answers/read-object.ts";
import { finish } from "../answers/slices.ts";
import { describeSchema } from "../prompts/tool-prompt.ts";
import { settleOutput } from "../request/settle.ts";
import { ANY_VALUE, describeMistake } from "../schemas/compile-schema.ts";
import type { OutputValidator } from "../schemas/standard-schema.ts";
import { compileSchema, findSchemaMistake } from "../schemas/validate-schema.ts";
import { createFailure, type Failure } from "../spec/failure/failure.ts";
import type { JsonObject, JsonValue } from "../spec/json.ts";
import type { AgentContext } from "./agent-context.ts";
import { type BoundTool, bindAgentTools } from "./agent-tool.ts";

export type ObjectReading = { readonly value: JsonValue } | { readonly problems: readonly string[] };

export type WantedObject = {
  readonly schema: JsonObject;
  /** The tool by which the model gives the answer; without one it answers with JSON. */
  readonly tool?: BoundTool;
  /** The validator of a schema of a library; it makes the object of the result. */
  readonly output?: OutputValidator;
  /** What a model is told that cannot be given the schema by an option. */
  readonly instruction: string;
  readText(text: string): Promise<ObjectReading>;
  readValue(value: JsonValue): Promise<ObjectReading>;
};

/** Finds out what structured answer a run wants, if any, or why its schema cannot be used. */
export function readWanted({ outputSchema, outputTool }: AgentContext<unknown>): WantedObject | Failure | undefined {
  const given = outputSchema ?? outputTool?.parameters;
  if (given === undefined) return undefined;
  const { request, output, failure } = settleOutput({ prompt: "", outputSchema: given });
  const { outputSchema: schema } = request;
  if (failure !== undefined || schema === undefined) return failure;
  const mistake = findSchemaMistake(schema);
  if (mistake !== undefined)
    return createFailure("schema-unreadable", `The output schema cannot be used: ${describeMistake(mistake)}`);
  if (outputTool !== undefined && (schema["type"] ?? "object") !== "object")
    return createFailure("schema-unreadable", `The parameters of the tool ${outputTool.name} must be the schema of an object.`);
  const check = output === undefined ? compileSchema(schema) : ANY_VALUE;
  const validated = async (reading: ObjectReading): Promise<ObjectReading> => {
    if (output === undefined || "problems" in reading) return reading;
    const problems = await output.check(reading.value);
    return problems.length === 0 ? reading : { problems };
  };
  return {
    schema,
    ...(output !== undefined && { output }),
    ...(outputTool === undefined ? { instruction: describeSchema(schema) } : byTool(outputTool)),
    readText: async (text) => validated(finish(readObject(text, check))),
    readValue: async (value) => {
      const { value: valid, problems } = check(value);
      return validated(problems.length === 0 ? { value: valid } : { problems });
    },
  };
}

function byTool(tool: NonNullable<AgentContext["outputTool"]>): Pick<WantedObject, "tool" | "instruction"> {
  const { name, description = "Gives the final answer; it is called once, when the answer is known.", parameters } = tool;
  const [bound] = bindAgentTools([
    { name, description, parameters, readOnly: true, run: () => "The answer was taken." },
  ]).values();
  return {
    ...(bound !== undefined && { tool: { ...bound, isAnswer: true } }),
    instruction: `Give your final answer by calling the tool ${name}, and by nothing else.`,
  };
}
