import { expect, test } from "vitest";
import { MessageLines } from "./chat-input.ts";

/** The messages that lines make. */
function messagesOf(...lines: readonly string[]): readonly string[] {
  const reader = new MessageLines();
  return lines.flatMap((line) => reader.add(line) ?? []);
}

test("each line is a message", () => {
  expect(messagesOf("one", "", "two ")).toEqual(["one", "", "two "]);
});

test("a line that ends with a backslash goes on in the next line", () => {
  expect(messagesOf("one\\", "two\\", "three", "four")).toEqual(["one\ntwo\nthree", "four"]);
});

test("a code block is one message with the text before it, and a backslash in it is text", () => {
  expect(messagesOf("What is this?\\", "```ts", "a \\", "b", "```", "next")).toEqual([
    "What is this?\n```ts\na \\\nb\n```",
    "next",
  ]);
});

test("a longer fence is ended by one as long only, and by none with a word", () => {
  expect(messagesOf("````", "```", "x", "```ts", "````")).toEqual(["````\n```\nx\n```ts\n````"]);
});

test("the lines of a paste are one message with the line after it", () => {
  const reader = new MessageLines();
  expect([reader.add("one", true), reader.add("two", true), reader.add("three")]).toEqual([
    undefined,
    undefined,
    "one\ntwo\nthree",
  ]);
  expect(reader.isOpen()).toBe(false);
});

test("an unfinished message can be taken", () => {
  const reader = new MessageLines();
  reader.add("```");
  reader.add("one");
  expect(reader.isOpen()).toBe(true);
  expect(reader.take()).toBe("```\none");
  expect(reader.add("two")).toBe("two");
});
