import type { JsonObject, JsonValue } from "../spec/json.ts";

/** What a tool returns; `details` is the same for programs. */
export type Reading = { readonly text: string; readonly isError: boolean; readonly details: JsonValue };

export type OwnTool = {
  readonly name: string;
  readonly input: JsonObject;
  readonly takesMs: number;
  read(input: JsonObject): Reading;
};

/** Returns the time; it knows one zone. */
const CLOCK: OwnTool = {
  name: "Clock",
  input: { zone: "UTC" },
  takesMs: 120,
  read: ({ zone = "UTC" }) => {
    if (zone !== "UTC") return failedReading(`The clock has no zone ${JSON.stringify(zone)}.`);
    const now = new Date().toISOString();
    return { text: now, isError: false, details: { now } };
  },
};

/** Always fails. */
const BAROMETER: OwnTool = {
  name: "Barometer",
  input: { place: { deck: 2 }, units: ["hPa", "mmHg"] },
  takesMs: 60,
  read: () => failedReading("The barometer is broken."),
};

function failedReading(text: string): Reading {
  return { text, isError: true, details: `Error: ${text}` };
}

const TOOLS_OF_MODELS: ReadonlyMap<string, readonly OwnTool[]> = new Map([
  ["tool", [CLOCK]],
  ["tools", [CLOCK, BAROMETER]],
]);

/** The tools of a model, unless the flags leave them out. */
export function toolsOf(model: string): readonly OwnTool[] {
  return TOOLS_OF_MODELS.get(model) ?? [];
}
