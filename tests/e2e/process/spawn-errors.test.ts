import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { RunRequest } from "../../../src/spec/request.ts";
import { createProgramClient, runProgram } from "../../support/clis/program-client.ts";
import { finishRun } from "../../support/runs/read-run.ts";
import { expectAnswer, expectFailure } from "../../support/runs/run-expectations.ts";

const LONGEST_ARGUMENT = 131_071;

it("a path without a program is not found", async () => {
  const run = await runProgram("answers", { provider: { binary: { names: [join(emptyDirectory(), "missing")] } } });
  await expectFailure(run, "not_found", "cli-missing");
});

it("a name that is nowhere on the PATH is not found", async () => {
  const run = await runProgram("answers", { provider: { binary: { names: ["coxswain-test-no-such-program"] } } });
  const failure = await expectFailure(run, "not_found", "cli-missing");
  expect(failure.message).not.toContain("\n");
});

it("a file without execute permission fails with cli-not-executable", async () => {
  const path = join(emptyDirectory(), "program");
  writeFileSync(path, "#!/bin/sh\nexit 0\n", { mode: 0o644 });
  await expectFailure(
    await runProgram("answers", { provider: { binary: { names: [path] } } }),
    "not_found",
    "cli-not-executable",
  );
});

it("a program whose interpreter is missing is not found", async () => {
  const path = join(emptyDirectory(), "program");
  writeFileSync(path, "#!/coxswain-test/no-such-interpreter\n", { mode: 0o755 });
  const run = await runProgram("answers", { provider: { binary: { names: [path] } } });
  const failure = await expectFailure(run, "not_found", "cli-missing");
  expect(failure.evidence.errno).toBe("ENOENT");
});

it("an environment that the system refuses is a failure with the errno of the spawn", async () => {
  const run = await runProgram("answers", { request: { env: { LARGE: "x".repeat(LONGEST_ARGUMENT + 1) } } });
  const failure = await expectFailure(run, "validation", "arguments-too-large");
  expect(failure.evidence.errno).toBe("E2BIG");
});

it("a directory that does not exist is refused before anything is started", async () => {
  await expectDirectoryRefused(join(emptyDirectory(), "missing"));
});

it("a file in place of a directory is refused before anything is started", async () => {
  const path = join(emptyDirectory(), "file");
  writeFileSync(path, "");
  await expectDirectoryRefused(path);
});

it("a pattern one byte longer than an argument can be is refused before anything is started", async () => {
  const program = createProgramClient("notes-its-start", { request: requestWith(LONGEST_ARGUMENT + 1) });
  await expectFailure(await finishRun(program.start()), "validation", "arguments-too-large");
  expect(await program.note()).toBeUndefined();
});

it("a pattern as long as an argument can be gets through", async () => {
  const program = createProgramClient("notes-its-start", { request: requestWith(LONGEST_ARGUMENT) });
  await expectAnswer(await finishRun(program.start()), String(LONGEST_ARGUMENT));
  expect(await program.note()).toBe("started");
});

it("a file that a CLI left in the private directory fails no later run, and no later CLI finds it", {
  timeout: 30_000,
}, async () => {
  const { start } = createProgramClient("leaves-file");
  for (let count = 0; count < 3; count += 1) await expectAnswer(await finishRun(start()), "[]");
});

async function expectDirectoryRefused(cwd: string): Promise<void> {
  const program = createProgramClient("notes-its-start", { request: { mode: "agent", cwd } });
  await expectFailure(await finishRun(program.start()), "validation", "cwd-unusable");
  expect(await program.note()).toBeUndefined();
}

/** A request with a tool pattern of this length, which is an argument of its own. */
function requestWith(bytes: number): Partial<RunRequest> {
  return { mode: "agent", cwd: tmpdir(), permissions: { deny: [`Bash(${"x".repeat(bytes - "Bash()".length)})`] } };
}

function emptyDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "coxswain-e2e-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
