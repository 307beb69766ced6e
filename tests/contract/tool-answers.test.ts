import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { AnswerReading } from "../../src/answers/read-answer.ts";
import { finish } from "../../src/answers/slices.ts";
import { openReader } from "../../src/ask/open-reader.ts";
import { markOf } from "../../src/prompts/tool-prompt.ts";
import type { JsonObject } from "../../src/spec/json.ts";
import type { Message, ToolChoice, ToolDefinition } from "../../src/spec/message.ts";

type Piece = string | { readonly repeat: readonly [string, number] };
type Case = {
  readonly name: string;
  readonly answer: string | readonly Piece[];
  readonly conversation?: readonly (Omit<Message, "text"> & { readonly text: string | readonly Piece[] })[];
  readonly toolChoice?: ToolChoice;
  readonly outcome: "answer" | "calls" | "problem";
  readonly calls?: readonly { readonly name: string; readonly args: JsonObject | readonly Piece[]; readonly id?: string }[];
  readonly text?: string | readonly Piece[];
};

const folder = new URL("./tool-answers/", import.meta.url);
const tools: readonly ToolDefinition[] = JSON.parse(readFileSync(new URL("tools.json", folder), "utf8"));
const cases = readdirSync(folder)
  .filter((file) => file.endsWith(".json") && file !== "tools.json")
  .flatMap((file): readonly Case[] => JSON.parse(readFileSync(new URL(file, folder), "utf8")))
  .map(withMark);

test("the corpus has at least 200 answers, each with a unique name", () => {
  expect(cases.length).toBeGreaterThanOrEqual(200);
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
});

describe("an answer of the corpus", () => {
  test.for(cases)("$name is read as its expectation states", (sample) => {
    const { reading } = read(sample, [join(sample.answer)]);
    const ids = "calls" in reading ? reading.calls.map(({ id }) => id) : [];
    expect(new Set(ids).size).toBe(ids.length);
    expect(comparable(reading, sample)).toEqual({
      outcome: sample.outcome,
      ...(sample.calls !== undefined && { calls: sample.calls.map((call) => ({ ...call, args: toArgs(call.args) })) }),
      ...(sample.text !== undefined && { text: join(sample.text) }),
    });
  });

  test.for(cases)("$name gives the same text however it is split, and only text of the answer", (sample) => {
    const answer = join(sample.answer);
    const whole = read(sample, [answer]);
    for (const size of answer.length > 2000 ? [997] : [1, 3, 17]) {
      const { shown, reading } = read(sample, cut(answer, size));
      expect(withoutIds(reading)).toStrictEqual(withoutIds(whole.reading));
      if (reading.kind !== "problem") expect(reading.text.startsWith(shown)).toBe(true);
    }
  });
});

/** The reading without the ids of its calls, some of which are made up anew. */
function withoutIds(reading: AnswerReading): object {
  const invalidCalls = reading.kind === "problem" ? reading.invalidCalls?.map((call) => ({ ...call, id: undefined })) : undefined;
  return { ...reading, calls: undefined, invalidCalls };
}

function read(
  { conversation, toolChoice = "auto" }: Case,
  pieces: readonly string[],
): { readonly shown: string; readonly reading: AnswerReading } {
  const message = openReader({ messages: messagesOf(conversation), tools, toolChoice }, {}).openMessage();
  const shown = pieces.map((piece) => message.push(piece)).join("");
  return { shown, reading: finish(message.end()) };
}

function messagesOf(conversation: Case["conversation"] = [{ role: "user", text: "Do it." }]): readonly Message[] {
  return conversation.map((message) => ({ ...message, text: join(message.text) }) as Message);
}

/** The mark as JSON escapes: all of its letters, because an escape may itself end with a letter of the mark. */
function escaped(mark: string): string {
  return Array.from(mark, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join("");
}

/** Fills in the mark of each conversation. */
function withMark(sample: Case): Case {
  const mark = markOf(messagesOf(sample.conversation));
  const fill = (pieces: string | readonly Piece[]): string =>
    join(pieces).replaceAll("{{mark}}", mark).replaceAll("{{escaped-mark}}", escaped(mark));
  return { ...sample, answer: fill(sample.answer), ...(sample.text !== undefined && { text: fill(sample.text) }) };
}

function comparable(reading: AnswerReading, { calls, text }: Case): object {
  const found = reading.kind === "calls" ? reading.calls : [];
  return {
    outcome: reading.kind,
    ...(calls !== undefined && {
      calls: found.map(({ id, name, args }, index) => (calls[index]?.id === undefined ? { name, args } : { name, args, id })),
    }),
    ...(text !== undefined && { text: reading.text }),
  };
}

function toArgs(args: JsonObject | readonly Piece[]): JsonObject {
  return Array.isArray(args) ? JSON.parse(join(args)) : (args as JsonObject);
}

function join(pieces: string | readonly Piece[]): string {
  if (typeof pieces === "string") return pieces;
  return pieces.map((piece) => (typeof piece === "string" ? piece : piece.repeat[0].repeat(piece.repeat[1]))).join("");
}

function cut(text: string, size: number): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size));
}
