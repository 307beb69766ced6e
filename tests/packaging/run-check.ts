import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** The exit code and the output of a check. */
export type CheckOutcome = { readonly passed: boolean; readonly output: readonly string[] };

/** Creates a folder with these files, which is removed after the test. */
export async function makeTree(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "coxswain-check-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

/** Runs a script of scripts/ as npm runs it, on another root. */
export function runCheck(script: string, ...args: readonly string[]): Promise<CheckOutcome> {
  const path = join(import.meta.dirname, "../../scripts", script);
  return new Promise((resolve) => {
    execFile(process.execPath, [path, ...args], (error, stdout, stderr) => {
      const output = `${stderr}${stdout}`.split("\n").filter((line) => line !== "");
      resolve({ passed: error === null, output });
    });
  });
}
