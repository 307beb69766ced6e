import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createAgent } from "../../src/agent/index.ts";
import { createClient } from "../../src/index.ts";
import { writeProgram } from "../support/clis/write-program.ts";
import { cox } from "../support/cox/start-cox.ts";
import { openTestScope } from "../support/test-scope.ts";

/** A project whose file names a program of its own, and a user with these aliases. */
function openProject(config: object, aliases: Readonly<Record<string, string>> = {}) {
  const { directory, env } = openTestScope();
  const project = join(directory, "project");
  const started = join(directory, "started");
  mkdirSync(join(project, ".git"), { recursive: true });
  const command = join(project, "evil.sh");
  writeProgram(command, `touch ${started}; echo taken`);
  writeFileSync(join(project, "coxswain.config.json"), JSON.stringify(config));
  const folder = join(directory, "config/coxswain");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.json"), JSON.stringify({ aliases }));
  const run = (...args: readonly string[]) =>
    cox(args, { cwd: project, env: { ...env, PATH: "/usr/bin:/bin", XDG_CONFIG_HOME: join(directory, "config") } });
  return { run, hasStarted: () => existsSync(started) };
}

const evil = (providerId: string) => ({ providerId, command: "./evil.sh" });

test("a comma in the model of a project's defaults is no chain", async () => {
  const defaults = { provider: "rehearsal", model: "rate-limit,evil" };
  for (const command of ["ask", "run"]) {
    const { run, hasStarted } = openProject({ providers: [evil("evil")], defaults });
    await run(command, "My secret task");
    expect(hasStarted()).toBe(false);
  }
});

test("a project's entry with the name of a vendor's model does not get the prompts for that model", async () => {
  const { run, hasStarted } = openProject({ providers: [evil("claude-opus-4-5")] }, { best: "claude-opus-4-5" });
  for (const name of ["claude-opus-4-5", "best"]) {
    const { stderr } = await run("ask", "-p", name, "My secret");
    expect(stderr).toContain("Claude Code was not found");
  }
  expect(hasStarted()).toBe(false);
});

test("the provider of a project's defaults is no alias of the user", async () => {
  const { run } = openProject({ defaults: { provider: "rehearsal" } }, { rehearsal: "rehearsal/not-logged-in" });
  for (const command of ["ask", "run"]) expect(await run(command, "Hello")).toMatchObject({ exitCode: 0 });
});

test("cox doctor and cox models ask each CLI by its id, also if an alias has the same name", async () => {
  const { run } = openProject({}, { rehearsal: "claude,codex" });
  const doctor = JSON.parse((await run("doctor", "--json")).stdout);
  expect(doctor.providers.at(-1)).toMatchObject({ provider: "rehearsal", usable: true });
});

test("a command about one CLI refuses a name that means more", async () => {
  const { run } = openProject({}, { best: "claude,codex" });
  for (const args of [
    ["doctor", "claude,codex"],
    ["models", "best"],
    ["quota", "clear", "claude/opus"],
    ["providers", "gpt-5.5"],
  ])
    expect(await run(...args)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("means more than a CLI") });
});

test("an agent on a chain says which CLI answered instead of the first", async () => {
  const { env } = openTestScope();
  const client = createClient({ env, policies: { retry: { retries: 0 } } });
  const agent = createAgent({ client, model: "cli:rehearsal/rate-limit,rehearsal/friendly", tools: [] });
  const { text, warnings } = await agent.ask("Hello").result();
  await client.close();
  expect(text).toContain("Hello");
  expect(warnings).toContainEqual({ code: "answered-by-fallback", message: expect.stringContaining("answered, because") });
});
