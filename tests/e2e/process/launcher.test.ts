import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { execFileAsync } from "../../../src/process/child/exec-file.ts";
import { createProgramClient, runProgram } from "../../support/clis/program-client.ts";
import { finishRun } from "../../support/runs/read-run.ts";
import { expectFailure } from "../../support/runs/run-expectations.ts";

const SHOW = "umask; grep locks /proc/self/limits; tr '\\0' '\\n' < /proc/self/environ; echo $$ $PPID; printf '%s|' \"$@\"";

it("a program is started as itself: its arguments unchanged, as a child of the host", async () => {
  const hostile = ["$(touch made)", "a b", "", "'; exit 3 #", "-c", "é\n"];
  const shown = await execFileAsync("/bin/sh", ["-c", SHOW, "sh", ...hostile]);
  expect(shown).toContain(` ${process.pid}\n`);
  expect(shown.endsWith(hostile.map((argument) => `${argument}|`).join(""))).toBe(true);
});

it.each([
  { mode: "completion", umask: "077", permissions: {} },
  { mode: "agent", umask: "077", permissions: { mode: "dont-ask" } },
  { mode: "agent", umask: "002", permissions: { mode: "bypass" } },
] as const)(
  "the files of a CLI are private unless it may write: $mode $permissions.mode",
  async ({ mode, umask, permissions }) => {
    const before = process.umask(0o002);
    onTestFinished(() => void process.umask(before));
    const cwd = emptyDirectory();
    const program = createProgramClient("notes-its-umask", { request: { mode, ...(mode === "agent" && { cwd, permissions }) } });
    await finishRun(program.start());
    expect(await program.note()).toBe(umask);
  },
);

it("each process of a program has the mark of its run as its limit of file locks", async () => {
  const marks = await Promise.all([1, 2].map(() => execFileAsync("/bin/sh", ["-c", SHOW]).then(limitIn)));
  expect(new Set(marks).size).toBe(2);
  for (const mark of marks) expect(mark).toBeGreaterThan(2n ** 32n);
});

it("a variable whose name is no word of a shell reaches the program, and the program is marked", async () => {
  process.env["some.setting"] = "kept";
  onTestFinished(() => void delete process.env["some.setting"]);
  const shown = await execFileAsync("/bin/sh", ["-c", SHOW]);
  expect(shown).toContain("some.setting=kept\n");
  expect(limitIn(shown)).toBeGreaterThan(2n ** 32n);
});

it("a program whose loader is missing is not found", async () => {
  const path = join(emptyDirectory(), "program");
  const built = readFileSync("/bin/true");
  const at = built.indexOf("/lib64/ld-linux");
  if (at === -1) throw new Error("/bin/true names no loader of x86-64");
  built.write("/lib65", at);
  writeFileSync(path, built, { mode: 0o755 });
  const failure = await expectFailure(
    await runProgram("answers", { provider: { binary: { names: [path] } } }),
    "not_found",
    "cli-missing",
  );
  expect(failure.evidence.errno).toBe("ENOENT");
});

it("a program that may be executed and not read is started", async () => {
  const path = join(emptyDirectory(), "program");
  copyFileSync("/bin/true", path);
  chmodSync(path, 0o111);
  await expect(execFileAsync(path, [])).resolves.toBe("");
});

it("as many arguments as the system takes get through, and more are refused before the start", async () => {
  const fits = Array.from({ length: 10 }, () => "x".repeat(100_000));
  expect(await execFileAsync("/bin/echo", fits)).toBe(`${fits.join(" ")}\n`);
  const limit = Number(execFileSync("getconf", ["ARG_MAX"], { encoding: "utf8" }));
  const tooMany = Array.from({ length: Math.ceil(limit / 100_000) }, () => "x".repeat(100_000));
  await expect(execFileAsync("/bin/echo", tooMany)).rejects.toMatchObject({ code: "E2BIG" });
});

function limitIn(shown: string): bigint {
  return BigInt(/^Max file locks +\d+ +(\d+)/m.exec(shown)?.[1] ?? 0);
}

function emptyDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "coxswain-e2e-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
