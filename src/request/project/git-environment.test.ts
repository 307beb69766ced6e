import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { PromptRequest } from "../../spec/request.ts";
import { gitEnvironment, gitGuardOf } from "./check-project.ts";

const root = mkdtempSync(join(tmpdir(), "git-environment-"));
const [home, marks, project] = [join(root, "home"), join(root, "marks"), join(root, "project")];
const NAMES = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b" };
const env = { PATH: process.env["PATH"] ?? "", HOME: home, GIT_CONFIG_NOSYSTEM: "1", ...NAMES };

/** A program that leaves a mark and then does what its place needs. */
function program(name: string, rest = ":"): string {
  const path = join(root, `run-${name}`);
  writeFileSync(path, `#!/bin/sh\ntouch '${join(marks, name)}'\n${rest}\n`);
  chmodSync(path, 0o755);
  return path;
}

function git(...args: readonly string[]): void {
  execFileSync("git", args, { cwd: project, env, stdio: "pipe" });
}

/** The commands leave the marks of these programs in a repository that names them. */
const COMMANDS: readonly (readonly [string, readonly string[]])[] = [
  ["git status", ["fsmonitor", "hook-post-index-change"]],
  ["git diff", ["diff", "driver"]],
  ["git diff --no-ext-diff", ["clean", "textconv"]],
  ["git log -p", ["textconv"]],
  ["git show HEAD~1", ["textconv"]],
  ["git commit -S --allow-empty -m x", ["gpg"]],
  ["git blame a.txt", ["textconv"]],
  ["git add c.dat", ["clean", "hook-post-index-change"]],
  ["git add d.gg", ["process"]],
  ["git archive HEAD", ["smudge"]],
  ["git commit --allow-empty -m x --trailer tt=1", ["hook-pre-commit", "trailer"]],
  ["git commit --allow-empty", ["editor"]],
  ["git evil", ["alias"]],
  ["git fetch ssh://localhost/x", ["ssh"]],
  ["git fetch git://localhost/x", ["proxy"]],
  ["git fetch 'ext::sh -c touch% MARKS/ext'", ["ext"]],
  ["git fetch local", ["uploadpack"]],
  ["printf 'protocol=https\\nhost=x\\n' | git credential fill", ["credential"]],
  ["git merge other", ["merge"]],
  ["git archive --format=evil HEAD", ["tar"]],
  ["script -qc 'git log' /dev/null", ["pager"]],
];

beforeAll(() => {
  for (const folder of [home, project]) mkdirSync(folder);
  git("init", "-q", "-b", "main");
  for (const name of ["a.txt", "b.bin", "c.dat", "m.mrg"]) writeFileSync(join(project, name), `${name}\n`);
  writeFileSync(
    join(project, ".gitattributes"),
    "*.txt diff=tc\n*.bin diff=ext\n*.dat filter=f\n*.gg filter=g=g\n*.mrg merge=mm\n",
  );
  const commit = (file: string, text: string): void => {
    writeFileSync(join(project, file), text);
    git("add", "-A");
    git("commit", "-qm", text);
  };
  commit("a.txt", "one\n");
  commit("a.txt", "two\n");
  git("checkout", "-qb", "other");
  commit("m.mrg", "theirs\n");
  git("checkout", "-q", "main");
  commit("m.mrg", "ours\n");
  for (const name of ["a.txt", "b.bin", "c.dat", "d.gg"]) writeFileSync(join(project, name), "changed\n");
  plantPrograms();
  cpSync(project, join(root, "pristine"), { recursive: true });
});
beforeEach(restore);
afterAll(() => rmSync(root, { recursive: true, force: true }));

