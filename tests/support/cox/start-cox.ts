import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtFile } from "../built/built-file.ts";
import { writeProgram } from "../clis/write-program.ts";
import { isAlive, listPids, readIfThere } from "../processes/read-proc.ts";
import { type Ended, type Started, type StartOptions, startScript } from "./start-program.ts";

/** Runs `cox` to its end. */
export async function cox(args: readonly string[], options: StartOptions = {}): Promise<Ended> {
  return await startScript("bin/cox.js", args, options).ended;
}

/** Runs `cox ask` on the rehearsal CLI. */
export async function ask(args: readonly string[], options: StartOptions = {}): Promise<Ended> {
  return await cox(["ask", "--provider", "rehearsal", ...args], options);
}

/** Runs `cox` with this stdin. */
export async function coxWith(stdin: string, args: readonly string[], options: StartOptions = {}): Promise<Ended> {
  const started = startCox(args, { ...options, stdin: "open" });
  started.end(stdin);
  return await started.ended;
}

/** Starts `cox` and leaves it running. */
export function startCox(args: readonly string[], options: StartOptions = {}): Started {
  return startScript("bin/cox.js", args, options);
}

/** A folder that is removed after the test: `using folder = temporaryFolder()`. */
export function temporaryFolder(): Disposable & { readonly path: string; write(name: string, content: string): string } {
  const path = mkdtempSync(join(tmpdir(), "cox-test-"));
  return {
    path,
    write: (name, content) => {
      const file = join(path, name);
      writeFileSync(file, content);
      return file;
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** Installs the rehearsal CLI, without stored sessions, as a program with this name in a folder; returns the folder for PATH. */
export function installRehearsal(folder: string, name = "claude"): string {
  const script = builtFile("src/rehearsal/rehearsal-cli.ts");
  const bin = join(folder, "bin");
  writeProgram(join(bin, name), `exec "${process.execPath}" "${script}" "$@" --no-session-persistence`);
  return bin;
}

/** Pids of living processes whose environment has all of these settings. */
export function processesWith(...settings: readonly string[]): readonly number[] {
  return listPids().filter((pid) => {
    const environment = `\0${readIfThere(`/proc/${pid}/environ`) ?? ""}`;
    return settings.every((setting) => environment.includes(`\0${setting}`)) && isAlive(pid);
  });
}
