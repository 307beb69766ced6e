import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writeProgram } from "../support/clis/write-program.ts";
import { cox, processesWith, startCox } from "../support/cox/start-cox.ts";
import { canMountDisk, NO_PROC } from "../support/processes/on-disk.ts";
import pins from "../support/real-clis/pinned-clis.json" with { type: "json" };
import { openMachine, VERSION } from "./open-machine.ts";

describe.concurrent("cox doctor", () => {
  test("shows each CLI with version and login, each problem with its fix command, and the missing CLIs", async () => {
    using machine = openMachine();
    machine.install("claude");
    machine.install("codex");
    const { stdout, stderr, exitCode } = await machine.doctor();
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    expect(stdout).toMatch(/^PROVIDER +STATE +VERSION +LOGIN\n/);
    expect(stdout).toMatch(/\nclaude +✓ ready +2\.1\.197 +yes\n/);
    expect(stdout).toMatch(/\ncodex +✗ trouble +2\.1\.197 +no\n/);
    expect(stdout).toMatch(/\ngemini +not installed +– +–\n/);
    expect(stdout).toContain("\n✗ codex: Codex is not logged in.\n  Log in once; the CLI stores the login.\n  $ codex login\n");
    expect(stdout).toMatch(/\nTo install the missing CLIs:\n(?: {2}.*\n)* {2}gemini +npm install -g @google\/gemini-cli\n/);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    expect(stdout).not.toMatch(/[ \t]\n/);
  });

  test("does not show a CLI that was never set up as trouble, unless it is named", async () => {
    using machine = openMachine();
    machine.install("claude");
    const { stdout } = await machine.doctor();
    expect(stdout).toMatch(/\nglm +not set up +2\.1\.197 +no\n/);
    expect(stdout).not.toMatch(/trouble|glm: /);
    expect((await machine.doctor("glm")).stdout).toMatch(/\nglm +✗ trouble .*\n\n✗ glm: GLM needs an API key/);
  });

  test("warns of a newer CLI and of a key that takes precedence over the login; the CLI is still usable", async () => {
    using machine = openMachine({ VERSION_SAID: "9.0.0 (Claude Code)", ANTHROPIC_API_KEY: "sk-ant-test-1234567890" });
    machine.install("claude");
    const { stdout, exitCode } = await machine.doctor("claude");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/\nclaude +! ready +9\.0\.0 +yes\n/);
    const { oldest, version } = pins.claude;
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      `! claude: Claude Code 9.0.0 is newer than the checked versions (${oldest} to ${version}).`,
    );
    expect(stdout).toContain(`$ npm install -g @anthropic-ai/claude-code@${version}\n`);
    expect(stdout).toContain("! claude: ANTHROPIC_API_KEY is set: Claude Code uses that key instead of your");
    expect(stdout).toContain("$ unset ANTHROPIC_API_KEY\n");
    expect(stdout).not.toContain("sk-ant");
  });

  test("warns of relative entries of PATH, in which it finds no program", async () => {
    using machine = openMachine();
    writeProgram(join(machine.project, "claude"), VERSION);
    const env = { ...machine.options.env, PATH: ".:tools:/usr/bin:/bin" };
    const { stdout } = await cox(["doctor", "claude"], { ...machine.options, env });
    expect(stdout).toMatch(/\nclaude +not installed/);
    expect(stdout).toContain('\n! The relative entries ".", "tools" of PATH are not searched.\n');
    const { stdout: json } = await cox(["doctor", "--json", "claude"], { ...machine.options, env });
    expect(JSON.parse(json)).toMatchObject({
      warnings: [{ code: "path-relative" }],
      providers: [{ failures: [{ code: "cli-missing", hint: expect.stringContaining("not searched") }] }],
    });
  });

  test("warns of a system whose processes cannot be listed", async () => {
    if (!canMountDisk()) return;
    const { stdout } = await cox(["doctor", "rehearsal"], { disk: NO_PROC });
    expect(stdout).toContain("\n! The processes of this system cannot be listed.\n");
    const { stdout: json } = await cox(["doctor", "--json", "rehearsal"], { disk: NO_PROC });
    expect(JSON.parse(json)).toMatchObject({ usable: ["rehearsal"], warnings: [{ code: "processes-hidden" }] });
    expect((await cox(["doctor", "rehearsal"])).stdout).not.toContain("listed");
  });

  test("exits with 1 when none is usable; the rehearsal CLI counts only by name", async () => {
    using machine = openMachine();
    expect((await machine.doctor()).exitCode).toBe(1);
    expect((await machine.doctor("codex", "claude")).exitCode).toBe(1);
    expect((await machine.doctor("claude", "rehearsal")).exitCode).toBe(0);
  });

  test("--deep asks for a tiny answer", async () => {
    using machine = openMachine();
    const { stdout, exitCode } = await machine.doctor("rehearsal", "--deep");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^PROVIDER +STATE +VERSION +LOGIN +ANSWERED\nrehearsal +✓ ready +\S+ +not needed +in \d/);
  });

  test("--json gives the reports as data", async () => {
    using machine = openMachine();
    machine.install("claude");
    const { stdout } = await machine.doctor("claude", "codex", "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      usable: ["claude"],
      keptWarm: ["claude"],
      providers: [
        {
          provider: "claude",
          usable: true,
          version: "2.1.197",
          login: { state: "logged-in", by: "command" },
          command: join(machine.bin, "claude"),
        },
        { provider: "codex", usable: false, failures: [{ code: "cli-missing", fixCommand: "npm install -g @openai/codex" }] },
      ],
      config: [],
    });
  });

  test("an unknown provider is a usage error", async () => {
    using machine = openMachine();
    expect(await machine.doctor("nobody")).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: expect.stringContaining('There is no provider or model "nobody"'),
    });
  });

  test("looks at all CLIs side by side: three that wait for each other all end", async () => {
    using machine = openMachine();
    const names = ["claude", "codex", "gemini"];
    const wait = names.map((name) => `while [ ! -e "${machine.path}/${name}" ]; do sleep 0.05; done`).join("\n");
    for (const name of names)
      machine.install(name, `[ "$1" = --version ] || exit 0\ntouch "${machine.path}/${name}"\n${wait}\necho 1.0.0`);
    const { stdout } = await machine.doctor();
    expect(stdout.match(/^(?:claude|codex|gemini) .* 1\.0\.0 /gm)).toHaveLength(3);
  });

  test("starts a program that several CLIs have in common once for its version, and the rehearsal CLI not at all", async () => {
    const note = 'require("node:fs").appendFileSync(process.env.NOTES, process.argv.slice(1).join(" ") + "\\n")';
    using machine = openMachine();
    writeFileSync(join(machine.path, "note.cjs"), note);
    const notes = join(machine.path, "notes");
    for (const name of ["claude", "grok"]) machine.install(name, `echo "${name} $1" >> "$NOTES"; echo "${name} 1.0.41"`);
    const env = { ...machine.options.env, NOTES: notes, NODE_OPTIONS: `--require ${join(machine.path, "note.cjs")}` };
    const { stdout } = await cox(["doctor"], { ...machine.options, env });
    expect(stdout.match(/^(?:claude|glm|grok) .* 1\.0\.41 /gm)).toHaveLength(3);
    expect(stdout).toMatch(/\nrehearsal +✓ ready +\d/);
    const started = readFileSync(notes, "utf8").split("\n");
    expect(started.filter((line) => line.endsWith("--version")).toSorted()).toEqual(["claude --version", "grok --version"]);
    expect(started.filter((line) => line.includes("cox.js"))).toHaveLength(1);
  });

  test("Ctrl-C ends it and leaves nothing running", async () => {
    const mark = randomUUID();
    using machine = openMachine({ COX_TEST: mark });
    machine.install("claude", `echo started >> "${machine.path}/started"; exec sleep 60`);
    const started = startCox(["doctor", "claude"], machine.options);
    while (!existsSync(join(machine.path, "started"))) await new Promise((resolve) => setTimeout(resolve, 20));
    started.child.kill("SIGINT");
    expect((await started.ended).exitCode).toBe(130);
    expect(processesWith(`COX_TEST=${mark}`, "COXSWAIN_RUN=")).toEqual([]);
  });
});

