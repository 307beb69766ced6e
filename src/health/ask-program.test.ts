import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writeProgram } from "../../tests/support/clis/write-program.ts";
import { claude } from "../clis/claude/provider.ts";
import { glm } from "../clis/glm/provider.ts";
import type { ActiveProcess } from "../run/open-run.ts";
import { createVersionAsker, type ProgramHost } from "./ask-program.ts";

const LONG = { target: { provider: "any" }, timeoutMs: 60_000 };

let folder = "";
let tracked: ActiveProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coxswain-version-asker-"));
  tracked = [];
});

afterEach(async () => {
  for (const each of tracked) each.end();
  await Promise.all(tracked.map(({ gone }) => gone));
  rmSync(folder, { recursive: true, force: true });
});

it("a program that two providers share is started once, and both get its output", async () => {
  const found = program("echo 1.2.3");
  const ask = createVersionAsker(host());
  const answers = await Promise.all([ask(claude, found, LONG), ask(glm, found, LONG)]);
  expect(answers).toMatchObject([{ stdout: "1.2.3\n" }, { stdout: "1.2.3\n" }]);
  expect(starts()).toHaveLength(1);
});

it("a program written in Node gets a directory for its compile cache", async () => {
  const words = await createVersionAsker(host())(claude, program('echo "$NODE_COMPILE_CACHE"'), LONG);
  expect(words).toMatchObject({ stdout: expect.stringContaining(join(folder, "state", "coxswain", "compiled")) });
});

it("a program that was updated prints its new version: nothing is cached", async () => {
  const ask = createVersionAsker(host());
  expect(await ask(claude, program("echo 1.2.3"), LONG)).toMatchObject({ stdout: "1.2.3\n" });
  expect(await ask(claude, program("echo 1.2.4"), LONG)).toMatchObject({ stdout: "1.2.4\n" });
});

it("a question does not wait for an earlier one that is still open", async () => {
  const found = program(`[ -e "${folder}/go" ] || { touch "${folder}/go"; exec sleep 60; }; echo 1.2.4`);
  const ask = createVersionAsker(host());
  void ask(claude, found, LONG);
  await nextTurn();
  await expect.poll(() => existsSync(join(folder, "go")), { timeout: 10_000 }).toBe(true);
  expect(await ask(glm, found, LONG)).toMatchObject({ stdout: "1.2.4\n" });
});

it.each([
  ["arguments in front", { prefixArgs: ["--other"] }, {}],
  ["a profile", {}, { target: { provider: "any", profile: "/other" } }],
  ["the timeout", {}, { timeoutMs: 61_000 }],
])("a question that differs in %s starts its own process", async (_name, where, how) => {
  const found = program("echo 1.2.3");
  const ask = createVersionAsker(host());
  await Promise.all([ask(claude, found, LONG), ask(claude, { ...found, ...where }, { ...LONG, ...how })]);
  expect(starts()).toHaveLength(2);
});

it("a program that fails in one provider's environment is asked again in the other's", async () => {
  const found = program('[ -z "$API_TIMEOUT_MS" ] && exit 3; echo 1.2.3');
  const ask = createVersionAsker(host());
  const answers = await Promise.all([ask(claude, found, LONG), ask(glm, found, LONG)]);
  expect(answers).toMatchObject([{ exitCode: 3 }, { exitCode: 0, stdout: "1.2.3\n" }]);
});

it("a provider that throws does not affect the other", async () => {
  const env = {
    ...claude.env,
    get set(): never {
      throw new Error("no variables");
    },
  };
  const found = program("echo 1.2.3");
  const ask = createVersionAsker(host());
  const answers = await Promise.allSettled([ask({ ...claude, env }, found, LONG), ask(glm, found, LONG)]);
  expect(answers).toMatchObject([
    { status: "rejected", reason: { message: "no variables" } },
    { status: "fulfilled", value: { stdout: "1.2.3\n" } },
  ]);
});

it("a program that hangs times out once for all", async () => {
  const found = program("exec sleep 60");
  const ask = createVersionAsker(host());
  const short = { ...LONG, timeoutMs: 300 };
  expect(await Promise.all([ask(claude, found, short), ask(glm, found, short)])).toMatchObject([
    { hasTimedOut: true },
    { hasTimedOut: true },
  ]);
  expect(starts()).toHaveLength(1);
});

/** A program that records each of its starts. */
function program(script: string): { readonly command: string; readonly prefixArgs: readonly string[] } {
  return { command: writeProgram(join(folder, "tool"), `echo started >> "${folder}/starts"\n${script}`), prefixArgs: [] };
}

function starts(): readonly string[] {
  return readFileSync(join(folder, "starts"), "utf8").trim().split("\n");
}

function host(): ProgramHost {
  let runs = 0;
  return {
    env: { PATH: process.env["PATH"], XDG_STATE_HOME: join(folder, "state") },
    guardian: undefined,
    nextRunId: () => `test-${process.pid}-${runs++}`,
    track: (each) => tracked.push(each),
  };
}
