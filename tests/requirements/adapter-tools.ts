import type { AIMessage } from "@langchain/core/messages";
import { type StructuredToolInterface, tool } from "@langchain/core/tools";
import { z } from "zod";
import type { ModelAdapter } from "../../src/adapters/langchain/index.ts";
import type { Failure } from "../../src/spec/failure/failure.ts";
import { RunError } from "../../src/spec/failure/run-error.ts";

/** A tool with a Zod schema. */
export const getWeather: StructuredToolInterface = tool(({ city }) => `Rain in ${city}`, {
  name: "get_weather",
  description: "Weather of a city",
  schema: z.object({ city: z.string().describe("Its name"), unit: z.enum(["celsius", "fahrenheit"]).optional() }),
});

/** The JSON Schema of `search`. */
export const SEARCH_SCHEMA = {
  type: "object",
  properties: { query: { type: "string" }, limit: { type: "integer" } },
  required: ["query"],
} as const;

/** A tool with a JSON Schema. */
export const search: StructuredToolInterface = tool(() => "Nothing found", {
  name: "search",
  description: "Looks for <anything> & more",
  schema: SEARCH_SCHEMA,
});

/** The adapter with these tools bound. */
export function bind(adapter: ModelAdapter, ...tools: readonly StructuredToolInterface[]): ModelAdapter {
  if (adapter.bindTools === undefined) throw new Error("the adapter has no bindTools");
  return adapter.bindTools([...tools]);
}

/** The calls of an answer, without LangChain's own fields. */
export function callsOf({ tool_calls = [] }: AIMessage): readonly object[] {
  return tool_calls.map(({ name, args, id }) => ({ name, args, id }));
}

/** The failure with which a call rejects; throws when it resolves or rejects with another error. */
export async function failureOf(call: Promise<unknown>): Promise<Failure> {
  const outcome: unknown = await call.catch((error: unknown) => error);
  if (!RunError.is(outcome)) throw new Error(`the call gave no RunError but ${String(outcome)}`);
  return outcome.failure;
}