function plantPrograms(): void {
  const settings: Readonly<Record<string, string>> = {
    "core.fsmonitor": program("fsmonitor"),
    "diff.external": program("diff"),
    "diff.ext.command": program("driver"),
    "diff.tc.textconv": program("textconv", 'cat "$1"'),
    "filter.f.clean": program("clean", "cat"),
    "filter.f.smudge": program("smudge", "cat"),
    "filter.g=g.process": program("process"),
    "merge.mm.driver": program("merge"),
    "core.pager": program("pager"),
    "pager.log": program("pager"),
    "gpg.program": program("gpg"),
    "core.sshCommand": program("ssh"),
    "core.gitProxy": program("proxy"),
    "core.editor": program("editor"),
    "alias.evil": `!${program("alias")}`,
    "credential.helper": `!${program("credential")}`,
    "trailer.tt.command": program("trailer"),
    "tar.evil.command": program("tar"),
    "protocol.ext.allow": "always",
    "remote.local.url": project,
    "remote.local.uploadpack": program("uploadpack"),
  };
  for (const [key, value] of Object.entries(settings)) git("config", key, value);
  for (const hook of ["post-index-change", "pre-commit"]) {
    const path = program(`hook-${hook}`);
    cpSync(path, join(project, ".git/hooks", hook));
  }
}

/** The marks that a command leaves with these variables besides those of the test. */
function started(command: string, added: Readonly<Record<string, string>>): readonly string[] {
  rmSync(marks, { recursive: true, force: true });
  mkdirSync(marks);
  const input = { cwd: project, env: { ...env, TERM: "dumb", GIT_TERMINAL_PROMPT: "0", ...added }, input: "", timeout: 20_000 };
  spawnSync("/bin/sh", ["-c", command.replace("MARKS", marks)], input);
  return readdirSync(marks).toSorted();
}

const agent = (request: Partial<PromptRequest> = {}): PromptRequest => ({ prompt: "x", mode: "agent", cwd: project, ...request });

it.each(COMMANDS)("%s starts no program that the repository names", (command, expected) => {
  expect(started(command, {})).toEqual(expect.arrayContaining([...expected]));
  restore();
  expect(started(command, gitEnvironment(agent(), env))).toEqual([]);
});

function restore(): void {
  rmSync(project, { recursive: true });
  cpSync(join(root, "pristine"), project, { recursive: true });
}

function output(
  command: string,
  added: Readonly<Record<string, string>>,
): { readonly code: number | null; readonly text: string } {
  const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", command], { cwd: project, env: { ...env, ...added } });
  return { code: status, text: `${stdout}${stderr}` };
}

it("git still shows changes, and fails where a filter would have changed a file", () => {
  const guarded = gitEnvironment(agent(), env);
  expect(output("git status --short", guarded)).toEqual({ code: 0, text: expect.stringContaining(" M a.txt") });
  expect(output("git diff a.txt b.bin", guarded)).toEqual({
    code: 0,
    text: expect.stringMatching(/-two\n\+changed[\s\S]*-b.bin\n\+changed/),
  });
  expect(output("git log -p -1 HEAD~1", guarded)).toEqual({ code: 0, text: expect.stringContaining("+two") });
  expect(output("git add c.dat", guarded)).toEqual({ code: 128, text: "fatal: c.dat: clean filter 'f' failed\n" });
});

it("the user's own programs stay, also for a driver that the repository names too", () => {
  const users = {
    "filter.f.clean": program("users-clean", "cat"),
    "core.hooksPath": join(home, "hooks"),
    "credential.helper": `!${program("users-helper")}`,
  };
  mkdirSync(join(home, "hooks"));
  cpSync(program("users-hook"), join(home, "hooks/post-index-change"));
  for (const [key, value] of Object.entries(users)) execFileSync("git", ["config", "--global", key, value], { env });
  const guarded = gitEnvironment(agent(), env);
  expect(started("git add c.dat", guarded)).toEqual(["users-clean", "users-hook"]);
  expect(started("printf 'protocol=https\\nhost=x\\n' | git credential fill", guarded)).toEqual(["users-helper"]);
  rmSync(join(home, ".gitconfig"));
});

it("settings of the caller stay in front, and a completion and a trusted project have none", () => {
  const before = { GIT_CONFIG_PARAMETERS: "'user.name=b'" };
  const { GIT_CONFIG_PARAMETERS: settings } = gitEnvironment(agent({ env: before }), env);
  expect(settings).toMatch(/^'user\.name=b' 'safe\.barerepository=explicit' 'core\.fsmonitor=false' /);
  expect(output("git config user.name; git config core.fsmonitor", gitEnvironment(agent({ env: before }), env)).text).toBe(
    "b\nfalse\n",
  );
  expect([gitEnvironment(agent({ trustProject: true }), env), gitEnvironment({ prompt: "x", cwd: project }, env)]).toEqual([
    {},
    {},
  ]);
});

