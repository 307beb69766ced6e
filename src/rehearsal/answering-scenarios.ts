import { randomUUID } from "node:crypto";
import type { JsonValue } from "../spec/json.ts";
import type { HostTool } from "./host-tools.ts";
import { minimalInstance } from "./minimal-instance.ts";
import { isOffered } from "./permissions.ts";
import { answerTo, answerWithTools, planCalls } from "./tool-caller.ts";
import type { Scenario, Turn } from "./turn.ts";

/** The pause between two words of a normal answer. */
export const QUICK_MS = 15;

const NO_CLOCK = "I have no tool Clock, so I do not know the time.";

/** A short helpful answer that quotes the prompt, in several pieces. */
export const friendly: Scenario = async (turn) => await answer(turn, QUICK_MS);

/** The same answer, with a word every 300 ms. */
export const slow: Scenario = async (turn) => await answer(turn, 300);

/** Answers, then stays alive for five seconds without work. */
export const linger: Scenario = async (turn) => {
  const outcome = await answer(turn, QUICK_MS);
  setTimeout(() => undefined, 5000);
  return outcome;
};

/** Calls the host tools that the prompt offers, and repeats their results; without host tools it is `friendly`. */
export const toolCaller: Scenario = async (turn) => {
  const { hostTools } = turn;
  if (hostTools === undefined) return await answer(turn, QUICK_MS, answerWithTools(turn.prompt));
  const tools = await hostTools.list();
  begin(turn, tools);
  const calls = planCalls(turn.prompt, tools);
  if (typeof calls === "string") return await say(turn, calls);
  const calling = turn.message();
  const used = calls.map((call) => ({ ...call, id: newToolUseId() }));
  for (const { id, name, args } of used) calling.toolUse(id, name, args);
  calling.stop("tool_use");
  const results = await Promise.all(used.map(({ id, name, args }) => hostTools.call(id, name, args)));
  for (const [index, { text, isError }] of results.entries()) turn.lines.toolResult(used[index]?.id ?? "", text, isError, text);
  turn.lines.requesting();
  return await say(turn, answerTo(results.at(-1)?.text ?? ""));
};

/** Announces a look at the clock, calls the tool Clock, and answers with its result; without the tool it does not know the time. */
export const tool: Scenario = async (turn) => {
  if (turn.options.schema !== undefined) return await answer(turn, QUICK_MS);
  if (!isOffered("Clock", turn.options.permissions)) return await answer(turn, QUICK_MS, NO_CLOCK);
  const { lines } = turn;
  const input = { zone: "UTC" };
  const id = newToolUseId();
  begin(turn);
  const looking = turn.message();
  const announcement = await stream(turn, "Let me look at the clock.", QUICK_MS);
  looking.toolUse(id, "Clock", input);
  looking.stop("tool_use");

  const verdict = await turn.askPermission(id, "Clock", input);
  await turn.pause(120);
  const now = new Date().toISOString();
  if (verdict.allowed) lines.toolResult(id, now, false, { now });
  else lines.toolResult(id, verdict.message, true, `Error: ${verdict.message}`);

  lines.requesting();
  const reply = turn.message();
  const time = now.slice(11, 16);
  const text = await stream(
    turn,
    verdict.allowed ? `It is ${time} UTC.` : "I was not allowed to look, so I do not know the time.",
    25,
  );
  reply.stop("end_turn");
  const denials = verdict.allowed ? [] : [{ tool_name: "Clock", tool_use_id: id, tool_input: input }];
  const said = announcement + JSON.stringify(input) + text;
  lines.result({ api_error_status: null, result: text, num_turns: 2, permission_denials: denials }, spoken(turn, said));
  return "answered";
};

async function answer(turn: Turn, delayMs: number, said = friendlyText(turn.prompt) + remembered(turn)): Promise<"answered"> {
  begin(turn);
  if (turn.options.schema !== undefined) return answerWithObject(turn, turn.options.schema);
  return await say(turn, said, delayMs);
}

/** Streams the last message of a turn and ends the turn. */
async function say(turn: Turn, said: string, delayMs = QUICK_MS): Promise<"answered"> {
  const message = turn.message();
  const text = await stream(turn, said, delayMs);
  message.stop("end_turn");
  turn.lines.result({ api_error_status: null, result: text }, spoken(turn, text));
  return "answered";
}

function answerWithObject(turn: Turn, schema: string): "answered" {
  const made: JsonValue = minimalInstance(JSON.parse(schema));
  const json = JSON.stringify(made);
  const id = newToolUseId();
  const message = turn.message();
  message.toolUse(id, "StructuredOutput", made);
  message.stop("tool_use");
  const done = "Structured output provided successfully";
  turn.lines.toolResult(id, done, false, done);
  const fields = { api_error_status: null, result: json, structured_output: made, stop_reason: "tool_use", num_turns: 2 };
  turn.lines.result(fields, spoken(turn, json));
  return "answered";
}

/** Prints the lines that begin every turn which reaches the model. */
export function begin(turn: Turn, hostTools: readonly HostTool[] = []): void {
  turn.lines.init(hostTools.map(({ name }) => name));
  turn.lines.requesting();
}

/** Streams a text word by word into the current message and closes the block; returns the text. */
async function stream(turn: Turn, text: string, delayMs: number): Promise<string> {
  for (const piece of toPieces(text)) {
    turn.current()?.text(piece);
    await turn.pause(delayMs);
  }
  turn.current()?.endText();
  return text;
}

/** Splits a text after each run of spaces; joined, the pieces are the text again. */
export function toPieces(text: string): readonly string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}

/** The answer of the friendly scenario. */
export function friendlyText(prompt: string): string {
  return (
    `You asked: “${quote(prompt)}”. No model stands behind this answer: I am the rehearsal CLI, ` +
    "a real program that streams, calls tools and fails like the others, without an account."
  );
}

/** What shows that a session was resumed. */
function remembered({ options: { earlier } }: Turn): string {
  const last = earlier.at(-1);
  return last === undefined ? "" : ` This is prompt ${earlier.length + 1} of this session; the one before was: ${quote(last)}`;
}

function quote(prompt: string): string {
  const characters = Array.from(prompt);
  return characters.length > 60 ? `${characters.slice(0, 60).join("")}…` : prompt;
}

function spoken(turn: Turn, said: string): { readonly read: number; readonly said: number } {
  return { read: turn.prompt.length + turn.options.systemPrompt.length, said: said.length };
}

function newToolUseId(): string {
  return `toolu_${randomUUID().replaceAll("-", "").slice(0, 24)}`;
}
