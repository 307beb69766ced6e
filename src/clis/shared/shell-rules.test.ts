import { expect, it } from "vitest";
import type { Permissions } from "../../spec/request.ts";
import { readEntry, readShellRules, type ShellRules } from "./shell-rules.ts";

function rulesOf(permissions: Permissions): ShellRules {
  return readShellRules({ prompt: "hi", permissions }, (name) => name === "Bash");
}

it("an entry is a tool with or without a text; a star alone is no text", () => {
  expect(readEntry("Bash(git (x) *)")).toEqual({ name: "Bash", text: "git (x) *" });
  for (const entry of ["Bash", "Bash(*)", "Bash(:*)", "Bash()"]) expect(readEntry(entry)).toEqual({ name: "Bash" });
});

it("the shell is open in bypass mode or if it is allowed as a whole", () => {
  for (const permissions of [
    { mode: "bypass" },
    { allow: ["Bash"] },
    { allow: ["*"] },
    { allow: ["Bash(*)", "Bash(ls)"] },
  ] as const)
    expect(rulesOf(permissions)).toMatchObject({ isOpen: true, allowed: [] });
  expect(rulesOf({ mode: "bypass", deny: ["Bash(rm *)"] })).toEqual({ isOpen: true, allowed: [], denied: ["rm *"] });
});

it("patterns limit the shell, and patterns of other tools do not count", () => {
  expect(rulesOf({ allow: ["Bash(git *)", "Read(x)"], deny: ["Bash(git push)", "Edit(y)"] })).toEqual({
    isOpen: false,
    allowed: ["git *"],
    denied: ["git push"],
  });
});

it("a shell that is denied or not among the tools has no rules", () => {
  const none = { isOpen: false, allowed: [], denied: [] };
  for (const permissions of [
    { mode: "bypass", deny: ["Bash"] },
    { mode: "bypass", tools: ["Read"], deny: ["Bash(rm *)"] },
    { allow: ["Bash(ls)"], deny: ["*"] },
  ] as const)
    expect(rulesOf(permissions)).toEqual(none);
});
