import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { builtFile } from "../support/built/built-file.ts";

const cox = builtFile("bin/cox.js");

/** Runs cox with its stdout connected by a shell. */
function runInto(target: string, ...words: readonly string[]): { readonly exitCode: number | null; readonly stderr: string } {
  const script = `"$0" "$@" ${target}`;
  const { status, stderr } = spawnSync("bash", ["-o", "pipefail", "-c", script, process.execPath, cox, ...words], {
    encoding: "utf8",
    input: "",
  });
  return { exitCode: status, stderr };
}

describe.skipIf(process.platform !== "linux")("a stdout on a full disk", () => {
  test.each([
    ["ask", ["ask", "--provider", "rehearsal", "hi"]],
    ["ask --json", ["ask", "--provider", "rehearsal", "--json", "hi"]],
    ["ask --stream-json", ["ask", "--provider", "rehearsal", "--stream-json", "hi"]],
    ["demo", ["demo"]],
    ["quota", ["quota", "--json"]],
    ["providers", ["providers"]],
    ["--help", ["--help"]],
    ["--version", ["--version"]],
  ])("makes cox %s fail with one line about it", (_, words) => {
    const { exitCode, stderr } = runInto("> /dev/full", ...words);
    expect(exitCode).toBe(1);
    expect(stderr.match(/^cox could not write to stdout: .*ENOSPC.*$/gm)).toHaveLength(1);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

test.each([["--help"], ["providers"], ["ask", "--provider", "rehearsal", "hi"]])(
  "a closed pipe is not a failure of cox %s",
  (...words) => {
    expect(runInto("| true", ...words)).toEqual({ exitCode: 0, stderr: "" });
  },
);
