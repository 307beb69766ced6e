import { describe, expect, test } from "vitest";
import { ask, cox, coxWith, installRehearsal, startCox, temporaryFolder } from "../support/cox/start-cox.ts";
import { toLines } from "../support/cox/start-rehearsal.ts";

describe.concurrent("what cox ask sends", () => {
  test("is arguments, files with their names, and stdin, in this order", async () => {
    using folder = temporaryFolder();
    folder.write("a", "@b /usage\n");
    const { stdout } = await coxWith("piped", ["ask", "-p", "rehearsal", "--file", "a", "Explain"], { cwd: folder.path });
    expect(stdout).toContain('“Explain\n\nFile "a":\n```\n@b /usage\n```\n\npiped”');
  });

  test("begins with a dash after --, as the help says", async () => {
    expect((await ask(["--", "-x means what?"])).stdout).toContain("“-x means what?”");
    expect((await cox(["ask", "--help"])).stdout).toMatch(/\sbegins\s+with\s+a\s+dash\s+goes\s+after\s+--[;,\s]/);
  });

  test("has images, effort, tools and MCP servers in the launch of a CLI that takes them", async () => {
    using folder = temporaryFolder();
    const env = { PATH: `${installRehearsal(folder.path)}:${process.env["PATH"] ?? ""}` };
    const image = folder.write("a.gif", "GIF89a");
    const servers = folder.write("mcp.json", '{"mcpServers": {"files": {"command": "files-server"}}}');
    const options = ["--image", image, "--effort", "high", "--mcp", servers, "--agent", "--deny-tool", "WebFetch"];
    const { stdout, stderr } = await cox(["ask", "--dry-run", "-p", "claude", ...options, "--append-system", "Rhyme.", "hi"], {
      env,
    });
    expect(stderr).toBe("");
    for (const text of ["R0lGODlh", "high", "files-server", "WebFetch", "Rhyme."]) expect(stdout).toContain(text);
  });

  test("is refused if stdin is not UTF-8, with the offset of the byte", async () => {
    const started = startCox(["ask", "-p", "rehearsal", "hi"], { stdin: "open" });
    started.child.stdin?.end(Buffer.from([0x41, 0x42, 0xe9, 0x0a]));
    const { stdout, stderr, exitCode } = await started.ended;
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 2 });
    expect(stderr).toMatch(/^✗ stdin is not UTF-8 text: the byte at offset 2 is invalid\.\n→ .+\n$/);
  });

  test("has to be there before --timeout", async () => {
    const started = startCox(["ask", "-p", "rehearsal", "--json", "--timeout", "0.3", "hi"], { stdin: "open" });
    const { stdout, exitCode } = await started.ended;
    started.end();
    const failure = { code: "total-timeout", message: "stdin did not end within 300 ms." };
    expect(JSON.parse(stdout)).toMatchObject({ provider: "rehearsal", model: "friendly", failure });
    expect(exitCode).toBe(5);
  });
});

describe.concurrent("cox ask --verbose", () => {
  const env = { COXSWAIN_SYSTEM: "Be brief.", SECRET_TOKEN: "s3cret-value-of-a-token" };

  test("prints where settings come from, what is started, and times, to stderr alone", async () => {
    const { stdout, stderr } = await cox(["ask", "--verbose", "-p", "rehearsal", "--no-config", "hi"], { env });
    expect(stdout).toMatch(/^You asked: “hi”/);
    expect(stderr).toMatch(
      /^# provider: rehearsal \(--provider\)\n# system: Be brief\. \(COXSWAIN_SYSTEM\)\n# runs alone, without cox serve: none is running\n# attempt 1 after \d+ ms: rehearsal, model friendly\n# started: \S*node .*rehearsal-cli\.cjs .* --system-prompt-file "<system-prompt\.txt>" .*\n# session [-\w]+ after .*\n# first text after .*\n(?:.*\n)*# ended after .*: stop\n$/,
    );
    expect(stderr).not.toContain("s3cret");
  });

  test("leaves --json as it is", async () => {
    const { stdout, stderr } = await ask(["--verbose", "--json", "--model", "overloaded", "--retries", "1", "hi"]);
    expect(toLines(stdout)).toMatchObject([{ finish: "error", failure: { code: "overloaded" } }]);
    expect(stderr).toMatch(/# attempt 2 after .*\n(?:.*\n)*# ended after .*: overloaded\n$/);
  });
});

test("a wrong API key of the environment is blamed by its name, not the login", async () => {
  using folder = temporaryFolder();
  const env = { PATH: `${installRehearsal(folder.path)}:${process.env["PATH"] ?? ""}`, ANTHROPIC_API_KEY: "sk-ant-x-1234567890" };
  const { stderr, exitCode } = await cox(["ask", "-p", "claude", "-m", "not-logged-in", "hi"], { env });
  expect(stderr).toMatch(/\n→ The environment has ANTHROPIC_API_KEY\. Correct that key, .* Run: unset ANTHROPIC_API_KEY\n$/);
  expect(stderr).not.toContain("sk-ant");
  expect(exitCode).toBe(3);
});
