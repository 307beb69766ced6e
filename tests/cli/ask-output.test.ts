import { realpathSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ask, cox, installRehearsal, temporaryFolder } from "../support/cox/start-cox.ts";
import { toLines } from "../support/cox/start-rehearsal.ts";

describe.concurrent("cox ask --json", () => {
  test("prints the result as one JSON object and nothing else", async () => {
    const { stdout, stderr, exitCode } = await ask(["--json", "--agent", "--model", "tool", "hi"]);
    expect(JSON.parse(stdout)).toMatchObject({
      text: expect.stringMatching(/^It is /),
      finish: "stop",
      toolCalls: [{ name: "Clock", input: { zone: "UTC" }, isError: false }],
      usage: { estimated: false, scope: "turn" },
      provider: "rehearsal",
      model: "tool",
    });
    expect(stdout.split("\n")).toHaveLength(2);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  });

  test("contains the failure and the partial text, and exits with 1", async () => {
    const { stdout, stderr, exitCode } = await ask(["--json", "--model", "crash", "hi"]);
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({ text: "", finish: "error", failure: { code: "crashed", evidence: { signal: "SIGKILL" } } });
    expect(result.failure.partialText).toMatch(/^You asked: “hi”\. /);
    expect(result.failure.evidence.stderrTail).toContain("rehearsed crash");
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 1 });
  });

  test("is complete also when no CLI is installed", async () => {
    const { stdout, exitCode } = await cox(["ask", "--json", "hi"], { env: { PATH: "/nowhere" } });
    expect(JSON.parse(stdout)).toMatchObject({ text: "", toolCalls: [], failure: { code: "cli-missing" } });
    expect(exitCode).toBe(7);
  });
});

describe.concurrent("cox ask --stream-json", () => {
  test("prints every event as one line, from run-start to run-end", async () => {
    const { stdout, stderr, exitCode } = await ask(["--stream-json", "--agent", "--model", "tool", "hi"]);
    const events = toLines(stdout);
    const types = events.map((event) => event["type"]);
    expect([types[0], types.at(-1)]).toEqual(["run-start", "run-end"]);
    expect(types).toEqual(
      expect.arrayContaining(["attempt-start", "session-start", "text-delta", "tool-start", "tool-call", "tool-end", "usage"]),
    );
    expect(events.map((event) => event["seq"])).toEqual(events.map((_, index) => index));
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  });

  test("is complete also when no CLI is installed", async () => {
    const { stdout, stderr, exitCode } = await cox(["ask", "--stream-json", "hi"], { env: { PATH: "/nowhere" } });
    expect(toLines(stdout)).toMatchObject([
      { type: "run-start", seq: 0 },
      { type: "run-end", seq: 1, finish: "error", failure: { code: "cli-missing" } },
    ]);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 7 });
  });

  test("ends with the failure and its exit code", async () => {
    const { stdout, exitCode } = await ask(["--stream-json", "--model", "quota", "hi"]);
    expect(toLines(stdout).at(-1)).toMatchObject({ type: "run-end", failure: { code: "quota-exhausted" } });
    expect(exitCode).toBe(4);
  });
});

describe.concurrent("cox ask --dry-run", () => {
  test("prints what would be started, the prompt on stdin, and starts nothing", async () => {
    const { stdout, stderr, exitCode } = await ask(["--dry-run", "--model", "crash", "--system", "Be brief.", "hi there"]);
    const plan = JSON.parse(stdout);
    expect(plan).toMatchObject({ provider: "rehearsal", cwd: { kind: "private" } });
    expect(plan.args).toEqual(expect.arrayContaining(["--model", "crash", "--system-prompt-file"]));
    expect(plan.tempFiles).toMatchObject([{ content: "Be brief." }]);
    expect(plan.args.join(" ")).not.toMatch(/hi there|Be brief/);
    expect(plan.stdin.text).toContain("hi there");
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  });

  test("shows no secret of the environment", async () => {
    using folder = temporaryFolder();
    const path = `${installRehearsal(folder.path)}:${process.env["PATH"] ?? ""}`;
    const env = { PATH: path, ANTHROPIC_API_KEY: "sk-ant-sesame", SOME_TOKEN: "sesame-open" };
    const { stdout, exitCode } = await cox(["ask", "--dry-run", "--provider", "claude", "hi"], { env });
    expect(JSON.parse(stdout)).toMatchObject({ provider: "claude", command: expect.stringMatching(/\/claude$/) });
    expect(stdout).not.toContain("sesame");
    expect(exitCode).toBe(0);
  });

  test("shows no inline configuration, which may contain keys", async () => {
    using folder = temporaryFolder();
    const path = `${installRehearsal(folder.path, "opencode")}:${process.env["PATH"] ?? ""}`;
    const inline = JSON.stringify({ provider: { acme: { options: { headers: { "x-acme": "sesame" } } } } });
    const env = { PATH: path, OPENCODE_CONFIG: "", OPENCODE_CONFIG_CONTENT: inline };
    const { stdout } = await cox(["ask", "--dry-run", "--provider", "opencode/acme/one", "hi"], { env });
    expect(JSON.parse(stdout)).toMatchObject({ env: { OPENCODE_CONFIG_CONTENT: "[redacted]" } });
    expect(stdout).not.toContain("sesame");
  });

  test("passes the options of agent mode", async () => {
    using folder = temporaryFolder();
    const options = [
      "--agent",
      "--cwd",
      folder.path,
      "--add-dir",
      "/tmp",
      "--add-dir",
      "/",
      "--allow-tool",
      "Read",
      "--allow-tool",
      "Bash(ls *)",
    ];
    const { stdout } = await ask(["--dry-run", ...options, "--permission-mode", "dont-ask", "hi"]);
    const plan = JSON.parse(stdout);
    expect(plan.cwd).toEqual({ kind: "given", path: folder.path });
    expect(plan.args.join(" ")).toContain("--allowedTools Read Bash(ls *) --add-dir /tmp / --permission-mode dontAsk");
  });

  test("works in the current directory when --agent names no other", async () => {
    using folder = temporaryFolder();
    const { stdout } = await ask(["--dry-run", "--agent", "hi"], { cwd: folder.path });
    expect(JSON.parse(stdout).cwd).toEqual({ kind: "given", path: realpathSync(folder.path) });
  });

  test("fails in two lines where the run would fail before it starts", async () => {
    const { stdout, stderr, exitCode } = await ask(["--dry-run", "--agent", "--cwd", "/no/such/place", "hi"]);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 2 });
    expect(stderr).toMatch(/^✗ The directory \/no\/such\/place .+\n→ .+\n$/);
  });
});
