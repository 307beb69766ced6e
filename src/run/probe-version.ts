import type { FoundBinary } from "../process/find-binary.ts";
import type { Provider } from "../spec/provider.ts";
import { askProgram } from "./ask-program.ts";
import type { RunHost } from "./runner.ts";

const PATIENCE_MS = 5000;

/** The version number that a CLI's `--version` prints, or undefined when it prints none in time; never throws. */
export async function probeVersion(provider: Provider, found: FoundBinary, host: RunHost): Promise<string | undefined> {
  const words = await askProgram(provider, found, host, { args: ["--version"], patienceMs: PATIENCE_MS });
  return "stdout" in words ? readVersion(words.stdout) : undefined;
}

/** The version number in what a program printed. */
export function readVersion(printed: string): string | undefined {
  return /\d+\.\d+(?:[.+-]?\w+)*/.exec(printed)?.[0];
}
