import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { commandHook } from "./hook-program.ts";

const RULES = { isOpen: false, allowed: ["git *", 'say "it"', "npm run * -- * *"], denied: ["git push *"] };

/** A call is denied by the exit code; Qwen Code needs a text beside it. */
const DENIED = { status: 2, stdout: "", stderr: "The call is not allowed.\n" };

/** What the hook answers to this question on its stdin, as a CLI starts it. */
function ask(
  question: unknown,
  known?: RegExp,
  folder = process.env["PATH"] ?? "",
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const root = mkdtempSync(join(tmpdir(), "coxswain hook's "));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const { file, env, command } = commandHook(RULES, ["bash", "write_bash"], known);
  const path = join(root, file.name);
  writeFileSync(path, file.content);
  const input = typeof question === "string" ? question : JSON.stringify(question);
  const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", command], {
    env: { ...env, PATH: folder, COXSWAIN_COMMAND_HOOK: path },
    input,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

it.each([
  ["git status", "allow"],
  ['say "it"', "allow"],
  ["git push origin", "deny"],
  ["npm run a -- b c", "allow"],
  ["git log; touch y", "deny"],
  ["touch y", "deny"],
])("the command %j is answered with %s, in the forms of both CLIs", (command, decision) => {
  for (const question of [
    { tool_name: "bash", tool_input: { command } },
    { toolName: "bash", toolArgs: { command } },
    { toolName: "bash", toolArgs: JSON.stringify({ command }) },
  ]) {
    const { status, stdout, stderr } = ask(question);
    const answer = { permissionDecision: "allow", permissionDecisionReason: "The command is allowed." };
    if (decision === "deny") expect({ status, stdout, stderr }).toEqual(DENIED);
    else expect(JSON.parse(stdout)).toEqual({ ...answer, hookSpecificOutput: { hookEventName: "PreToolUse", ...answer } });
  }
});

it("a call of the shell without a command is denied, and nothing is said about other tools", () => {
  expect(ask({ toolName: "write_bash", toolArgs: { input: "git status" } })).toEqual(DENIED);
  expect(ask({ toolName: "view", toolArgs: { path: "x" } })).toEqual({ status: 0, stdout: "", stderr: "" });
});

it("a tool that is not among the known ones is denied", () => {
  const known = /^(?:view|.*-.*)$/;
  expect(ask({ toolName: "store_memory", toolArgs: {} }, known)).toEqual(DENIED);
  expect(ask({ toolArgs: {} }, known)).toEqual(DENIED);
  for (const toolName of ["view", "lab-echo"]) expect(ask({ toolName, toolArgs: {} }, known).status).toBe(0);
});

it("a question that cannot be read is denied by the exit code", () => {
  for (const question of ["no JSON", { toolName: "bash", toolArgs: null }]) {
    const { status, stdout, stderr } = ask(question);
    expect({ status, stdout, said: stderr.endsWith(DENIED.stderr) }).toEqual({ status: 2, stdout: "", said: true });
  }
});

it("a command of a megabyte is decided at once, however many stars a pattern has", () => {
  const command = `npm run ${"a -- b ".repeat(150_000)};`;
  expect(ask({ tool_name: "bash", tool_input: { command } })).toEqual(DENIED);
});

it("a program that is missing or killed denies", () => {
  const { command, env } = commandHook(RULES, ["bash"]);
  for (const node of [process.execPath, "/nowhere/node", "/bin/false"]) {
    const variables = { ...env, COXSWAIN_NODE: node, COXSWAIN_COMMAND_HOOK: "/nowhere/hook.cjs" };
    const { status, stderr } = spawnSync("sh", ["-c", command], { env: variables, encoding: "utf8" });
    expect({ status, said: stderr.endsWith(DENIED.stderr) }).toEqual({ status: 2, said: true });
  }
});

/** A folder with nothing but the program that a shell needs where the system has no `timeout`. */
function withoutTimeout(): string {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-hook-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync("/bin/sleep", join(folder, "sleep"));
  return folder;
}

it("a system without `timeout` gets the same answers", () => {
  const folder = withoutTimeout();
  const status = (command: string) => ask({ toolName: "bash", toolArgs: { command } }, undefined, folder);
  expect(status("git status")).toMatchObject({ status: 0, stdout: expect.stringContaining("allow"), stderr: "" });
  expect(status("touch y")).toEqual(DENIED);
});

it.each([process.env["PATH"] ?? "", withoutTimeout])("a program that does not answer is killed and denies (PATH %#)", (path) => {
  const { command, env } = commandHook(RULES, ["bash"]);
  const PATH = typeof path === "string" ? path : path();
  const silent = join(withoutTimeout(), "silent.sh");
  writeFileSync(silent, "kill -STOP $$\n");
  const variables = { ...env, PATH, COXSWAIN_NODE: "/bin/sh", COXSWAIN_COMMAND_HOOK: silent };
  const hurried = command.replace("KILL 30", "KILL 0.2").replace("sleep 30", "sleep 0.2");
  const before = performance.now();
  const { status, signal, stderr } = spawnSync("/bin/sh", ["-c", hurried], {
    env: variables,
    input: "{}",
    encoding: "utf8",
    timeout: 5_000,
  });
  expect({ status, signal, said: stderr.endsWith(DENIED.stderr) }).toEqual({ status: 2, signal: null, said: true });
  expect(performance.now() - before).toBeGreaterThan(190);
});