it("a repository inside of a clone that has no working tree is not used, also with bypass", () => {
  git("init", "-q", "--bare", "inner");
  execFileSync("git", ["--git-dir=inner", "config", "core.fsmonitor", program("inner")], { cwd: project, env });
  for (const [key, value] of [
    ["core.bare", "false"],
    ["core.worktree", project],
  ] as const) {
    execFileSync("git", ["--git-dir=inner", "config", key, value], { cwd: project, env });
  }
  const bypass = gitEnvironment(agent({ permissions: { mode: "bypass" } }), env);
  expect([started("cd inner && git status", {}), started("cd inner && git status", bypass)]).toEqual([["inner"], []]);
  expect(started("git status", bypass)).toEqual(["fsmonitor", "hook-post-index-change"]);
  const reading = gitEnvironment(agent({ permissions: { mode: "bypass", deny: ["Write", "Edit", "Bash"] } }), env);
  expect(started("git status", reading)).toEqual([]);
  expect(output("git log --oneline", gitEnvironment(agent({ cwd: join(project, "inner") }), env)).code).toBe(0);
});

it("a driver of a worktree, an included file and an additional directory is found", () => {
  writeFileSync(join(project, "included"), `[filter "i"]\nclean = ${program("included")}\n`);
  git("config", "include.path", "../included");
  git("worktree", "add", "-q", "-f", join(root, "worktree"), "other");
  const other = join(root, "other");
  mkdirSync(join(other, ".git"), { recursive: true });
  writeFileSync(join(other, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(other, ".git/config"), '[merge "o"]\ndriver = x\n');
  const place = agent({ cwd: join(root, "worktree"), addDirs: [other] });
  const { GIT_CONFIG_PARAMETERS: settings = "" } = gitEnvironment(place, env);
  expect(settings).toContain("'filter.i.clean='");
  expect(settings).toContain("'merge.o.driver=git merge-file");
});

it("lists what is off, and cannot judge a file that is no file, a name that is no text, and too many names", () => {
  expect(gitGuardOf(agent(), env)?.lines).toEqual([
    ".git/config: core.fsmonitor, core.pager, core.sshcommand, core.gitproxy, core.editor, diff.external, diff.ext.command, diff.tc.textconv and 12 more",
    ".git/hooks: post-index-change, pre-commit",
  ]);
  const problemOf = (config: string | Buffer): string | undefined => {
    writeFileSync(join(project, ".git/config"), config);
    return gitGuardOf(agent(), env)?.problem;
  };
  expect(problemOf("[include]\npath = /dev/zero")).toBe("/dev/zero cannot be read");
  expect(problemOf(Buffer.from('[filter "\xff"]\nclean = x', "latin1"))).toBe("filter.\uFFFD.clean is no valid text");
  const many = Array.from({ length: 5000 }, (_, index) => `[filter "name-${index}"]\nclean = x`).join("\n");
  expect(problemOf(many)).toBe("it names too many programs");
  expect(problemOf("[core]\nbare = false")).toBeUndefined();
});

it("a driver of a repository inside of the project is off for a request with patterns", () => {
  const inner = join(project, "vendor/inner");
  cpSync(join(root, "pristine"), inner, { recursive: true });
  execFileSync("git", ["config", "diff.tc.textconv", ""], { cwd: project, env });
  execFileSync("git", ["config", "diff.new.textconv", program("inner-textconv", 'cat "$1"')], { cwd: inner, env });
  writeFileSync(join(inner, ".gitattributes"), "*.txt diff=new\n");
  const guarded = gitEnvironment(agent({ permissions: { allow: ["Bash(git diff *)"] } }), env);
  const command = "cd vendor/inner && git diff --no-ext-diff a.txt";
  expect([started(command, {}), started(command, guarded)]).toEqual([["fsmonitor", "inner-textconv"], []]);
});
