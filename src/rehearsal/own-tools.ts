import type { JsonObject, JsonValue } from "../spec/json.ts";
import { linearSource } from "../spec/text.ts";

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

export function toolsOf(model: string): readonly OwnTool[] {
  return TOOLS_OF_MODELS.get(model) ?? [];
}

/** What the flags say about tools; the mode is one of Claude Code's. */
export type PermissionFlags = {
  readonly mode: string;
  readonly tools?: readonly string[];
  readonly allow: readonly string[];
  readonly deny: readonly string[];
};

/** What the flags decide about a call: it runs, the host is asked, or it is denied with this message. */
export type Decision = { readonly kind: "allow" | "ask" } | { readonly kind: "deny"; readonly message: string };

/** The entries of a tool list: names or patterns, separated by commas or blanks outside of parentheses. */
export function toEntries(list: string): readonly string[] {
  return list.match(/[^\s,()]+(?:\([^)]*\))?/g) ?? [];
}

export function isOffered(name: string, { tools }: PermissionFlags): boolean {
  return tools === undefined || tools.includes(name);
}

/**
 * Decides as Claude Code 2.1.325 does with patterns: a denial wins over everything, and the modes `plan` and `dontAsk` deny every other call
 * that is not allowed, without a question to the host. The texts for `dontAsk` (fixture v325-tool-denied-dont-ask) name this CLI instead; the one
 * for `plan` is our own.
 */
export function decideCall(name: string, input: JsonObject, { mode, allow, deny }: PermissionFlags): Decision {
  const isNamed = (entry: string): boolean => matches(entry, name, input);
  const denied = `Permission to use ${name} has been denied`;
  if (deny.some(isNamed)) return { kind: "deny", message: `${denied}.` };
  if (mode === "bypassPermissions" || allow.some(isNamed)) return { kind: "allow" };
  if (mode === "dontAsk") return { kind: "deny", message: `${denied} because Rehearsal is running in don't ask mode.` };
  if (mode === "plan") return { kind: "deny", message: `${denied} because Rehearsal is running in plan mode.` };
  return { kind: "ask" };
}

/** An entry names a tool, or a tool and one of its input values, in which `*` stands for any text. */
function matches(entry: string, name: string, input: JsonObject): boolean {
  const [, tool, pattern = "*"] = /^([^(]*)(?:\((.*)\))?$/.exec(entry) ?? [];
  if (tool !== name && tool !== "*") return false;
  const parts = pattern.split(/\*+/).map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, "\\$&"));
  const whole = new RegExp(`^${linearSource(parts, ".")}$`, "s");
  return pattern === "*" || Object.values(input).some((value) => whole.test(String(value)));
}
