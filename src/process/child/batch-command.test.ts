import { describe, expect, it } from "vitest";
import { isBatchFile, toBatchCommand } from "./spawn-child.ts";

const GLOBAL_SHIM = "C:\\Users\\me\\AppData\\Roaming\\npm\\claude.cmd";

function lineOf(command: string, ...args: readonly string[]): string {
  const made = toBatchCommand(command, args);
  if ("errno" in made) throw new Error(made.errno);
  expect(made.args.slice(0, 3)).toEqual(["/d", "/s", "/c"]);
  return made.args[3] ?? "";
}

/** The first argument of a command line by the rules of Windows: `\\"` is a quote, and backslashes count only before one. */
function argumentIn(line: string): string {
  const quoted = /^"((?:[^"\\]|\\+(?!["\\])|(?:\\\\)*\\"|(?:\\\\)+(?="))*)"$/.exec(line)?.[1];
  if (quoted === undefined) throw new Error(`${line} is not one quoted argument`);
  return quoted.replace(/(\\*)("|$)/g, (_, slashes: string, mark: string) => "\\".repeat(slashes.length / 2) + mark);
}

/** What is left after cmd.exe has read the escapes once. */
function readOnce(text: string): string {
  return text.replace(/\^(.)/gs, "$1");
}

it("batch files are known by their extension", () => {
  const files = [GLOBAL_SHIM, "x.CMD", "x.bat", "x.exe", "claude", "x.cmd.exe"];
  expect(files.map(isBatchFile)).toEqual([true, true, true, false, false, false]);
});

it("a shim outside of node_modules/.bin gets arguments that are escaped twice", () => {
  expect(lineOf(GLOBAL_SHIM, "-p", "a & calc")).toBe(`"${GLOBAL_SHIM} ^^^"-p^^^" ^^^"a^^^ ^^^&^^^ calc^^^""`);
});

it("the path of the file is escaped once, because it is read once", () => {
  expect(lineOf("C:/Program Files (x86)/npm/claude.cmd")).toBe('"C:\\Program^ Files^ ^(x86^)\\npm\\claude.cmd"');
});

describe.each([
  ...["plain", "", "two words", "%PATH%", "!x!", 'say "hi"', 'a\\"b', "ends\\", 'ends\\\\"', "C:\\a\\b", "^", "a^b", "ünï"],
  ...["&|<>()", "a;b,c*?[x]`y`", '" & calc & "', '{"type":"object","a":["b c"]}'],
])("the argument %j", (argument) => {
  const line = lineOf("x.cmd", argument);

  it("has no character with a meaning left in either reading", () => {
    for (const read of [line.slice(1, -1), readOnce(line.slice(1, -1))]) {
      expect(read.replace(/\^./gs, "")).not.toMatch(/[()%!"<>&|;,*?]/);
    }
  });

  it("arrives unchanged", () => {
    expect(argumentIn(readOnce(readOnce(line.slice('"x.cmd '.length, -1))))).toBe(argument);
  });
});

it("a line break, which would cut the command line, and a line over the limit of cmd.exe are refused", () => {
  for (const argument of ["a\nb", "a\rb"]) expect(toBatchCommand("x.cmd", ["-p", argument])).toEqual({ errno: "EINVAL" });
  expect(toBatchCommand("x.cmd", ["x".repeat(9000)])).toEqual({ errno: "E2BIG" });
});
