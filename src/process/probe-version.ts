import { execFile } from "node:child_process";
import type { FoundBinary } from "./find-binary.ts";

const PATIENCE_MS = 5000;

/** The version number that `--version` prints, or undefined when it prints none in time; never throws. */
export function probeVersion(
  binary: FoundBinary,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { timeout: PATIENCE_MS, killSignal: "SIGKILL", env: { ...env }, windowsHide: true } as const;
    const child = execFile(binary.command, [...binary.prefixArgs, "--version"], options, (_error, stdout) => {
      resolve(/\d+\.\d+[\w.+-]*/.exec(stdout)?.[0]);
    });
    child.stdin?.end();
  });
}
