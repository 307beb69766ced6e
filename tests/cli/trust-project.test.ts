import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cox, installRehearsal, temporaryFolder } from "../support/cox/start-cox.ts";
import { startInTerminal } from "../support/cox/start-terminal.ts";

const QUESTION = "Trust this project?";
const CHOICE = "n or nothing = no, run without them; then Enter: ";

/** A project with hooks of Claude Code, and a `claude` that answers as the rehearsal CLI. */
function openProject() {
  const folder = temporaryFolder();
  const bin = installRehearsal(folder.path);
  const project = join(folder.path, "project");
  const env = { HOME: folder.path, XDG_STATE_HOME: join(folder.path, "state"), PATH: `${bin}:/usr/bin:/bin`, CI: "1" };
  const hook = (event: string): void => {
    mkdirSync(join(project, ".claude"), { recursive: true });
    writeFileSync(join(project, ".claude/settings.json"), JSON.stringify({ hooks: { [event]: [{}] } }));
  };
  hook("SessionStart");
  return {
    ...folder,
    hook,
    answers: join(folder.path, "state/coxswain/projects"),
    options: { cwd: project, env },
    /** Runs `cox` on a terminal; answers the question with each of these lines, and returns what was shown. */
    async run(typed: readonly string[], ...words: readonly string[]) {
      const started = startInTerminal([...words], { cwd: project, env });
      for (const [index, line] of typed.entries()) {
        await started.until((stdout) => stdout.split(CHOICE).length === index + 2);
        started.write(`${line}\n`);
      }
      return await started.ended;
    },
  };
}

const ASK = ["ask", "-p", "claude", "--agent", "--verbose", "hi"];
const isUntrusted = (shown: string): boolean => shown.includes("--setting-sources user");

describe.concurrent("a project that names programs, on a terminal", () => {
  test("is asked about once with the list; yes is remembered until the list changes or --no-trust-project forgets it", async () => {
    using project = openProject();
    const first = await project.run(["perhaps", "y"], ...ASK);
    expect(first.stdout).toMatch(
      /Trust this project\? Claude Code would start what it names:\r\n +\.claude\/settings\.json: hooks \(SessionStart\)\r\n/,
    );
    expect([isUntrusted(first.stdout), first.exitCode]).toEqual([false, 0]);
    const [file = ""] = readdirSync(project.answers);
    expect(statSync(join(project.answers, file)).mode & 0o777).toBe(0o600);
    const again = await project.run([], ...ASK);
    expect([again.stdout.includes(QUESTION), isUntrusted(again.stdout)]).toEqual([false, false]);
    project.hook("Stop");
    const changed = await project.run(["n"], ...ASK);
    expect([changed.stdout.includes("hooks (Stop)"), isUntrusted(changed.stdout)]).toEqual([true, true]);
    const refused = await project.run([], ...ASK);
    expect([refused.stdout.includes(QUESTION), isUntrusted(refused.stdout)]).toEqual([false, true]);
    const forgotten = await project.run([], ...ASK, "--no-trust-project");
    expect([forgotten.stdout.includes(QUESTION), isUntrusted(forgotten.stdout), readdirSync(project.answers)]).toEqual([
      false,
      true,
      [],
    ]);
  });

  test("is not trusted by Enter, and cox chat takes the answer of cox ask", async () => {
    using project = openProject();
    const { stdout } = await project.run([""], ...ASK);
    expect(isUntrusted(stdout)).toBe(true);
    rmSync(project.answers, { recursive: true });
    const chat = startInTerminal(["chat", "-p", "claude", "--agent"], project.options);
    await chat.until((shown) => shown.includes(CHOICE));
    chat.write("y\n");
    await chat.until((shown) => shown.includes("\u001b[?2004h"));
    chat.write("\u0004");
    await chat.ended;
    expect((await project.run([], ...ASK)).stdout).not.toContain(QUESTION);
  });

  test("is not asked about with --json, --trust-project or in a project without programs, and an answer does not hold for a pipe", async () => {
    using project = openProject();
    const json = await project.run([], "ask", "-p", "claude", "--agent", "--json", "hi");
    const trusted = await project.run([], ...ASK, "--trust-project");
    expect([json.stdout.includes(QUESTION), trusted.stdout.includes(QUESTION), isUntrusted(trusted.stdout)]).toEqual([
      false,
      false,
      false,
    ]);
    await project.run(["y"], ...ASK);
    const piped = await cox(ASK, project.options);
    expect([isUntrusted(piped.stderr), piped.stderr.includes(QUESTION)]).toEqual([true, false]);
    project.hook("x");
    writeFileSync(join(project.options.cwd, ".claude/settings.json"), "{}");
    expect((await project.run([], ...ASK)).stdout).not.toContain(QUESTION);
  });

  test("says that the answer holds for this run only if it cannot be stored", async () => {
    using project = openProject();
    mkdirSync(join(project.path, "state"));
    writeFileSync(join(project.path, "state/coxswain"), "");
    const { stdout } = await project.run(["y"], ...ASK);
    expect(stdout).toMatch(/The answer holds for this run only: \S+\s+is not a directory/);
  });
});
