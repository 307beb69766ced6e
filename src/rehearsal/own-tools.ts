import type { JsonObject, JsonValue } from "../spec/json.ts";

/** What a tool returns; `details` is the same for programs. */
export type Reading = { readonly text: string; readonly isError: boolean; readonly details: JsonValue };

/** A tool of the rehearsal CLI itself. */
export type OwnTool = {
  readonly name: string;
  readonly input: JsonObject;
  /** How long it takes. */
  readonly takesMs: number;
  read(): Reading;
};

/** Returns the time. */
const CLOCK: OwnTool = {
  name: "Clock",
  input: { zone: "UTC" },
  takesMs: 120,
  read: () => {
    const now = new Date().toISOString();
    return { text: now, isError: false, details: { now } };
  },
};

/** Always fails. */
const BAROMETER: OwnTool = {
  name: "Barometer",
  input: { place: { deck: 2 }, units: ["hPa", "mmHg"] },
  takesMs: 60,
  read: () => ({ text: "The barometer is broken.", isError: true, details: "Error: The barometer is broken." }),
};

const TOOLS_OF_MODELS: ReadonlyMap<string, readonly OwnTool[]> = new Map([
  ["tool", [CLOCK]],
  ["tools", [CLOCK, BAROMETER]],
]);

/** The tools of a model, unless the flags leave them out. */
export function toolsOf(model: string): readonly OwnTool[] {
  return TOOLS_OF_MODELS.get(model) ?? [];
}
