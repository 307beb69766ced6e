import type { JsonValue } from "../spec/json.ts";
import type { HostTool } from "./host-tools.ts";
import { minimalInstance } from "./minimal-instance.ts";

/** A call of a host tool. */
export type PlannedCall = { readonly name: string; readonly args: JsonValue; readonly id: string };

/**
 * The answer of a model with host tools to this prompt: it calls the tools named in the last user message (the first tool if
 * none is named), and after a result it repeats that result. Undefined when the prompt offers no tools.
 */
export function answerWithTools(prompt: string): string | undefined {
  const tools = readTools(prompt);
  if (tools.length === 0) return undefined;
  const planned = planCalls(prompt, tools);
  if (typeof planned === "string") return planned;
  return `\`\`\`json\n${JSON.stringify({ mark: readMark(prompt), tool_calls: planned })}\n\`\`\``;
}

/** The calls of a model with these tools, or its answer if the conversation ends with a result. */
export function planCalls(prompt: string, tools: readonly HostTool[]): readonly PlannedCall[] | string {
  const last = lastEvent(prompt);
  if (last.type === "tool_output") return answerTo(last.text);
  const named = tools
    .filter(({ name }) => last.text.includes(name))
    .toSorted((left, right) => last.text.indexOf(left.name) - last.text.indexOf(right.name));
  return (named.length > 0 ? named : tools.slice(0, 1)).map(({ name, parameters }, index) => ({
    name,
    args: toArguments(minimalInstance(parameters)),
    id: `call_${index + 1}`,
  }));
}

/** The answer to a result. */
export function answerTo(result: string): string {
  return `The tool said: ${result}`;
}

/** A tool without a schema is called without arguments. */
function toArguments(instance: JsonValue): JsonValue {
  return typeof instance === "object" && instance !== null ? instance : {};
}

function readTools(prompt: string): readonly HostTool[] {
  const match = /^\[Available Tools\]\n(\[\n[\s\S]*?\n\])\n/.exec(prompt);
  return match === null ? [] : JSON.parse(match[1] ?? "[]");
}

function readMark(prompt: string): string {
  return /"mark":"([a-z2-9]+)"/.exec(prompt)?.[1] ?? "";
}

/** The last event of a thread; a prompt that is not a thread counts as a user message. */
function lastEvent(prompt: string): { readonly type: string; readonly text: string } {
  const events = [...prompt.matchAll(/^ {2}<event type="([^"]*)"[^>]*>([^<]*)<\/event>$/gm)];
  const [, type = "human", text = prompt.slice(prompt.lastIndexOf("\n\n") + 2)] = events.at(-1) ?? [];
  return { type, text: withoutEntities(text) };
}

function withoutEntities(text: string): string {
  const plain = text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&apos;", "'");
  return plain.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code))).replaceAll("&amp;", "&");
}
