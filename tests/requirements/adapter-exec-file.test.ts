import { randomUUID } from "node:crypto";
import { join, relative } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { execFileAsync } from "../../src/adapters/langchain/index.ts";
import { writeProgram } from "../support/clis/write-program.ts";
import { processesWith, untilGone } from "../support/processes/process-scan.ts";
import { openTestScope } from "../support/test-scope.ts";

const limits = { timeout: 60_000, maxBuffer: 1024 * 1024 };

/** Runs JavaScript in a process of its own. */
function run(code: string, options: { timeout: number; maxBuffer: number } = limits): Promise<string> {
  return execFileAsync(process.execPath, ["-e", code], options);
}

/** The error with which a call rejects. */
function rejectionOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (value) => Promise.reject(new Error(`it resolved with ${JSON.stringify(value)}`)),
    (error: unknown) => error,
  );
}

describe("execFileAsync", () => {
  test("R8 execFileAsync gives what the program wrote to stdout, and nothing of stderr", async () => {
    expect(await run('process.stdout.write(" Hello\\n"); process.stderr.write("noise")')).toBe(" Hello\n");
    expect(await run("")).toBe("");
  });

  test("R8 arguments arrive as they are, because no shell reads them", async () => {
    const args = [
      "$(echo pwned)",
      "`id`",
      "; exit 3",
      "a b",
      "*",
      '"',
      "'",
      "\\",
      "$HOME",
      "",
      "new\nline",
      "ünï",
      "--flag",
      "&& false",
    ];
    const code = "process.stdout.write(JSON.stringify(process.argv.slice(1)))";
    expect(JSON.parse(await execFileAsync(process.execPath, ["-e", code, "--", ...args], limits))).toEqual(args);
  });

  test("R8 output is UTF-8, also where a character comes in two pieces", async () => {
    const code = `const bytes = Buffer.from("漢字 👋");
      process.stdout.write(bytes.subarray(0, 1));
      setTimeout(() => process.stdout.write(bytes.subarray(1, 9)), 50);
      setTimeout(() => process.stdout.write(bytes.subarray(9)), 100);`;
    expect(await run(code)).toBe("漢字 👋");
  });

  test("R8 a program that reads stdin finds it empty and at its end", async () => {
    const code = `let count = 0;
      process.stdin.on("data", (bytes) => (count += bytes.length));
      process.stdin.on("end", () => process.stdout.write(count + " bytes"));`;
    expect(await run(code)).toBe("0 bytes");
  });

  test("R8 a program that takes longer than the timeout is ended", async () => {
    const id = randomUUID();
    vi.stubEnv("EXEC_FILE_TEST", id);
    const error = await rejectionOf(run("setInterval(() => {}, 1000)", { ...limits, timeout: 500 })).finally(() =>
      vi.unstubAllEnvs(),
    );
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ signal: expect.stringMatching(/^SIG(TERM|KILL)$/) });
    await untilGone(() => processesWith("EXEC_FILE_TEST", id));
  });

  test("R8 as much output as the limit passes, and a byte more does not", async () => {
    const write = (count: number): string => `process.stdout.write("x".repeat(${count}))`;
    expect(await run(write(50_000), { ...limits, maxBuffer: 50_000 })).toHaveLength(50_000);
    expect(await rejectionOf(run(write(50_001), { ...limits, maxBuffer: 50_000 }))).toBeInstanceOf(Error);
  });
});

describe("a failure of execFileAsync", () => {
  test("R9 R62 an exit code other than 0 rejects with the program's own message, its output and the code", async () => {
    const code = 'process.stdout.write("half"); process.stderr.write(["no such model", "x\\n"].join(": ")); process.exitCode = 3';
    const error = await rejectionOf(run(code));
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ stdout: "half", stderr: "no such model: x\n", exitCode: 3 });
    expect(error).toHaveProperty("message", expect.stringContaining("no such model: x"));
  });

  test("R9 a failure without output names the exit code", async () => {
    const error = await rejectionOf(run("process.exitCode = 35 + 7"));
    expect(error).toMatchObject({ stdout: "", stderr: "", exitCode: 42 });
    expect(error).toHaveProperty("message", expect.stringContaining("42"));
  });

  test("R9 R62 a program that a signal ended rejects with the signal and its output", async () => {
    const code = 'require("fs").writeSync(1, "half"); process.kill(process.pid, "SIGKILL"); setInterval(() => {}, 1000)';
    expect(await rejectionOf(run(code))).toMatchObject({ signal: "SIGKILL", stdout: "half" });
  });

  test("R9 R62 a missing program rejects with its name and the system's reason", async () => {
    const error = await rejectionOf(execFileAsync("/no/such/program", [], limits));
    expect(error).toBeInstanceOf(Error);
    expect(error).toHaveProperty("message", expect.stringMatching(/\/no\/such\/program.*ENOENT|ENOENT.*\/no\/such\/program/s));
  });

  test("R9 a program in a relative folder on PATH is missing", async () => {
    const { directory } = openTestScope();
    const folder = relative(".", directory);
    writeProgram(join(directory, "planted"), "echo planted");
    vi.stubEnv("PATH", folder);
    const error = await rejectionOf(execFileAsync("planted", [], limits)).finally(() => vi.unstubAllEnvs());
    expect(error).toMatchObject({ code: "ENOENT" });
    expect(await execFileAsync(join(folder, "planted"), [], limits)).toBe("planted\n");
  });

  test("R9 an argument too long for the system rejects instead of throwing", async () => {
    const outcome = execFileAsync(process.execPath, ["-e", "", "x".repeat(3_000_000)], limits);
    expect(await rejectionOf(outcome)).toBeInstanceOf(Error);
  });
});
