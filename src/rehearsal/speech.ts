import { randomUUID } from "node:crypto";
import type { JsonValue } from "../spec/json.ts";
import { minimalInstance } from "./minimal-instance.ts";
import type { HostTool, Turn } from "./turn.ts";

export const QUICK_MS = 15;

export type Speech = { readonly thought?: string; readonly said?: string | undefined; readonly delayMs?: number };

/** Plays a whole turn that answers; with a schema the answer is the smallest value that matches it. */
export async function answer(turn: Turn, speech: Speech = {}): Promise<"answered"> {
  begin(turn);
  const { thought = "", said = friendlyText(turn.prompt) + remembered(turn), delayMs = QUICK_MS } = speech;
  if (turn.options.schema !== undefined) return answerWithObject(turn, turn.options.schema);
  return await say(turn, { thought, said, delayMs });
}

/** Prints the lines that begin every turn which reaches the model. */
export function begin(turn: Turn, hostTools: readonly HostTool[] = []): void {
  turn.lines.init(hostTools.map(({ name }) => name));
  turn.lines.requesting();
}

/** Streams the last message of a turn and ends the turn. */
export async function say(turn: Turn, { thought = "", said = "", delayMs = QUICK_MS }: Speech): Promise<"answered"> {
  const message = turn.message();
  for (const piece of toPieces(thought)) {
    message.add("thinking", piece);
    await turn.pause(delayMs);
  }
  if (thought !== "") message.end();
  await stream(turn, said, delayMs);
  message.stop("stop");
  turn.lines.result({ api_error_status: null, result: said }, spoken(turn, thought + said));
  return "answered";
}

export async function stream(turn: Turn, text: string, delayMs: number = QUICK_MS): Promise<void> {
  for (const piece of toPieces(text)) {
    turn.current()?.add("text", piece);
    await turn.pause(delayMs);
  }
  turn.current()?.end();
}

/** Splits a text after each run of spaces; joined, the pieces are the text again. */
export function toPieces(text: string): readonly string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}

export function friendlyText(prompt: string): string {
  return (
    `You asked: “${quote(prompt)}”. No model stands behind this answer: I am the rehearsal CLI, ` +
    "a real program that streams, calls tools and fails like the others, without an account."
  );
}

export function spoken(turn: Turn, said: string): { readonly read: number; readonly said: number } {
  return { read: turn.prompt.length + turn.options.systemPrompt.length, said: said.length };
}

export function newToolUseId(): string {
  return `toolu_${randomUUID().replaceAll("-", "").slice(0, 24)}`;
}

function answerWithObject(turn: Turn, schema: string): "answered" {
  const made: JsonValue = minimalInstance(JSON.parse(schema));
  const json = JSON.stringify(made);
  const id = newToolUseId();
  const message = turn.message();
  message.toolUse(id, "StructuredOutput", made);
  message.stop("tool-calls");
  const done = "Structured output provided successfully";
  turn.lines.toolResult(id, done, false, done);
  const fields = { api_error_status: null, result: json, structured_output: made, stop_reason: "tool_use", num_turns: 2 };
  turn.lines.result(fields, spoken(turn, json));
  return "answered";
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
