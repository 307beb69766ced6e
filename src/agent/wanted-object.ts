import { readObject } from "../answers/read-object.ts";
import { finish } from "../answers/slices.ts";
import { describeSchema } from "../prompts/tool-prompt.ts";
import { ANY_VALUE, describeMistake } from "../schemas/compile-schema.ts";
import type { OutputValidator } from "../schemas/standard-schema.ts";
import { compileSchema, findSchemaMistake } from "../schemas/validate-schema.ts";
import { createFailure, type Failure } from "../spec/failure/failure.ts";
import type { JsonObject, JsonValue } from "../spec/json.ts";
import type { AnswerTool } from "./agent-context.ts";
import { type BoundTool, bindAgentTools } from "./agent-tool.ts";

export type ObjectReading = { readonly value: JsonValue } | { readonly problems: readonly string[] };

export type WantedObject = {
  readonly schema: JsonObject;
  /** The tool by which the model gives the answer; without one it answers with JSON. */
  readonly tool?: BoundTool;
  /** What a model is told that cannot be given the schema by an option. */
  readonly instruction: string;
  readText(text: string): Promise<ObjectReading>;
  readValue(value: JsonValue): Promise<ObjectReading>;
};

/** What a settled wish for a structured answer means, or why its schema cannot be used. */
export function readWanted(
  schema: JsonObject,
  output: OutputValidator | undefined,
  tool: AnswerTool | undefined,
): WantedObject | Failure {
  const mistake = findSchemaMistake(schema);
  if (mistake !== undefined)
    return createFailure("schema-unreadable", `The output schema cannot be used: ${describeMistake(mistake)}`);
  if (tool !== undefined && (schema["type"] ?? "object") !== "object")
    return createFailure("schema-unreadable", `The parameters of the tool ${tool.name} must be the schema of an object.`);
  const check = output === undefined ? compileSchema(schema) : ANY_VALUE;
  const validated = async (reading: ObjectReading): Promise<ObjectReading> => {
    if (output === undefined || "problems" in reading) return reading;
    const problems = await output.check(reading.value);
    return problems.length === 0 ? reading : { problems };
  };
  return {
    schema,
    ...(tool === undefined ? { instruction: describeSchema(schema) } : byTool(tool)),
    readText: async (text) => validated(finish(readObject(text, check))),
    readValue: async (value) => {
      const { value: valid, problems } = check(value);
      return validated(problems.length === 0 ? { value: valid } : { problems });
    },
  };
}

function byTool(tool: AnswerTool): Pick<WantedObject, "tool" | "instruction"> {
  const { name, description = "Gives the final answer; it is called once, when the answer is known.", parameters } = tool;
  const [bound] = bindAgentTools([
    { name, description, parameters, readOnly: true, run: () => "The answer was taken." },
  ]).values();
  return {
    ...(bound !== undefined && { tool: { ...bound, isAnswer: true } }),
    instruction: `Give your final answer by calling the tool ${name}, and by nothing else.`,
  };
}
