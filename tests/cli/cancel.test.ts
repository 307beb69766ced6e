import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { builtFile } from "../support/built/built-file.ts";
import { processesWith, startCox } from "../support/cox/start-cox.ts";
import type { Started } from "../support/cox/start-program.ts";

/** Starts a run that prints forever, with a marker in the environment of its processes; resolves when it has printed text. */
async function startTalking(model: string, ...options: readonly string[]): Promise<Started & { readonly mark: string }> {
  const mark = `COX_TEST=${randomUUID()}`;
  const started = startCox(["ask", "--provider", "rehearsal", "--model", model, ...options, "hi"], {
    env: { COX_TEST: mark.slice(9) },
  });
  while (!processesWith(mark, "COXSWAIN_RUN=").some(hasSpoken)) await new Promise((resolve) => setTimeout(resolve, 50));
  return { ...started, mark };
}

/** True if a process has printed more than the lines before an answer; cox's own output does not show that. */
function hasSpoken(pid: number): boolean {
  try {
    return Number(/wchar: (\d+)/.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1]) > 4_000;
  } catch {
    return false;
  }
}

async function untilGone(...settings: readonly string[]): Promise<void> {
  while (processesWith(...settings).length > 0) await new Promise((resolve) => setTimeout(resolve, 50));
}

describe.concurrent("Ctrl-C during cox ask", () => {
  test.each(["slow", "stubborn"])("ends a %s run with exit code 130 and leaves nothing running", async (model) => {
    const started = await startTalking(model);
    started.child.kill("SIGINT");
    const { exitCode, signal, stdout, stderr } = await started.ended;
    expect(processesWith(started.mark, "COXSWAIN_RUN=")).toEqual([]);
    expect({ exitCode, signal }).toEqual({ exitCode: 130, signal: null });
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^✗ The run was cancelled(?:, and its text was left out)?\.\n$/);
    await untilGone(started.mark);
  });

  test("is a cancelled result with --json", async () => {
    const mark = randomUUID();
    const started = startCox(["ask", "--provider", "rehearsal", "--model", "slow", "--json", "hi"], { env: { COX_TEST: mark } });
    while (processesWith(`COX_TEST=${mark}`, "COXSWAIN_RUN=").length === 0)
      await new Promise((resolve) => setTimeout(resolve, 50));
    started.child.kill("SIGINT");
    const { exitCode, stdout } = await started.ended;
    expect(JSON.parse(stdout)).toMatchObject({ finish: "cancelled", failure: { category: "cancelled", code: "interrupted" } });
    expect(exitCode).toBe(130);
  });

  test("twice exits at once, and the guardian ends the remaining processes", async () => {
    let left: readonly number[] = [];
    // On a very slow machine the first Ctrl-C may be complete before the second arrives; then no process is left to check.
    for (let attempt = 0; attempt < 4 && left.length === 0; attempt += 1) {
      const started = await startTalking("stubborn");
      started.child.kill("SIGINT");
      await started.until((_, stderr) => stderr.includes("cancelled"));
      started.child.kill("SIGINT");
      const { exitCode } = await started.ended;
      left = processesWith(started.mark, "COXSWAIN_RUN=");
      expect(exitCode).toBe(130);
      await untilGone(started.mark);
    }
    expect(left).not.toEqual([]);
  });

  test("ends the wait for a prompt on stdin", async () => {
    const started = startCox(["ask", "--provider", "rehearsal"], { stdin: "open" });
    await started.until((_, stderr) => stderr.includes("Waiting for EOF on stdin"));
    started.child.kill("SIGINT");
    const { exitCode, stdout, stderr } = await started.ended;
    expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: "" });
    expect(stderr).toMatch(/^Waiting for EOF on stdin.*\n✗ The run was cancelled\.\n$/);
  });
});

describe.concurrent("other ways to cancel cox ask", () => {
  test("SIGTERM ends the run with exit code 143 and leaves nothing running", async () => {
    const started = await startTalking("stubborn", "--stream-json");
    started.child.kill("SIGTERM");
    const { exitCode, stdout } = await started.ended;
    expect(processesWith(started.mark, "COXSWAIN_RUN=")).toEqual([]);
    expect(exitCode).toBe(143);
    expect(JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({ type: "run-end", finish: "cancelled" });
  });

  test("a reader that closes the pipe ends the run without an error", () => {
    const mark = randomUUID();
    const bin = builtFile("bin/cox.js");
    const line =
      '"$NODE" "$BIN" ask --provider rehearsal --model stubborn --stream-json hi </dev/null | head -c 5; echo " $PIPESTATUS"';
    const env = { ...process.env, NODE: process.execPath, BIN: bin, COX_TEST: mark };
    const { stdout, stderr } = spawnSync("bash", ["-c", line], { env, encoding: "utf8" });
    expect({ stdout, stderr }).toEqual({ stdout: '{"typ 0\n', stderr: "" });
    expect(processesWith(`COX_TEST=${mark}`, "COXSWAIN_RUN=")).toEqual([]);
  });
});
