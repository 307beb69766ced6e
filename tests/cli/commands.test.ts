import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cox, installRehearsal, processesWith, temporaryFolder } from "../support/cox/start-cox.ts";
import pins from "../support/real-clis/pinned-clis.json" with { type: "json" };

type NodeCheck = { unsupportedNodeMessage(version: string): string | undefined };
const { unsupportedNodeMessage }: NodeCheck = await import(new URL("../../bin/node-version.js", import.meta.url).href);
const packageFile = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

describe.concurrent("cox --version", () => {
  const trace =
    "import{registerHooks}from'node:module';registerHooks({load(url,context,next){process._rawDebug(url);return next(url,context)}})";
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(trace)}` };

  test.each(["--version", "-V"])("%s prints the version and loads neither commander nor the library", async (flag) => {
    const { stdout, stderr, exitCode } = await cox([flag], { env });
    expect({ stdout, exitCode }).toEqual({ stdout: `${packageFile.version}\n`, exitCode: 0 });
    expect(stderr).toContain("/bin/cox.js");
    expect(stderr).not.toMatch(/commander|\/src\/|\/dist\//);
  });

  test("is the only command that does not load them", async () => {
    const [source, built] = await Promise.all([cox(["--help"], { env, form: "source" }), cox(["--help"], { env })]);
    expect(source.stderr).toMatch(/\/src\/cli\/.*commander/s);
    expect(built.stderr).toMatch(/\/dist\/cli\/main\.js/);
  });
});

test("cox keeps its compiled code in the state directory once that exists, and starts without one too", async () => {
  using folder = temporaryFolder();
  const [kept, absent, unusable] = await Promise.all(
    [folder.path, join(folder.path, "absent"), folder.write("a-file", "")].map((state) => {
      if (state === folder.path) mkdirSync(join(state, "coxswain"), { mode: 0o700 });
      return cox(["providers"], { env: { NODE_COMPILE_CACHE: undefined, XDG_STATE_HOME: state } });
    }),
  );
  expect(kept).toMatchObject({ exitCode: 0, stderr: "" });
  expect([absent, unusable]).toEqual([kept, kept]);
  const files = readdirSync(join(folder.path, "coxswain/compiled"), { recursive: true, encoding: "utf8" });
  expect(files.length).toBeGreaterThan(2);
  expect(existsSync(join(folder.path, "absent"))).toBe(false);
});

describe.concurrent("the check of Node's version", () => {
  test.each(["22.19.0", "v22.19.0", "22.23.3", "24.0.0", "26.10.0"])("lets %s pass", (version) => {
    expect(unsupportedNodeMessage(version)).toBeUndefined();
  });

  test.each(["22.18.9", "v20.20.2", "12.22.0", "21.9.0"])("prints one line with the fix for %s", (version) => {
    expect(unsupportedNodeMessage(version)).toMatch(/^cox needs Node\.js 22\.19 or newer, but this is .*: install [^\n]*$/);
    expect(unsupportedNodeMessage(version)).toContain(version);
  });
});

describe.concurrent("help", () => {
  test("without arguments is the list of commands", async () => {
    const { stdout, stderr, exitCode } = await cox([]);
    expect(stdout).toMatch(/ask \[prompt\.\.\.\] .*providers .*quota \[clear\] .*decode <provider> \[file\] .*demo /s);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  });

  test.each([
    "ask",
    "compare",
    "run",
    "mcp",
    "doctor",
    "decode",
    "providers",
    "models",
    "config",
    "quota",
    "quota clear",
    "demo",
    "completion",
    "help",
  ])("of %s has a description, options, examples and exit codes", async (command) => {
    const { stdout, exitCode } = await cox([...command.split(" "), "--help"]);
    expect(stdout).toMatch(new RegExp(`^Usage: cox ${command}.*\n\n\\S.+\n`));
    expect(stdout).toMatch(new RegExp(`Options:\n.*Examples:\n  \\$ cox ${command}`, "s"));
    expect(stdout).toMatch(/Exit codes:\n {2}0 .*\n {2}1 .*\n {2}2 .*\n(?: {2}[3-7] .*\n)*? {2}130 /);
    expect(exitCode).toBe(0);
  });

  test("of ask names every option and its default", async () => {
    const help = (await cox(["help", "ask"])).stdout.replace(/\s+/g, " ");
    const flags = [
      "provider",
      "model",
      "system",
      "append-system",
      "file",
      "image",
      "effort",
      "mcp",
      "agent",
      "cwd",
      "add-dir",
      "allow-tool",
      "deny-tool",
      "permission-mode",
      "schema",
      "timeout",
      "retries",
      "no-fallback",
      "max-wait",
      "budget-usd",
    ];
    for (const flag of [...flags, "json", "stream-json", "dry-run", "verbose", "log-file"]) expect(help).toContain(`--${flag} `);
    expect(help).toMatch(
      /--provider <ids> the CLI, CLI\/MODEL, a vendor.s model or an alias; .*\(default: the first installed CLI, without fallback\)/,
    );
    expect(help).toMatch(
      / -p, --provider .* -m, --model .* -s, --system .* 3 no login.* 4 the quota .* 5 temporary.* 6 the model declined.* 7 /,
    );
    expect(help).toMatch(/--log-level <level> .* \(choices: "error", "warn", "info", "debug"\)/);
    expect(help).toMatch(/--model <name> the model; with several CLIs, the model of the first one \(/);
    expect(help).toMatch(/--retries <n> [^()]* 0 to 10 \(default: 2\)/);
    expect(help).toContain(
      "--timeout <seconds> timeout of the whole run (default: 600 s for each attempt, no limit with --agent)",
    );
  });

  test.each([
    {
      args: ["nope"],
      says: '✗ There is no command "nope".\n→ Choose one of: ask, compare, run, chat, sessions, serve, mcp, doctor, ',
    },
    { args: ["aks"], says: '✗ There is no command "aks".\n→ Did you mean ask?\n' },
  ])("of the unknown command $args is a usage error", async ({ args, says }) => {
    const { stdout, stderr, exitCode } = await cox(["help", ...args]);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 2 });
    expect(stderr).toContain(says);
  });

  test("is suggested after an unknown command, with the nearest command", async () => {
    const { stdout, stderr, exitCode } = await cox(["aks", "hi"]);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 2 });
    expect(stderr).toBe("✗ Unknown command 'aks'\n→ Did you mean ask?\n");
  });
});

describe.concurrent("cox providers", () => {
  test("lists the known CLIs, the missing ones and their install commands", async () => {
    const { stdout, exitCode } = await cox(["providers"], { env: { PATH: "/nowhere" } });
    expect(stdout).toMatch(/^PROVIDER +NAME +MODEL +STREAMING +SESSIONS +STRUCTURED +CHECKED +FOUND\n/);
    const { oldest, version } = pins.claude;
    const row = `claude Claude Code its own token yes native ${oldest} to ${version} not found`;
    expect(stdout.split("\n").map((line) => line.replaceAll(/ +/g, " "))).toContain(row);
    expect(stdout).toMatch(/\nrehearsal +Rehearsal +friendly .* built in\n/);
    expect(stdout).toContain("To install Claude Code: npm install -g @anthropic-ai/claude-code");
    expect(exitCode).toBe(0);
  });

  test("--json gives the same as data, with the paths of the installed CLIs", async () => {
    using folder = temporaryFolder();
    const bin = installRehearsal(folder.path);
    const { stdout } = await cox(["providers", "--json"], { env: { PATH: bin } });
    const listed: readonly { readonly id: string; readonly found: string }[] = JSON.parse(stdout);
    const [claude, codex, rehearsal] = ["claude", "codex", "rehearsal"].map((id) => listed.find((each) => each.id === id));
    expect(codex).toMatchObject({ id: "codex", builtIn: false, streaming: "message" });
    expect(claude).toMatchObject({
      id: "claude",
      found: join(bin, "claude"),
      streaming: "token",
      sessions: true,
      structuredOutput: "native",
    });
    expect(rehearsal).toMatchObject({ id: "rehearsal", builtIn: true, defaultModel: "friendly" });
    expect(rehearsal?.found).toMatch(/rehearsal-cli\.(?:cjs|ts)$/);
  });
});

describe.concurrent("cox demo", () => {
  test("plays eight acts with the expected results, and leaves nothing running", async () => {
    const mark = randomUUID();
    const { stdout, stderr, exitCode } = await cox(["demo"], { env: { COX_TEST: mark } });
    expect(processesWith(`COX_TEST=${mark}`, "COXSWAIN_RUN=")).toEqual([]);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    expect(stdout.match(/^\d {2}\S.*$/gm)).toHaveLength(8);
    expect(stdout.match(/^ {3}\$ cox ask .*--provider rehearsal\S* .*$/gm)).toHaveLength(8);
    expect(stdout.match(/^ {3}✓ /gm)).toHaveLength(9);
    expect(stdout.match(/^ {3}· rehearsal\/overloaded(?: → rehearsal)?: API Error: 529 /gm)).toHaveLength(2);
    expect(stdout).toMatch(/⚙ Clock\(UTC\) → \d/);
    expect(stdout.match(/^ {3}✗ .+\n {3}→ .+$/gm)).toHaveLength(3);
    expect(stdout).toMatch(/^ {3}✗ The run was cancelled\.\n(?! {3}→)/m);
    expect(stdout).not.toMatch(/[ \t]\n/);
  });

  test("--json gives the acts as data", async () => {
    const { stdout, exitCode } = await cox(["demo", "--json"]);
    const { ok, acts, leftovers } = JSON.parse(stdout);
    expect({ ok, exitCode, leftovers: leftovers.ok }).toEqual({ ok: true, exitCode: 0, leftovers: true });
    expect(acts.map((act: { result: { failure?: { code: string } } }) => act.result.failure?.code ?? null)).toEqual([
      null,
      null,
      null,
      "rate-limited",
      null,
      "quota-exhausted",
      "crashed",
      "interrupted",
    ]);
  });
});
