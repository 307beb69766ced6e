import type { FoundBinary } from "../process/find-binary.ts";
import { stripTerminalCodes } from "../process/strip-terminal-codes.ts";
import type { Provider } from "../spec/provider.ts";
import { askProgram, type ProgramHost } from "./ask-program.ts";

const TIMEOUT_MS = 5000;

/** What a CLI's `--version` prints, without terminal codes; empty when it prints nothing in time; never throws. */
export async function askVersion(provider: Provider, found: FoundBinary, host: ProgramHost): Promise<string> {
  const output = await askProgram(provider, found, host, { args: ["--version"], timeoutMs: TIMEOUT_MS });
  return "stdout" in output ? stripTerminalCodes(output.stdout).trim() : "";
}

/** The version number in what a program printed. */
export function readVersion(printed: string): string | undefined {
  return /\d+\.\d+(?:[.+-]?\w+)*/.exec(printed)?.[0];
}
