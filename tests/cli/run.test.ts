import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { boatsServer } from "../support/clis/boats-server.ts";
import { cox, startCox, temporaryFolder } from "../support/cox/start-cox.ts";
import { finalScreen, startInTerminal } from "../support/cox/start-terminal.ts";
import { processesWith, untilGone } from "../support/processes/process-scan.ts";

/** The options of `cox run` with the rehearsal CLI and the server about boats. */
function withBoats(folder: ReturnType<typeof temporaryFolder>, env: Readonly<Record<string, string>> = {}): readonly string[] {
  const file = folder.write("servers.json", JSON.stringify({ mcpServers: { boats: boatsServer(env) } }));
  return ["run", "--provider", "rehearsal/tool-caller", "--mcp", file];
}

describe.concurrent("cox run", () => {
  test("answers with a tool of an MCP server, and names the call on stderr", async () => {
    using folder = temporaryFolder();
    const { stdout, stderr, exitCode } = await cox([...withBoats(folder), "How many boats?"]);
    expect({ stdout, exitCode }).toEqual({ stdout: "The tool said: 8 boats\n", exitCode: 0 });
    expect(stderr).toMatch(/^⚙ boats__count\(\) → .*s\n$/);
  });

  test("refuses a call that changes something where nobody can be asked, and says how to allow it", async () => {
    using folder = temporaryFolder();
    const task = "Call boats__rename";
    const refused = await cox([...withBoats(folder), task]);
    expect(refused.stdout).toBe("The tool said: Error: No terminal was there to ask on, so the call was not made.\n");
    expect(refused.stderr).toContain("⊘ boats__rename(Ada) was not allowed. To allow all its calls: --allow-tool boats__rename");
    const allowed = await cox([...withBoats(folder), "--allow-tool", "boats__rename", task]);
    expect(allowed.stdout).toBe("The tool said: The boat is Ada now.\n");
  });

  test("asks at the terminal, and runs what the person allows", async () => {
    using folder = temporaryFolder();
    const terminal = startInTerminal([...withBoats(folder), "Call boats__rename"], { env: { NO_COLOR: "1" } });
    await terminal.until((screen) => screen.includes("then Enter:"));
    terminal.write("y\n");
    const { stdout, exitCode } = await terminal.ended;
    expect(finalScreen(stdout)).toMatch(
      /\? May boats__rename run\?\n {2}name: Ada\n.*⚙ boats__rename\(Ada\) .*The tool said: The boat is Ada now\./s,
    );
    expect(exitCode).toBe(0);
  });

  test("prints the result with its thread as JSON, or each event", async () => {
    using folder = temporaryFolder();
    const result = JSON.parse((await cox([...withBoats(folder), "--json", "How many?"])).stdout);
    expect(result).toMatchObject({ text: "The tool said: 8 boats", finish: "stop", provider: "rehearsal", model: "tool-caller" });
    expect(result.thread.map(({ type }: { type: string }) => type)).toEqual(["message", "answer", "result", "answer"]);
    const lines = (await cox([...withBoats(folder), "--stream-json", "--approval", "full", "Call boats__rename"])).stdout
      .trimEnd()
      .split("\n");
    const types = lines.map((line) => JSON.parse(line).type);
    expect([types[0], types.at(-1)]).toEqual(["run-start", "run-end"]);
    expect(types.filter((type) => type.startsWith("tool-"))).toEqual(["tool-start", "tool-call", "tool-end"]);
  });

  test("exits with the code of the failure: a limit, a server that does not start, a wrong option", async () => {
    using folder = temporaryFolder();
    const limit = await cox([...withBoats(folder), "--max-steps", "1", "How many?"]);
    expect(limit).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("has made 1 steps without an answer") });
    const server = await cox([...withBoats(folder, { FAIL: "1" }), "How many?"]);
    expect(server).toMatchObject({ exitCode: 7, stderr: expect.stringContaining("It printed: No boats today.") });
    const usage = await cox([...withBoats(folder), "--allow-tool", "count", "How many?"]);
    expect(usage).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("The tools are: boats__count,") });
    const chain = ["run", "--provider", "rehearsal/rate-limit,rehearsal/friendly", "Hello"];
    const told = expect.stringContaining("rehearsal/friendly answered, because rehearsal/rate-limit could not");
    expect(await cox(chain)).toMatchObject({ exitCode: 0, stderr: told });
    expect((await cox([...chain, "--no-fallback"])).exitCode).not.toBe(0);
  });

  test("ends the CLI and the servers on Ctrl-C", async () => {
    using folder = temporaryFolder();
    const mark = `of ${crypto.randomUUID()}`;
    const words = withBoats(folder, { BOATS: mark }).map((word) => word.replace("tool-caller", "slow"));
    const started = startCox([...words, "--stream-json", "Tell me a long story."]);
    await started.until((stdout) => stdout.includes('"text-delta"'));
    expect(await processesWith("BOATS", mark)).toHaveLength(1);
    started.child.kill("SIGINT");
    const { exitCode, stdout } = await started.ended;
    expect(JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "").failure).toMatchObject({ message: "The run was cancelled." });
    expect(exitCode).toBe(130);
    await untilGone(() => processesWith("BOATS", mark));
  });

  test("shows on a terminal which servers it waits for while they start, and names a silent one after 10 s", async () => {
    using folder = temporaryFolder();
    const words = withBoats(folder, { SILENT: "initialize", NOTE: join(folder.path, "asked") });
    const terminal = startInTerminal([...words, "How many?"], { env: { NO_COLOR: "1" } });
    await terminal.until((screen) => screen.includes("10 s: boats"));
    terminal.write("\u0003");
    const { stdout, exitCode } = await terminal.ended;
    expect(stdout).toMatch(/ MCP servers: boats · 2 s/);
    expect(finalScreen(stdout)).toMatch(
      /^! MCP servers that have not answered for 10 s: boats\n(?:\^C)?✗ The run was cancelled\.\n$/,
    );
    expect(exitCode).toBe(130);
  });

  test("ends at --timeout while servers start and while the model answers", async () => {
    using folder = temporaryFolder();
    const words = withBoats(folder, { SILENT: "initialize", NOTE: join(folder.path, "asked") });
    const [starting, answering] = await Promise.all([
      cox([...words, "--timeout", "3", "--json", "How many?"]),
      cox(["run", "--provider", "rehearsal/silent", "--timeout", "3", "Go"]),
    ]);
    expect(JSON.parse(starting.stdout).failure).toMatchObject({
      code: "total-timeout",
      message: "MCP servers that did not answer before --timeout: boats",
    });
    expect([starting.stderr, starting.exitCode]).toEqual(["", 5]);
    expect(answering.stderr).toBe("✗ The run was not finished within 3 s.\n→ Raise --timeout, or split the task.\n");
    expect(answering.exitCode).toBe(5);
  });

  test("says one line on Ctrl-C, also while a tool runs", async () => {
    using folder = temporaryFolder();
    const note = join(folder.path, "asked");
    const words = withBoats(folder, { SILENT: "tools/call", NOTE: note });
    const terminal = startInTerminal([...words, "How many boats?"], { env: { NO_COLOR: "1" } });
    await expect.poll(() => existsSync(note), { timeout: 60_000 }).toBe(true);
    terminal.write("\u0003");
    const { stdout, exitCode } = await terminal.ended;
    expect(finalScreen(stdout)).toMatch(/^(?:\^C)?✗ The run was cancelled\.\n$/);
    expect(exitCode).toBe(130);
  });
});
