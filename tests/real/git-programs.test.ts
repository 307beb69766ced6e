import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { PermissionMode } from "../../src/spec/request.ts";
import { agentTargetOf, shellCalls } from "../support/real-clis/agent-request.ts";
import type { RealCli } from "../support/real-clis/real-cli.ts";
import type { CliName } from "../support/real-clis/rows/cli-row.ts";
import { openRealCli } from "./open-real-cli.ts";

/** Programs of git start in parallel to the answer; a test waits this long for their marks. */
const START_GRACE_MS = 500;
const COMMANDS = ["git status", "git diff", "git diff note.txt", "git log -p", "git blame note.txt"];

/** Codex has a sandbox instead of patterns; in this mode its commands may write in the workspace, so they could leave marks. */
const MODES: readonly { readonly name: CliName; readonly mode: PermissionMode; readonly patterns: boolean }[] = [
  { name: "claude", mode: "dont-ask", patterns: true },
  { name: "qwen", mode: "dont-ask", patterns: true },
  { name: "gemini", mode: "dont-ask", patterns: true },
  { name: "copilot", mode: "dont-ask", patterns: true },
  { name: "codex", mode: "accept-edits", patterns: false },
];

describe.each(MODES)("a repository that names programs and $name", ({ name, mode, patterns }) => {
  it("starts none of them, and shows what git prints", async () => {
    const cli = await openRealCli(name, shellCalls(name, ...COMMANDS));
    const marks = plantRepository(cli);
    const allow = patterns ? { allow: COMMANDS.map((command) => `Bash(${command})`) } : {};
    const request = { prompt: "Look.", mode: "agent", cwd: cli.workspace, permissions: { mode, ...allow } } as const;
    const result = await cli.client.run(agentTargetOf(name), request).outcome();
    await sleep(START_GRACE_MS);
    expect([result.failure, readdirSync(marks, { recursive: true })]).toEqual([undefined, ["hooks"]]);
    const printed = JSON.stringify(result.toolCalls.map((call) => call.output));
    for (const text of ["On branch main", "clean filter 'planted' failed", "+another line", "first commit"])
      expect(printed).toContain(text);
    expect(result.warnings.find(({ code }) => code === "project-not-trusted")?.message).toContain(".git/config: core.fsmonitor");
  });
});

/** Makes the workspace a repository whose configuration names programs, each of which leaves a mark. */
function plantRepository({ workspace, env }: RealCli): string {
  const marks = join(workspace, "marks");
  const git = (...args: readonly string[]): void => {
    const names = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b" };
    execFileSync("git", args, { cwd: workspace, env: { ...env, ...names }, stdio: "pipe" });
  };
  const program = (label: string): string => {
    const path = join(workspace, ".git", label);
    writeFileSync(path, `#!/bin/sh\ntouch '${join(marks, label)}'\ncat "\${1:-/dev/stdin}" 2>/dev/null\n`);
    chmodSync(path, 0o755);
    return path;
  };
  git("init", "-q", "-b", "main");
  writeFileSync(join(workspace, "note.txt"), "a line\n");
  writeFileSync(join(workspace, ".gitattributes"), "*.txt diff=planted\n*.json filter=planted\n");
  git("add", "-A");
  git("commit", "-qm", "first commit");
  // Git needs no filter for the status of a file of another size.
  for (const name of ["note.txt", "package.json"]) writeFileSync(join(workspace, name), "another line\n");
  mkdirSync(join(marks, "hooks"), { recursive: true });
  mkdirSync(join(workspace, ".git/hooks"), { recursive: true });
  for (const hook of ["post-index-change", "reference-transaction"]) program(`hooks/${hook}`);
  git("config", "core.fsmonitor", program("fsmonitor"));
  git("config", "diff.planted.textconv", program("textconv"));
  git("config", "diff.external", program("diff"));
  git("config", "filter.planted.clean", program("clean"));
  git("config", "core.pager", program("pager"));
  return marks;
}
