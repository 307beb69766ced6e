import { expect, it } from "vitest";
import type { Permissions } from "../spec/request.ts";
import { mayWrite } from "./prepare.ts";

const agent = (permissions: Permissions, answersPermissions = false): boolean =>
  mayWrite({ prompt: "", mode: "agent", permissions }, answersPermissions);

it("an agent that accepts edits, bypasses questions, or may use a tool that writes creates files for the user", () => {
  expect([agent({ mode: "accept-edits" }), agent({ mode: "bypass" })]).toEqual([true, true]);
  for (const entry of ["Bash(npm test *)", "Edit", "write_file", "run_shell_command", "shell(git:*)", "mcp__boats__paint"])
    expect([entry, agent({ mode: "dont-ask", allow: ["Read", entry] }), agent({ allow: [entry] })]).toEqual([entry, true, true]);
});

it("an agent whose host answers its questions may be allowed to write", () => {
  expect([agent({}, true), agent({ mode: "default" }, true)]).toEqual([true, true]);
  expect([agent({ mode: "plan" }, true), agent({ mode: "dont-ask" }, true)]).toEqual([false, false]);
});

it("an agent that only reads, and a completion, create no files for the user", () => {
  expect([agent({}), agent({ mode: "default" }), agent({ mode: "plan" }), agent({ mode: "dont-ask" })]).not.toContain(true);
  const allow = ["Read", "Read(src/**)", "Glob", "Grep", "LS", "WebFetch", "read_file", "list_directory", "view"];
  expect(agent({ mode: "dont-ask", allow })).toBe(false);
  expect(agent({ mode: "plan", allow: ["Bash"] })).toBe(false);
  expect(mayWrite({ prompt: "", permissions: { mode: "bypass" } }, true)).toBe(false);
});