describe.concurrent("CLIs of configuration files", () => {
  const file = (command: string, id = "own") =>
    JSON.stringify({ providers: [{ providerId: id, command, outputFormat: "text" }] });

  test("a CLI of a project is not started unless it is named, and doctor prints the file that defines it", async () => {
    using machine = openMachine();
    const touched = join(machine.path, "touched");
    writeProgram(join(machine.project, "own-cli"), `touch "${touched}"; echo 1.0.0`);
    writeFileSync(join(machine.project, "coxswain.config.json"), file("./own-cli"));
    const all = await machine.doctor();
    expect(all.stdout).toContain("– own comes from coxswain.config.json and was not started.");
    expect((await cox(["ask", "hi"], machine.options)).stderr).toContain("No supported AI CLI is installed");
    expect((await cox(["providers"], machine.options)).stdout).toMatch(/\nown +own /);
    expect(existsSync(touched)).toBe(false);
    expect((await machine.doctor("own")).stdout).toMatch(/\nown +\? login unknown +1\.0\.0 +unknown +coxswain\.config\.json\n/);
    expect(existsSync(touched)).toBe(true);
  });

  test("a CLI that is not on PATH is shown with what was searched for, as by cox ask", async () => {
    using machine = openMachine();
    writeFileSync(join(machine.project, "coxswain.config.json"), file("own-cli"));
    const { stdout, exitCode } = await machine.doctor("own");
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /\nown +not installed +– +– +coxswain\.config\.json\n\n! own: own was not found \(searched for own-cli on PATH\)\.\n {2}\S.*\n\n/,
    );
    const asked = await cox(["ask", "-p", "own", "hi"], machine.options);
    expect(asked.stderr).toContain("own was not found (searched for own-cli on PATH).");
  });

  test("the user's own are used, and win over the project's of the same name", async () => {
    using machine = openMachine();
    machine.install("mine", "echo mine");
    machine.install("theirs", "echo theirs");
    mkdirSync(join(machine.home, ".config", "coxswain"), { recursive: true });
    writeFileSync(join(machine.home, ".config", "coxswain", "config.json"), file("mine"));
    writeFileSync(join(machine.project, "coxswain.config.json"), file("theirs"));
    expect(await cox(["ask", "hi"], machine.options)).toMatchObject({ stdout: "mine\n", exitCode: 0 });
    expect((await cox(["ask", "--config", "coxswain.config.json", "--provider", "own", "hi"], machine.options)).stdout).toBe(
      "theirs\n",
    );
    expect((await cox(["ask", "--no-config", "--provider", "own", "hi"], machine.options)).exitCode).toBe(2);
  });

  test("a mistake is a usage error with its position, and doctor continues with the rest", async () => {
    using machine = openMachine();
    writeFileSync(
      join(machine.project, "coxswain.config.json"),
      '{\n  "providers": [{ "providerId": "own", "comand": "x" }]\n}\n',
    );
    const asked = await cox(["ask", "--provider", "rehearsal", "hi"], machine.options);
    expect(asked).toMatchObject({ exitCode: 2, stdout: "" });
    expect(asked.stderr).toBe(
      '✗ coxswain.config.json:2:17: providers[0] lacks "command" (and 1 more; cox doctor shows all)\n→ Correct the file, or ignore it with --no-config.\n',
    );
    const { stdout, exitCode } = await machine.doctor("rehearsal");
    expect(exitCode).toBe(0);
    expect(stdout).toContain('✗ coxswain.config.json:2:40: there is no "comand" in providers[0]; did you mean');
    expect((await cox(["ask", "--no-config", "--provider", "rehearsal", "hi"], machine.options)).exitCode).toBe(0);
  });

  test("a built-in CLI cannot be replaced", async () => {
    using machine = openMachine();
    writeFileSync(join(machine.project, "coxswain.config.json"), file("./evil", "claude"));
    expect((await cox(["ask", "hi"], machine.options)).stderr).toContain('"claude" is the id of another provider');
  });
});

describe.concurrent("cox providers", () => {
  test("of one CLI shows everything, with its limitations", async () => {
    using machine = openMachine();
    const { stdout, exitCode } = await cox(["providers", "gemini"], machine.options);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Gemini \(gemini\)\n {2}program +not found\n/);
    expect(stdout).toMatch(/\nLimitations\n(?: {2}- .*\n(?: {4}.*\n)*)+$/);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  test("--json has the limitations of all", async () => {
    using machine = openMachine();
    const listed = JSON.parse((await cox(["providers", "--json"], machine.options)).stdout);
    const gemini = listed.find(({ id }: { id: string }) => id === "gemini");
    expect(gemini.limitations.length).toBeGreaterThan(2);
    expect(JSON.parse((await cox(["providers", "gemini", "--json"], machine.options)).stdout)).toEqual(gemini);
  });
});
