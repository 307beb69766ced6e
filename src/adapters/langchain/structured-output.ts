import type { StructuredOutputMethodOptions } from "@langchain/core/language_models/base";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import {
  assembleStructuredOutputPipeline,
  createContentParser,
  createFunctionCallingParser,
} from "@langchain/core/language_models/structured_output";
import type { AIMessageChunk } from "@langchain/core/messages";
import { JsonOutputParser } from "@langchain/core/output_parsers";
import type { SerializableSchema } from "@langchain/core/utils/standard_schema";
import type { InteropZodType } from "@langchain/core/utils/types";
import type { JsonObject } from "../../spec/json.ts";
import type { ChatCliCallOptions } from "./call-settings.ts";
import { PartialAnswerParser } from "./partial-answers.ts";
import { toPlainSchema } from "./to-definitions.ts";

/** A structured answer of any schema. */
// biome-ignore lint/suspicious/noExplicitAny: LangChain's own type of it
export type StructuredAnswer = Record<string, any>;

/** A schema of Zod 3 or 4, a Standard Schema, or a JSON Schema. */
export type AnswerSchema<Output extends StructuredAnswer> =
  | SerializableSchema<Output>
  | InteropZodType<Output>
  | StructuredAnswer;

/** What is needed of a chat model. */
type StructuringModel = Required<Pick<BaseChatModel<ChatCliCallOptions, AIMessageChunk>, "withConfig" | "bindTools">>;

/**
 * The model with a parser behind it: `jsonSchema` and `jsonMode` ask for the value itself, `functionCalling` for a call with it. Without a
 * method, a `name` asks for a call of a function with that name, as LangChain's callers expect.
 */
export function structureOutput<Output extends StructuredAnswer>(
  model: StructuringModel,
  schema: AnswerSchema<Output>,
  options: StructuredOutputMethodOptions<boolean>,
): ReturnType<typeof assembleStructuredOutputPipeline<Output>> {
  const { includeRaw = false, method: asked = options.name === undefined ? "jsonSchema" : "functionCalling" } = options;
  const json = unwrap(toPlainSchema(schema));
  // The arguments of a call are always an object.
  const method = asked === "functionCalling" && (json["type"] ?? "object") !== "object" ? "jsonSchema" : asked;
  const format = { ls_structured_output_format: { kwargs: { method }, schema: json } };
  if (method !== "functionCalling") {
    const structured = model.withConfig({ outputSchema: json, ...format });
    const parser = createContentParser<Output>(schema);
    // A value so far does not match a schema of a library: only its JSON is streamed.
    const streaming = parser instanceof JsonOutputParser ? new PartialAnswerParser<Output>() : parser;
    return assembleStructuredOutputPipeline(structured, streaming, includeRaw, "StructuredOutput");
  }
  const name = options.name ?? nameOf(json) ?? "extract";
  const description = typeof json["description"] === "string" ? json["description"] : "The answer as an object.";
  const tool = { type: "function", function: { name, description, parameters: json } };
  const calling = model.bindTools([tool], { tool_choice: name, invalidToolCalls: "throw", ...format });
  return assembleStructuredOutputPipeline(calling, createFunctionCallingParser(schema, name), includeRaw, "StructuredOutput");
}

/** Takes the schema out of OpenAI's `{ name, parameters }`. */
function unwrap(schema: JsonObject): JsonObject {
  const { name, parameters } = schema;
  const isWrapped = typeof name === "string" && typeof parameters === "object" && parameters !== null && !("type" in schema);
  return isWrapped ? (parameters as JsonObject) : schema;
}

function nameOf({ title }: JsonObject): string | undefined {
  return typeof title === "string" && /^[\w.-]+$/.test(title) ? title : undefined;
}
