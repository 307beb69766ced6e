import { expect, it } from "vitest";
import type { Permissions } from "../../spec/request.ts";
import { geminiPolicy, refuseGeminiPermissions, type Unallowed } from "./policy.ts";

type Rule = { readonly tool: string; readonly decision: string; readonly priority: number; readonly args?: RegExp };

/** The rules of the file, the first that matches first. */
function rulesOf(permissions: Permissions, unallowed: Unallowed): readonly Rule[] {
  const { content } = geminiPolicy({ prompt: "hi", mode: "agent", permissions }, unallowed);
  const read = (text: string, key: string): string | undefined => new RegExp(`^${key} = (.*)$`, "m").exec(text)?.[1];
  const rules = content.split("[[rule]]\n").slice(1);
  return rules
    .map((text) => {
      const pattern = read(text, "argsPattern");
      return {
        tool: JSON.parse(read(text, "toolName") ?? ""),
        decision: JSON.parse(read(text, "decision") ?? ""),
        priority: Number(read(text, "priority")),
        ...(pattern !== undefined && { args: new RegExp(JSON.parse(pattern)) }),
      };
    })
    .toSorted((left, right) => right.priority - left.priority);
}

/** What Gemini decides, with its form of the arguments. */
function decide(
  permissions: Permissions,
  tool: string,
  input: Readonly<Record<string, string>>,
  unallowed: Unallowed = "deny",
): string | undefined {
  const pairs = Object.entries(input).map(([key, value]) => `\0${JSON.stringify(key)}:${JSON.stringify(value)}\0`);
  const args = `{${pairs.join(",")}}`;
  const rules = rulesOf(permissions, unallowed);
  return rules.find((rule) => (rule.tool === "*" || rule.tool === tool) && rule.args?.test(args) !== false)?.decision;
}

const run = (permissions: Permissions, command: string, description = "Runs"): string | undefined =>
  decide(permissions, "run_shell_command", { command, description });

it("a pattern allows plain commands of its program and denies every other command", () => {
  const permissions = { allow: ["Bash(file-tools *)"] };
  for (const command of ["file-tools", "file-tools list", 'file-tools "a b"']) expect(run(permissions, command)).toBe("allow");
  for (const sign of "\n;&|<>()$`\\") expect(run(permissions, `file-tools a${sign}b`)).toBe("deny");
  for (const command of ["touch y", "A=1 file-tools", "file-toolsx"]) expect(run(permissions, command)).toBe("deny");
  expect(run(permissions, "touch y", 'x\0"command":"file-tools a"\0')).toBe("deny");
});

it("a rule has no group with a quantifier in it, which Gemini would ignore", () => {
  const { content } = geminiPolicy({ prompt: "hi", permissions: { allow: ["Bash(a? (b+) *)"] } });
  const patterns = [...content.matchAll(/^argsPattern = (.*)$/gm)].map(([, pattern = ""]) => JSON.parse(pattern));
  for (const pattern of patterns) expect(pattern).not.toMatch(/\([^)]*[*+?{].*\)[*+?{]/);
  expect(run({ allow: ["Bash(a? (b+) *)"] }, "a? (b+) c")).toBe("allow");
});

it("a long command is decided at once, however many stars a pattern has, and a star stands for no backslash", () => {
  const permissions = { allow: ["Bash(npm run * -- * *)", "Bash(say a\\\\b * c *)"] };
  expect(run(permissions, 'npm run a -- "b" c')).toBe("allow");
  expect(run(permissions, "say a\\\\b x c y")).toBe("allow");
  for (const command of ["npm run a -- \\\\ c", "npm run a -- b\\tc d", "say a\\\\b \\\\ c y"])
    expect(run(permissions, command)).toBe("deny");
  expect(run(permissions, `npm run ${"a -- b ".repeat(100_000)};`)).toBe("deny");
});

it("denied entries come first, and of listed tools the mode decides", () => {
  const permissions = {
    mode: "accept-edits",
    tools: ["Read", "Edit", "Bash"],
    allow: ["Bash", "Write"],
    deny: ["Edit"],
  } as const;
  expect(
    ["read_file", "replace", "run_shell_command", "write_file", "glob"].map((tool) => decide(permissions, tool, {})),
  ).toEqual([...["allow", "deny", "allow", "deny", "deny"]]);
});

it("without a list of tools the mode decides about every tool, whatever the user's own rules allow", () => {
  const tools = ["read_file", "write_file", "run_shell_command", "of_another_version", "mcp_notes_add", "exit_plan_mode"];
  const verdicts = (permissions: Permissions) => tools.map((tool) => decide(permissions, tool, {}));
  expect(verdicts({})).toEqual(["allow", ...Array(5).fill("deny")]);
  expect(verdicts({ mode: "plan", allow: ["mcp_notes_add"] })).toEqual(["allow", "deny", "deny", "deny", "allow", "deny"]);
  expect(verdicts({ mode: "accept-edits", deny: ["Read"] })).toEqual(["deny", "allow", ...Array(4).fill("deny")]);
  expect(verdicts({ mode: "bypass", deny: ["Read"] })).toEqual(["deny", ...Array(4).fill(undefined), "deny"]);
});

it("a host that answers is asked about every tool that does not only read, and about no plan", () => {
  const tools = ["read_file", "write_file", "run_shell_command", "of_another_version", "exit_plan_mode"];
  const verdicts = (permissions: Permissions) => tools.map((tool) => decide(permissions, tool, {}, "ask_user"));
  for (const mode of ["default", "accept-edits"] as const)
    expect(verdicts({ mode })).toEqual(["allow", "ask_user", "ask_user", "ask_user", "deny"]);
  expect(verdicts({ tools: ["Read", "Bash"] })).toEqual(["allow", "deny", "ask_user", "deny", "deny"]);
});

it("entries that no rule can express are refused", () => {
  const refused = (permissions: Permissions): string => refuseGeminiPermissions({ prompt: "hi", permissions })?.message ?? "";
  expect(refused({ deny: ["Nope"] })).toContain('"Nope" is not a tool');
  expect(refused({ allow: ["exit_plan_mode"] })).toContain('"exit_plan_mode" is not a tool');
  expect(refused({ deny: ["exit_plan_mode"] })).toBe("");
  expect(refused({ allow: ["Read(x)"] })).toContain('"Read(x)"');
  expect(refused({ mode: "bypass", deny: ["Bash(rm *)"] })).toContain('"rm *"');
  expect(refused({ tools: ["Bash", "mcp_lab_echo"], allow: ["Bash(ls)"], deny: ["*"] })).toBe("");
});
