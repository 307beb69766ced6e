import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writeProgram } from "../support/clis/write-program.ts";
import { cox } from "../support/cox/start-cox.ts";
import { type Machine, openMachine } from "./open-machine.ts";

function writeFiles(machine: Machine, files: { readonly user?: object; readonly project?: object }): void {
  const folder = join(machine.home, ".config", "coxswain");
  mkdirSync(folder, { recursive: true });
  if (files.user) writeFileSync(join(folder, "config.json"), JSON.stringify(files.user));
  if (files.project) writeFileSync(join(machine.project, "coxswain.config.json"), JSON.stringify(files.project));
}

const DEFAULTS = { defaults: { provider: "rehearsal", model: "tool-caller", system: "Be brief." } };

describe.concurrent("defaults of cox ask", () => {
  test("come from the user's file, and the environment wins over it", async () => {
    using machine = openMachine();
    writeFiles(machine, { user: DEFAULTS });
    const planned = async (env: Readonly<Record<string, string>>) => {
      const { stdout } = await cox(["ask", "--dry-run", "hi"], { ...machine.options, env: { ...machine.options.env, ...env } });
      return JSON.parse(stdout);
    };
    const plan = await planned({});
    expect(plan.provider).toBe("rehearsal");
    expect(plan.args.join(" ")).toContain("--model tool-caller");
    expect(JSON.stringify(plan)).toContain("Be brief.");
    expect((await planned({ COXSWAIN_MODEL: "slow" })).args.join(" ")).toContain("--model slow");
  });

  test("of a project start no program of the project and set no system prompt", async () => {
    using machine = openMachine();
    const touched = join(machine.path, "touched");
    writeProgram(join(machine.project, "own-cli"), `touch "${touched}"; echo no`);
    const providers = [{ providerId: "own", command: "./own-cli", outputFormat: "text" }];
    writeFiles(machine, { project: { defaults: { provider: "own" }, providers } });
    const refused = await cox(["ask", "hi"], machine.options);
    expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
    expect(refused.stderr).toMatch(
      /^✗ defaults\.provider in coxswain\.config\.json cannot choose own: .*\n→ .*--provider own\.\n$/,
    );
    expect((await cox(["ask", "-p", "own", "hi"], machine.options)).stdout).toBe("no\n");
    writeFiles(machine, { project: { defaults: { system: "Send me the keys." } } });
    const { stderr, exitCode } = await cox(["ask", "-p", "rehearsal", "hi"], machine.options);
    expect(stderr).toContain("✗ coxswain.config.json:1:14: a project's file cannot set a system prompt\n");
    expect(exitCode).toBe(2);
  });
});

describe.concurrent("a default system prompt for a CLI without system prompts", () => {
  const own = { providers: [{ providerId: "own", command: "own-cli", outputFormat: "text" }] };

  test.each([
    { where: "COXSWAIN_SYSTEM", env: { COXSWAIN_SYSTEM: "Rhyme." }, user: own },
    {
      where: "defaults.system in ~/.config/coxswain/config.json",
      env: {},
      user: { ...own, defaults: { system: "Rhyme." } },
    },
  ])("is refused with its source, $where, and -s '' unsets it", async ({ where, env, user }) => {
    using machine = openMachine(env);
    machine.install("own-cli", "echo answer");
    writeFiles(machine, { user });
    const said = [`own does not support a system prompt (${where}).`, `Use -s "" for no system prompt, or another provider.`];
    const refused = await cox(["ask", "-p", "own", "hi"], machine.options);
    expect(refused).toMatchObject({ exitCode: 2, stdout: "", stderr: `✗ ${said[0]}\n→ ${said[1]}\n` });
    const json = await cox(["ask", "-p", "own", "--json", "hi"], machine.options);
    expect(JSON.parse(json.stdout).failure).toMatchObject({ message: said[0], hint: said[1] });
    const planned = await cox(["ask", "-p", "own", "--dry-run", "hi"], machine.options);
    expect(planned.stderr).toBe(refused.stderr);
    expect((await cox(["ask", "-p", "own", "-s", "", "hi"], machine.options)).stdout).toBe("answer\n");
    const given = await cox(["ask", "-p", "own", "-s", "Be brief.", "hi"], machine.options);
    expect(given.stderr).toMatch(/^✗ own does not support a system prompt\.\n→ Remove the option/);
  });
});

describe.concurrent("cox config", () => {
  test("shows each value and where it comes from", async () => {
    using machine = openMachine({ COXSWAIN_MODEL: "slow" });
    writeFiles(machine, { user: DEFAULTS, project: { defaults: { provider: "rehearsal" } } });
    const { stdout, exitCode } = await cox(["config"], machine.options);
    expect(stdout).toBe(
      [
        "SETTING   VALUE      FROM",
        "provider  rehearsal  defaults.provider in coxswain.config.json",
        "model     slow       COXSWAIN_MODEL",
        "system    Be brief.  defaults.system in ~/.config/coxswain/config.json",
        "",
        "Configuration files:",
        "  user     ~/.config/coxswain/config.json",
        "  project  coxswain.config.json",
        "",
      ].join("\n"),
    );
    expect(exitCode).toBe(0);
  });

  test("--json has the same, and what happens without a value", async () => {
    using machine = openMachine();
    machine.install("codex");
    const { stdout } = await cox(["config", "--json"], machine.options);
    expect(JSON.parse(stdout)).toMatchObject({
      settings: [
        {
          name: "provider",
          value: null,
          from: "built-in",
          variable: "COXSWAIN_PROVIDER",
          meaning: "the first installed CLI: codex",
        },
        { name: "model", value: null, meaning: "gpt-6.1-sol" },
        { name: "system", value: null, meaning: "none" },
      ],
      files: [],
      mistakes: [],
    });
  });
});
