import { expect, it } from "vitest";
import type { Permissions } from "../../spec/request.ts";
import { agentRules, misreadEntry, type OpencodeRules, refuseOpencodePatterns } from "./permissions.ts";

it.each(["default", "plan", "dont-ask"] as const)("mode %s lets it read and nothing else", (mode) => {
  const rules = rulesOf({ mode });
  expect(Object.keys(rules)[0]).toBe("*");
  expect(rules).toMatchObject({ "*": "deny", grep: "allow", read: { "*": "allow", "*.env": "deny" } });
  for (const name of ["bash", "edit", "webfetch", "task", "external_directory"]) expect(rules).not.toHaveProperty(name);
});

it("an allowed tool and the mode for everything allow edits and everything", () => {
  expect(rulesOf({ allow: ["Edit"] })).toMatchObject({ "*": "deny", edit: "allow" });
  expect(rulesOf({ mode: "bypass" })).toEqual({ "*": "allow" });
});

it("patterns written for other CLIs mean the same tools", () => {
  expect(rulesOf({ allow: ["Bash(git status)", "bash(git log *)"] })["bash"]).toEqual({
    "*": "deny",
    "git status": "allow",
    "git log *": "allow",
  });
  expect(rulesOf({ allow: ["Edit"], deny: ["Write"] })["edit"]).toBe("deny");
  expect(rulesOf({ allow: ["lab_Echo"] })["lab_Echo"]).toBe("allow");
});

it("deny rules come after allow rules", () => {
  expect(Object.entries(rulesOf({ mode: "bypass", deny: ["bash(rm *)"] })["bash"] ?? {})).toEqual([
    ["*", "allow"],
    ["rm *", "deny"],
  ]);
  expect(rulesOf({ allow: ["bash(git *)"], deny: ["bash", "bash(git push)"] })["bash"]).toBe("deny");
  expect(Object.entries(rulesOf({ allow: ["bash"], deny: ["*"] })).at(-1)).toEqual(["*", "deny"]);
});

it("tools that are not listed do not exist, and a listed tool is not thereby allowed", () => {
  expect(rulesOf({ mode: "bypass", tools: ["bash", "Read"] })).toEqual({
    "*": "deny",
    bash: "allow",
    read: "allow",
    invalid: "allow",
  });
  expect(rulesOf({ tools: ["bash"] })["bash"]).toBe("deny");
  expect(rulesOf({ tools: ["read"], allow: ["bash"] })).not.toHaveProperty("bash");
});

it.each<Permissions>([
  { mode: "bypass", deny: ["Write", "Edit", "Bash"] },
  { mode: "bypass", deny: ["Bash(rm *)"] },
  { mode: "bypass", tools: ["Task", "Read"] },
  { allow: ["Task"] },
])("a sub-agent would not keep to %j, so there is none", (permissions) => {
  expect(Object.entries(rulesOf(permissions)).at(-1)).toEqual(["task", "deny"]);
});

it("the name of a property that every object has is no tool", () => {
  expect(rulesOf({ mode: "bypass", tools: ["constructor"] })).toEqual({ "*": "deny", constructor: "allow", invalid: "allow" });
});

it.each<Permissions>([{ deny: ["bash(123)"] }, { allow: ["bash(0)"] }, { tools: ["7"] }])(
  "%j would be read before all other rules, where it has no effect",
  (permissions) => {
    expect(misreadEntry({ prompt: "hi", permissions })).toMatch(/\d/);
  },
);

it("a directory with a wildcard would allow other directories", () => {
  expect(misreadEntry({ prompt: "hi", addDirs: ["/a", "/b*"] })).toBe("/b*");
  expect(misreadEntry({ prompt: "hi", addDirs: ["/a"], permissions: { deny: ["bash(123*)", "bash"] } })).toBeUndefined();
});

it("further directories are allowed with their subdirectories", () => {
  const rules = agentRules({ prompt: "hi", mode: "agent", addDirs: ["/a/", "/b"] });
  expect(rules["external_directory"]).toEqual({ "*": "deny", "/a/*": "allow", "/b/*": "allow" });
});

function rulesOf(permissions: Permissions): OpencodeRules {
  return agentRules({ prompt: "hi", mode: "agent", permissions });
}

it("patterns for commands are refused, because OpenCode does not see all of a command", () => {
  const refused = (permissions: Permissions): string => refuseOpencodePatterns({ prompt: "hi", permissions })?.message ?? "";
  expect(refused({ allow: ["Bash(git *)"] })).toContain('"git *"');
  expect(refused({ mode: "bypass", deny: ["bash(rm *)"] })).toContain('"rm *"');
  expect(refused({ allow: ["Bash", "edit(docs/*)"], tools: ["bash"] })).toBe("");
  expect(refused({ allow: ["Bash(git *)"], deny: ["bash"] })).toBe("");
});
