import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { stripTerminalCodes } from "./strip-terminal-codes.ts";

it.each([
  ["colours", "\u001b[1;31mred\u001b[0m", "red"],
  ["colours with colons", "\u001b[38:2::255:0:0mred\u001b[m", "red"],
  ["the one-character spelling of colours", "\u009b31mred\u009b0m", "red"],
  ["modes and cursor moves", "\u001b[?25l\u001b[2J\u001b[10;20Hhere\u001b[?25h", "here"],
  ["a title that ends with a bell", "\u001b]0;my title\u0007text", "text"],
  ["a title that ends with a string terminator", "\u001b]0;my title\u001b\\text", "text"],
  ["a link", "\u001b]8;;https://example.com\u001b\\name\u001b]8;;\u001b\\", "name"],
  ["a device string", "\u001bP1$r0m\u001b\\text", "text"],
  ["application and private strings", "\u001b_app\u001b\\\u001b^private\u001b\\\u001bXstring\u001b\\text", "text"],
  ["two-character codes", "\u001b7text\u001b8\u001bc\u001b(B", "text"],
])("%s are removed", (_name, text, shown) => {
  expect(stripTerminalCodes(text)).toBe(shown);
  expect(stripTerminalCodes(`before ${text} after ${text}`)).toBe(`before ${shown} after ${shown}`);
});

it.each([
  "",
  "plain text",
  "[31m is no code without its beginning",
  "tab\tand\r\nline ends",
  "Grüße 👩‍👩‍👧 你好",
  '{"a":"\\u001b[31m"}',
])("%j has no codes and is not changed", (text) => {
  expect(stripTerminalCodes(text)).toBe(text);
});

it("a title without an end removes nothing", () => {
  expect(stripTerminalCodes("\u001b]0;never ended, and then text")).toContain("and then text");
});

it("repeated calls give the same result", () => {
  const text = "\u001b[31mred\u001b[0m";
  expect([stripTerminalCodes(text), stripTerminalCodes(text)]).toEqual(["red", "red"]);
});

it.each(["\\u001b]", "\\u001bP", "\\u001b[", "\\u001b", "\\u009b", "\\u009d", "\\u0090"])(
  "a line of a million unfinished codes %s is processed in linear time",
  (beginning) => {
    const script = `
      const { stripTerminalCodes } = await import(${JSON.stringify(import.meta.resolve("./strip-terminal-codes.ts"))});
      stripTerminalCodes("${beginning}".repeat(1_000_000));`;
    // Work that grows with the length is done in a second; work that grows with its square takes hours.
    const { status, signal } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { timeout: 20_000 });
    expect({ status, signal }).toEqual({ status: 0, signal: null });
  },
);
