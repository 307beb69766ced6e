import type { JsonValue } from "../spec/json.ts";
import type { HostTool } from "./host-tools.ts";
import { minimalInstance } from "./minimal-instance.ts";

export type PlannedCall = { readonly name: string; readonly args: JsonValue; readonly id: string };

/** Chooses the tools that are called for a user message. */
export type ChooseTools = (tools: readonly HostTool[], message: string) => readonly HostTool[];

/** The tools that the message names, in its order; the first tool if it names none. */
export const namedTools: ChooseTools = (tools, message) => {
  const named = tools
    .filter(({ name }) => message.includes(name))
    .toSorted((left, right) => message.indexOf(left.name) - message.indexOf(right.name));
  return named.length > 0 ? named : tools.slice(0, 1);
};

export const everyTool: ChooseTools = (tools) => tools;

/**
 * The answer of a model with host tools to this prompt: it calls the chosen tools, and after results it repeats these results. Undefined when
 * the prompt offers no tools.
 */
export function answerWithTools(prompt: string, choose: ChooseTools): string | undefined {
  const tools = readTools(prompt);
  if (tools.length === 0) return undefined;
  const planned = planCalls(prompt, tools, choose);
  if (typeof planned === "string") return planned;
  const mark = readMark(prompt);
  return `\`\`\`json\n${JSON.stringify({ ...(mark !== undefined && { mark }), tool_calls: planned })}\n\`\`\``;
}

/** The calls of a model with these tools, or its answer if the conversation ends with results. */
export function planCalls(prompt: string, tools: readonly HostTool[], choose: ChooseTools): readonly PlannedCall[] | string {
  const events = readEvents(prompt);
  const results = events.slice(events.findLastIndex(({ type }) => type !== "tool_output") + 1);
  if (results.length > 0) return answerTo(results.map(({ text }) => text));
  return choose(tools, events.at(-1)?.text ?? "").map(({ name, parameters }, index) => ({
    name,
    args: toArguments(minimalInstance(parameters)),
    id: `call_${index + 1}`,
  }));
}

export function answerTo(results: readonly string[]): string {
  return `The ${results.length === 1 ? "tool" : "tools"} said: ${results.join("; ")}`;
}

/** A tool without a schema is called without arguments. */
function toArguments(instance: JsonValue): JsonValue {
  return typeof instance === "object" && instance !== null ? instance : {};
}

function readTools(prompt: string): readonly HostTool[] {
  const match = /^\[Available Tools\]\n(\[\n[\s\S]*?\n\])\n/.exec(prompt);
  return match === null ? [] : JSON.parse(match[1] ?? "[]");
}

/** The mark in the call format of the prompt; undefined if the format has none. */
function readMark(prompt: string): string | undefined {
  return /"mark":"([a-z2-9]+)"/.exec(prompt)?.[1];
}

/** The events of a thread; a prompt that is not a thread counts as a user message. */
function readEvents(prompt: string): readonly { readonly type: string; readonly text: string }[] {
  const events = [...prompt.matchAll(/^ {2}<event type="([^"]*)"[^>]*>([^<]*)<\/event>$/gm)];
  if (events.length === 0) return [{ type: "human", text: prompt.slice(prompt.lastIndexOf("\n\n") + 2) }];
  return events.map(([, type = "", text = ""]) => ({ type, text: withoutEntities(text) }));
}

function withoutEntities(text: string): string {
  const plain = text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&apos;", "'");
  return plain.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code))).replaceAll("&amp;", "&");
}
