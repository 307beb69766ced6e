import { expect, it } from "vitest";
import { plainCommandSources } from "./shell-rules.ts";

function allows(pattern: string, command: string): boolean {
  return plainCommandSources(pattern).some((source) => new RegExp(`^${source}$`).test(command));
}

it.each(["file-tools", "file-tools a", 'file-tools --depth=2 "a b" *.txt', "file-tools 'it is' ~/x {a,b} # c"])(
  "the program with plain arguments is allowed: %s",
  (command) => {
    for (const pattern of ["file-tools *", "file-tools:*"]) expect(allows(pattern, command)).toBe(true);
  },
);

it.each([..."\n\r\t\0;&|<>()$`\\\x7f"])("an argument with %j is not", (sign) => {
  for (const command of [`file-tools a${sign}b`, `file-tools ${sign}`, `file-tools a${sign}`, `${sign}file-tools a`])
    expect(allows("file-tools *", command)).toBe(false);
});

it("a pattern without a star means one command, and its signs stand for themselves", () => {
  expect(allows("npm test", "npm test")).toBe(true);
  for (const command of ["npm test x", "npm  test", "npmxtest", "x npm test"]) expect(allows("npm test", command)).toBe(false);
  expect(allows("a.b (c)", "a.b (c)")).toBe(true);
  expect(allows("a.b", "axb")).toBe(false);
});

it("a star within a pattern stands for plain text", () => {
  expect(allows("git * --dry-run", "git push origin --dry-run")).toBe(true);
  expect(allows("git * --dry-run", "git x; y --dry-run")).toBe(false);
  expect(allows("file-tools*", "file-toolsx")).toBe(true);
  expect(allows("file-tools *", "file-toolsx")).toBe(false);
});
