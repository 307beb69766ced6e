import { describe, expect, test } from "vitest";
import { ask, cox, coxWith, installRehearsal, temporaryFolder } from "../support/cox/start-cox.ts";

describe.concurrent("the prompt of cox ask", () => {
  test("is the arguments joined by a space", async () => {
    const { stdout, stderr, exitCode } = await ask(["hello", "there"]);
    expect(stdout).toMatch(/^You asked: “hello there”\. .*\S\n$/s);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  });

  test("is stdin byte for byte when there are no arguments", async () => {
    const { stdout, exitCode } = await coxWith(" @file /usage\n--x é\u2028!\n", ["ask", "--provider", "rehearsal"]);
    expect(stdout).toContain("“ @file /usage\n--x é\u2028!\n”");
    expect(exitCode).toBe(0);
  });

  test("is arguments, a blank line and stdin when there are both", async () => {
    const { stdout } = await coxWith("diff --git", ["ask", "--provider", "rehearsal", "Explain", "this"]);
    expect(stdout).toContain("“Explain this\n\ndiff --git”");
  });

  test("is the arguments alone when stdin is blank", async () => {
    const { stdout } = await coxWith("\n", ["ask", "--provider", "rehearsal", "words"]);
    expect(stdout).toContain("“words”");
  });

  test("may begin with a dash after --", async () => {
    const { stdout } = await ask(["--", "--model", "quota"]);
    expect(stdout).toContain("“--model quota”");
  });

  test.each(["", " \n "])("is a usage error when it is blank (stdin %j)", async (stdin) => {
    const { stdout, stderr, exitCode } = await coxWith(stdin, ["ask", "--provider", "rehearsal"]);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 2 });
    expect(stderr).toMatch(/^✗ There is no prompt\.\n→ .+\n$/);
  });
});

describe.concurrent("an answer of cox ask", () => {
  test("has the text on stdout alone, and tool calls as one line each on stderr", async () => {
    const { stdout, stderr } = await ask(["--agent", "--model", "tool", "What time is it?"]);
    expect(stdout).toMatch(/^Let me look at the clock\.\n\nIt is \d\d:\d\d UTC\.\n$/);
    expect(stderr).toMatch(/^⚙ Clock\(UTC\) → \d+(\.\d)? m?s\n$/);
  });

  test("has the reason of a tool that failed, and with --verbose what the tools printed", async () => {
    const args = ["--agent", "--model", "tools", "How is the weather?"];
    const { stderr } = await ask(args);
    expect(stderr).toMatch(/^⚙ Barometer\(place: .*\) → ✗ \d+(\.\d)? m?s: The barometer is broken\.$/m);
    expect(stderr).not.toContain("#");
    const verbose = await ask([...args, "--verbose"]);
    expect(verbose.stderr).toMatch(/^⚙ Clock\(UTC\) → .*\n# \d{4}-\d\d-\d\dT/m);
  });

  test("has no colours where there is no terminal", async () => {
    const { stdout, stderr } = await ask(["--agent", "--model", "tool", "hi"], {
      env: { CI: "true", FORCE_COLOR: undefined, TERM: "xterm-256color" },
    });
    expect(stdout + stderr).not.toContain("\u001b");
  });

  test("is JSON that matches the schema", async () => {
    using folder = temporaryFolder();
    const schema = folder.write(
      "boat.json",
      '{"type":"object","properties":{"seats":{"type":"integer","minimum":8}},"required":["seats"]}',
    );
    const { stdout, exitCode } = await ask(["--schema", schema, "hi"]);
    expect(JSON.parse(stdout)).toEqual({ seats: 8 });
    expect(exitCode).toBe(0);
  });

  test("comes from the first CLI that is installed when none is named", async () => {
    using folder = temporaryFolder();
    const path = `${installRehearsal(folder.path)}:${process.env["PATH"] ?? ""}`;
    const { stdout, exitCode } = await cox(["ask", "--stream-json", "hi"], { env: { PATH: path } });
    expect(stdout).toContain('"type":"attempt-start","provider":"claude"');
    expect(exitCode).toBe(0);
  });

  test("comes from a provider named by its alias", async () => {
    using folder = temporaryFolder();
    const path = `${installRehearsal(folder.path)}:${process.env["PATH"] ?? ""}`;
    const { stdout } = await cox(["ask", "--provider", "claude-code", "hi"], { env: { PATH: path } });
    expect(stdout).toContain("“hi”");
  });
});
