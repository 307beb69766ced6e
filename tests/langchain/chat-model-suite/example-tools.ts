import type { ToolDefinition } from "@langchain/core/language_models/base";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { type StructuredToolInterface, tool } from "@langchain/core/tools";
import { z } from "zod";
import type { JsonObject } from "../../../src/spec/json.ts";
import type { PlannedCall } from "./subject.ts";

/** The tools of one test, and the calls that they recorded. */
export type ExampleTools = {
  readonly weather: StructuredToolInterface;
  readonly time: StructuredToolInterface;
  /** Takes no arguments. */
  readonly dice: StructuredToolInterface;
  /** Always throws. */
  readonly gate: StructuredToolInterface;
  /** Every call of a tool, in order. */
  readonly executed: readonly PlannedCall[];
};

/** The arguments of each tool; with the schema's examples a CLI that answers with a minimal instance makes the same calls. */
export const CALLS: Readonly<Record<"weather" | "time" | "dice" | "gate", PlannedCall>> = {
  weather: { name: "get_weather", args: { city: "Oslo" } },
  time: { name: "get_time", args: { zone: "UTC" } },
  dice: { name: "roll_dice", args: {} },
  gate: { name: "open_gate", args: { gate: 7 } },
};

/** The results of the tools. */
export const RESULTS = { weather: "7 degrees in Oslo", time: "noon in UTC", dice: "4" } as const;

/** The definition of the weather tool in OpenAI's form. */
export const OPENAI_WEATHER: ToolDefinition = {
  type: "function",
  function: {
    name: CALLS.weather.name,
    description: "Weather of a city",
    parameters: {
      type: "object",
      properties: { city: { type: "string", examples: ["Oslo"] } },
      required: ["city"],
      additionalProperties: false,
    },
  },
};

/** Creates tools that record their calls. */
export function createExampleTools(): ExampleTools {
  const executed: PlannedCall[] = [];
  const remember = (call: PlannedCall, args: JsonObject): void => {
    executed.push({ name: call.name, args });
  };
  return {
    executed,
    weather: tool(
      ({ city }) => {
        remember(CALLS.weather, { city });
        return `7 degrees in ${city}`;
      },
      { name: CALLS.weather.name, description: "Weather of a city", schema: z.object({ city: example(z.string(), "Oslo") }) },
    ),
    time: tool(
      ({ zone }) => {
        remember(CALLS.time, { zone });
        return `noon in ${zone}`;
      },
      { name: CALLS.time.name, description: "Time in a zone", schema: z.object({ zone: example(z.string(), "UTC") }) },
    ),
    dice: tool(
      () => {
        remember(CALLS.dice, {});
        return RESULTS.dice;
      },
      { name: CALLS.dice.name, description: "Rolls a die", schema: z.object({}) },
    ),
    gate: tool(
      ({ gate }): string => {
        remember(CALLS.gate, { gate });
        throw new Error('the gate is <stuck> & "shut"');
      },
      { name: CALLS.gate.name, description: "Opens a gate", schema: z.object({ gate: example(z.int(), 7) }) },
    ),
  };
}

/** A schema with an example. */
export function example<Schema extends z.ZodType>(schema: Schema, value: z.output<Schema>): Schema {
  return schema.meta({ examples: [value] });
}

/** The calls of an AI message, without their ids. */
export function callsOf(message: BaseMessage | undefined): readonly PlannedCall[] {
  const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
  return calls.map(({ name, args }) => ({ name, args: { ...args } }));
}
