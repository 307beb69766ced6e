import { chmodSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { claude } from "../../src/clis/claude/provider.ts";
import { openMachine, parrot, parrotScript } from "./health-cli.ts";

describe("the program", () => {
  test("R130 a command on PATH is found, and its path is reported", async () => {
    const { client, install } = openMachine([parrot]);
    const command = install("parrot-cli", parrotScript("1.2.0", true));
    expect(await client.check("parrot")).toMatchObject({
      provider: "parrot",
      label: "Parrot",
      usable: true,
      command,
      failures: [],
      warnings: [],
    });
  });

  test("R131 --version succeeds, and the version is reported", async () => {
    const { client, install } = openMachine([parrot]);
    install("parrot-cli", parrotScript("Parrot CLI 1.0.3.", true));
    expect(await client.check("parrot")).toMatchObject({ usable: true, version: "1.0.3" });
  });

  test.for([
    [
      "ends with an exit code",
      "echo 1.2.0; echo 'cannot find module x' >&2; exit 3",
      "ended with exit code 3: cannot find module x",
    ],
    ["is ended by a signal", "kill -KILL $$", "was ended by SIGKILL"],
  ])("R131 a program that %s when it is asked for its version is unhealthy", async ([, script = "", how = ""]) => {
    const { client, install } = openMachine([parrot]);
    const command = install("parrot-cli", script);
    const { usable, failures } = await client.check("parrot");
    expect({ usable, failures }).toMatchObject({
      usable: false,
      failures: [{ category: "configuration", fixCommand: parrot.install }],
    });
    expect(failures[0]?.message).toBe(`Parrot did not print its version: ${command} ${how}`);
  });

  test("R131 a program that never prints its version is unhealthy after the timeout, and is ended", async () => {
    const { client, install, bin } = openMachine([parrot]);
    install("parrot-cli", 'echo $$ >> "$0.pids"; exec sleep 60');
    const { usable, failures, durationMs } = await client.check("parrot", { timeoutMs: 300 });
    expect({ usable, failures }).toMatchObject({ usable: false, failures: [{ category: "timeout" }] });
    expect(durationMs).toBeLessThan(20_000);
    await client.close();
    for (const pid of readFileSync(join(bin, "parrot-cli.pids"), "utf8").trim().split("\n"))
      expect(isAlive(Number(pid))).toBe(false);
  });

  test("R131 providers that have one program learn its version from one start, and from another when they are asked again", async () => {
    const { client, install, bin } = openMachine([parrot, { ...parrot, id: "cockatoo" }]);
    const say = (version: string): string => install("parrot-cli", `echo $1 >> "$0.asked"; ${parrotScript(version, true)}`);
    const versions = async (): Promise<unknown> =>
      (await Promise.all(["parrot", "cockatoo"].map((id) => client.check(id)))).map(({ version }) => version);
    say("1.0.0");
    expect(await versions()).toEqual(["1.0.0", "1.0.0"]);
    say("1.2.0");
    expect(await versions()).toEqual(["1.2.0", "1.2.0"]);
    expect(readFileSync(join(bin, "parrot-cli.asked"), "utf8").match(/--version/g)).toHaveLength(2);
  });

  test("R133 R144 a missing command is unhealthy, named in the details, with what to install", async () => {
    const { client } = openMachine([parrot]);
    const { usable, failures, login } = await client.check("parrot", { deep: true });
    expect({ usable, login }).toEqual({ usable: false, login: { state: "unknown", keys: [] } });
    expect(failures).toMatchObject([
      {
        code: "cli-missing",
        message: "Parrot was not found (searched for parrot-cli on PATH).",
        fixCommand: "npm install -g parrot-cli",
      },
    ]);
  });

  test("R133 a check never rejects: neither for an unknown provider nor for one that breaks", async () => {
    const broken = {
      ...parrot,
      id: "broken",
      get versionPattern(): RegExp {
        throw new Error("no pattern");
      },
    };
    const { client, install } = openMachine([parrot, broken]);
    const command = install("parrot-cli", parrotScript("1.2.0", true));
    expect(await client.check("nobody")).toMatchObject({ usable: false, failures: [{ code: "provider-unknown" }] });
    expect(await client.check("broken")).toMatchObject({
      usable: false,
      failures: [{ message: "The check failed with an internal error: no pattern" }],
    });
    chmodSync(command, 0o644);
    expect(await client.check("parrot")).toMatchObject({ usable: false, failures: [{ code: "cli-not-executable" }] });
  });
});

describe("the login", () => {
  test("R132 a simple completion is made on request only, and its answer is reported", async () => {
    const { client, install } = openMachine([parrot]);
    install("parrot-cli", parrotScript("1.2.0", true));
    expect(await client.check("parrot")).not.toHaveProperty("deep");
    expect(await client.check("parrot", { deep: true })).toMatchObject({ usable: true, deep: { answered: true, text: "ready" } });
  });

  test("R132 a completion that fails makes the CLI unhealthy with the reason", async () => {
    const { client, install } = openMachine([parrot]);
    install(
      "parrot-cli",
      `case "$1" in --version) echo 1.2.0 ;; auth) exit 0 ;; *) echo "API Error: 500 oops" >&2; exit 1 ;; esac`,
    );
    const report = await client.check("parrot", { deep: true });
    expect(report).toMatchObject({ usable: false, deep: { answered: false }, failures: [{ code: "server-error" }] });
  });

  test("R132 a CLI for which the simplest request is refused is not started, and the reason is reported", async () => {
    const keyless = {
      ...parrot,
      refuse: () => ({ code: "not-logged-in", message: "A key is needed.", hint: "Set one." }) as const,
    };
    const modelless = {
      ...parrot,
      id: "modelless",
      refuse: () => ({ code: "model-unknown", message: "Name a model." }) as const,
    };
    const { client, install } = openMachine([keyless, modelless]);
    install("parrot-cli", parrotScript("1.2.0", true));
    const report = await client.check("parrot", { deep: true });
    expect(report).toMatchObject({
      usable: false,
      login: { state: "logged-out" },
      failures: [{ message: "A key is needed.", hint: "Set one." }],
    });
    expect(report).not.toHaveProperty("deep");
    expect(await client.check("modelless")).toMatchObject({
      usable: true,
      warnings: [{ code: "model-needed", message: "Name a model." }],
    });
    expect(await client.check("modelless/m")).toMatchObject({ usable: false, failures: [{ code: "model-unknown" }] });
  });

  test("R132 a CLI without a login gets no completion", async () => {
    const { client, install } = openMachine([parrot]);
    install("parrot-cli", parrotScript("1.2.0", false));
    const report = await client.check("parrot", { deep: true });
    expect(report).toMatchObject({
      usable: false,
      login: { state: "logged-out", by: "command" },
      failures: [{ code: "not-logged-in", fixCommand: "parrot-cli login" }],
    });
    expect(report).not.toHaveProperty("deep");
  });

  test("R141 the CLI's own word is asked for without API keys, so that it speaks of the login", async () => {
    const { client, install, bin, home } = openMachine([parrot], { ANTHROPIC_API_KEY: "sk-ant-test-1234567890", KEPT: "yes" });
    install("parrot-cli", parrotScript("1.2.0", true));
    const { warnings, login } = await client.check("parrot");
    const seen = readFileSync(join(bin, "parrot-cli.env"), "utf8");
    expect(seen).not.toContain("ANTHROPIC_API_KEY");
    expect(seen).toContain("KEPT=yes");
    expect(seen).toContain(`HOME=${home}`);
    expect(login).toEqual({ state: "logged-in", by: "command", keys: ["ANTHROPIC_API_KEY"] });
    expect(warnings).toMatchObject([{ code: "api-key-first", fixCommand: "unset ANTHROPIC_API_KEY" }]);
    expect(JSON.stringify(warnings)).not.toContain("sk-ant");
  });

  test("R141 a key is a login where there is no other, and nothing to warn of", async () => {
    const { client, install } = openMachine([parrot], { ANTHROPIC_API_KEY: "sk-ant-test-1234567890" });
    install("parrot-cli", parrotScript("1.2.0", false));
    expect(await client.check("parrot")).toMatchObject({
      usable: true,
      warnings: [],
      login: { state: "logged-in", by: "environment" },
    });
  });

  test("R141 without a status command the presence of a file decides, and the file is not read", async () => {
    const { client, install, home } = openMachine([
      { ...parrot, loginStatus: { files: { folder: ".parrot", names: ["auth.json"] } } },
    ]);
    install("parrot-cli", parrotScript("1.2.0", true));
    expect((await client.check("parrot")).login).toEqual({ state: "unknown", keys: [] });
    // A directory in place of the file: reading it would fail.
    mkdirSync(join(home, ".parrot", "auth.json"), { recursive: true });
    expect((await client.check("parrot")).login).toEqual({ state: "logged-in", by: "file", keys: [] });
  });

  test("R141 the file of another profile is looked for in its home", async () => {
    const { client, install, write, home } = openMachine([
      {
        ...parrot,
        loginStatus: { files: { variable: "CLAUDE_CONFIG_DIR", folder: ".claude", names: ["auth.json"] }, isComplete: true },
      },
    ]);
    install("parrot-cli", parrotScript("1.2.0", true));
    write("work/auth.json");
    expect((await client.check({ provider: "parrot", profile: join(home, "work") })).login.state).toBe("logged-in");
    expect((await client.check({ provider: "parrot", profile: join(home, "play") })).login.state).toBe("logged-out");
  });

  test("R141 the built-in Claude provider asks claude auth status", () => {
    expect(claude.loginStatus).toMatchObject({ command: { args: ["auth", "status"] } });
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
