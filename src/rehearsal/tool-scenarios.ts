import type { JsonValue } from "../spec/json.ts";
import { minimalInstance } from "./minimal-instance.ts";
import { isOffered, type OwnTool, type Reading, toolsOf } from "./own-tools.ts";
import { answer, begin, newToolUseId, say, spoken, stream } from "./speech.ts";
import type { HostTool, Scenario, Turn } from "./turn.ts";

/** Calls the host tools that the last user message names, and repeats their results; without host tools it is `friendly`. */
export const toolCaller: Scenario = async (turn) => await callHostTools(turn, namedTools);

/** Calls every host tool, all in one message, and repeats their results; without host tools it is `friendly`. */
export const toolCallerAll: Scenario = async (turn) => await callHostTools(turn, everyTool);

async function callHostTools(turn: Turn, choose: ChooseTools): Promise<"answered"> {
  const { hostTools } = turn;
  if (hostTools === undefined) return await answer(turn, { said: answerWithTools(turn.prompt, choose) });
  const tools = await hostTools.list();
  begin(turn, tools);
  const calls = planCalls(turn.prompt, tools, choose);
  if (typeof calls === "string") return await say(turn, { said: calls });
  const calling = turn.message();
  const used = calls.map((call) => ({ ...call, id: newToolUseId() }));
  for (const { id, name, args } of used) calling.toolUse(id, name, args);
  calling.stop("tool-calls");
  const results = await Promise.all(used.map(({ id, name, args }) => hostTools.call(id, name, args)));
  for (const [index, { text, isError }] of results.entries()) turn.lines.toolResult(used[index]?.id ?? "", text, isError, text);
  turn.lines.requesting();
  return await say(turn, { said: answerTo(results.map(({ text }) => text)) });
}

/** Announces a look at the clock, calls the tool Clock, and answers with its result; without the tool it does not know the time. */
export const tool: Scenario = async (turn) =>
  await useOwnTools(turn, {
    announcement: "Let me look at the clock.",
    withoutTools: "I have no tool Clock, so I do not know the time.",
    reply: ([clock]) => timeOf(clock) ?? clock?.reading?.text ?? "I was not allowed to look, so I do not know the time.",
  });

/** Calls the tools Clock and Barometer in one message; Barometer is ready first and fails. The answer says what each returned. */
export const tools: Scenario = async (turn) =>
  await useOwnTools(turn, {
    announcement: "Let me look at the clock and the barometer.",
    withoutTools: "I have no tools Clock and Barometer, so I know neither the time nor the air pressure.",
    reply: (calls) =>
      calls.map((call) => timeOf(call) ?? call.reading?.text ?? `I was not allowed to use ${call.tool.name}.`).join(" "),
  });

type OwnToolsPlay = {
  readonly announcement: string;
  readonly withoutTools: string;
  reply(calls: readonly OwnCall[]): string;
};

async function useOwnTools(turn: Turn, { announcement, withoutTools, reply }: OwnToolsPlay): Promise<"answered"> {
  if (turn.options.schema !== undefined) return await answer(turn);
  const offered = offeredTools(turn);
  if (offered.length === 0) return await answer(turn, { said: withoutTools });
  begin(turn);
  turn.message();
  await stream(turn, announcement);
  const calls = await callOwnTools(turn, offered);
  turn.lines.requesting();
  const message = turn.message();
  const text = reply(calls);
  await stream(turn, text, 25);
  message.stop("stop");
  const denied = calls.filter(({ reading }) => reading === undefined);
  const denials = denied.map(({ id, tool: { name, input } }) => ({ tool_name: name, tool_use_id: id, tool_input: input }));
  const said = [announcement, ...calls.map((call) => JSON.stringify(call.tool.input)), text].join("");
  turn.lines.result({ api_error_status: null, result: text, num_turns: 2, permission_denials: denials }, spoken(turn, said));
  return "answered";
}

function timeOf(call: OwnCall | undefined): string | undefined {
  return call?.reading?.isError === false ? `It is ${call.reading.text.slice(11, 16)} UTC.` : undefined;
}

/** A call that was not allowed has no `reading`. */
type OwnCall = { readonly id: string; readonly tool: OwnTool; readonly reading?: Reading };

function offeredTools({ options }: Turn): readonly OwnTool[] {
  return toolsOf(options.model).filter(({ name }) => isOffered(name, options.permissions));
}

/** Calls the tools in the open message and ends the message; the results are printed in the order in which the tools are ready. */
async function callOwnTools(turn: Turn, tools: readonly OwnTool[]): Promise<readonly OwnCall[]> {
  const calls = tools.map((tool) => ({ id: newToolUseId(), tool }));
  for (const { id, tool } of calls) turn.current()?.toolUse(id, tool.name, tool.input);
  turn.current()?.stop("tool-calls");
  return await Promise.all(calls.map(async (call) => await runOwnTool(turn, call)));
}

async function runOwnTool(turn: Turn, { id, tool }: OwnCall): Promise<OwnCall> {
  const verdict = await turn.askPermission(id, tool.name, tool.input);
  await turn.pause(tool.takesMs);
  if (!verdict.allowed) {
    turn.lines.toolResult(id, verdict.message, true, `Error: ${verdict.message}`);
    return { id, tool };
  }
  const reading = tool.read(verdict.input ?? tool.input);
  turn.lines.toolResult(id, reading.text, reading.isError, reading.details);
  return { id, tool, reading };
}

type PlannedCall = { readonly name: string; readonly args: JsonValue; readonly id: string };

type ChooseTools = (tools: readonly HostTool[], message: string) => readonly HostTool[];

/** The tools that the message names, in its order; the first tool if it names none. */
const namedTools: ChooseTools = (tools, message) => {
  const named = tools
    .filter(({ name }) => message.includes(name))
    .toSorted((left, right) => message.indexOf(left.name) - message.indexOf(right.name));
  return named.length > 0 ? named : tools.slice(0, 1);
};

const everyTool: ChooseTools = (tools) => tools;

/**
 * The answer of a model with host tools to this prompt: it calls the chosen tools, and after results it repeats these results. Undefined when
 * the prompt offers no tools.
 */
function answerWithTools(prompt: string, choose: ChooseTools): string | undefined {
  const tools = readTools(prompt);
  if (tools.length === 0) return undefined;
  const planned = planCalls(prompt, tools, choose);
  if (typeof planned === "string") return planned;
  const mark = readMark(prompt);
  return `\`\`\`json\n${JSON.stringify({ ...(mark !== undefined && { mark }), tool_calls: planned })}\n\`\`\``;
}

/** The calls of a model with these tools, or its answer if the conversation ends with results. */
function planCalls(prompt: string, tools: readonly HostTool[], choose: ChooseTools): readonly PlannedCall[] | string {
  const events = readEvents(prompt);
  const results = events.slice(events.findLastIndex(({ type }) => type !== "tool_output") + 1);
  if (results.length > 0) return answerTo(results.map(({ text }) => text));
  return choose(tools, events.at(-1)?.text ?? "").map(({ name, parameters }, index) => ({
    name,
    args: toArguments(minimalInstance(parameters)),
    id: `call_${index + 1}`,
  }));
}

function answerTo(results: readonly string[]): string {
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
