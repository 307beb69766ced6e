import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { commandHook } from "./command-hook.ts";

const RULES = { isOpen: false, allowed: ["git *", 'say "it"'], denied: ["git push *"] };

/** What the hook answers to this question on its stdin, as a CLI starts it. */
function ask(question: unknown): { readonly status: number | null; readonly stdout: string } {
  const root = mkdtempSync(join(tmpdir(), "coxswain hook's "));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const { file, env, command } = commandHook(RULES, ["bash", "write_bash"]);
  const path = join(root, file.name);
  writeFileSync(path, file.content);
  const input = typeof question === "string" ? question : JSON.stringify(question);
  const { status, stdout } = spawnSync("sh", ["-c", command], {
    env: { ...env, COXSWAIN_COMMAND_HOOK: path },
    input,
    encoding: "utf8",
  });
  return { status, stdout };
}

it.each([
  ["git status", "allow"],
  ['say "it"', "allow"],
  ["git push origin", "deny"],
  ["git log; touch y", "deny"],
  ["touch y", "deny"],
])("the command %j is answered with %s, in the forms of both CLIs", (command, decision) => {
  for (const question of [
    { tool_name: "bash", tool_input: { command } },
    { toolName: "bash", toolArgs: { command } },
    { toolName: "bash", toolArgs: JSON.stringify({ command }) },
  ]) {
    const { status, stdout } = ask(question);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      permissionDecision: decision,
      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: decision },
    });
  }
});

it("a call of the shell without a command is denied, and nothing is said about other tools", () => {
  expect(JSON.parse(ask({ toolName: "write_bash", toolArgs: { input: "git status" } }).stdout)).toMatchObject({
    permissionDecision: "deny",
  });
  expect(ask({ toolName: "view", toolArgs: { path: "x" } })).toEqual({ status: 0, stdout: "" });
});

it("a question that cannot be read is denied by the exit code", () => {
  expect(ask("no JSON")).toEqual({ status: 2, stdout: "" });
  expect(ask({ toolName: "bash", toolArgs: null }).status).toBe(2);
});
