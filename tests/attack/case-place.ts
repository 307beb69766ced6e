import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { untilGone } from "../support/processes/process-scan.ts";

/** The directories of one case and the mark of its processes. */
export type CasePlace = {
  readonly directory: string;
  readonly mark: string;
  /** The environment of a client: the mark is in it, and all directories of the product are in the case's own. */
  readonly env: Readonly<Record<string, string>>;
  /** Makes a program that starts a script of this folder with Node, and returns its path. */
  makeProgram(name: string, script: URL): string;
  /** Says what is left after all clients were closed, and removes it. */
  close(): Promise<readonly string[]>;
};

/** The variable that marks a host of the attack and, with a number, each of its cases. */
export const ATTACK_MARK = "ATTACK_MARK";

let opened = 0;

/** Opens a place; until it is closed the temporary files of this process are in it. */
export function openCasePlace(): CasePlace {
  const before = process.env["TMPDIR"];
  const directory = mkdtempSync(join(tmpdir(), "case-"));
  opened += 1;
  const mark = `${process.env[ATTACK_MARK] ?? process.pid}.${opened}.`;
  const path = (name: string): string => join(directory, name);
  for (const name of ["temporary", "home", "programs"]) mkdirSync(path(name));
  process.env["TMPDIR"] = path("temporary");
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: path("home"),
    TMPDIR: path("temporary"),
    XDG_STATE_HOME: path("state"),
    [ATTACK_MARK]: mark,
    ATTACK_PLACE: directory,
  };
  return {
    directory,
    mark,
    env,
    makeProgram(name, script) {
      const file = path(`programs/${name}`);
      writeFileSync(file, `#!${process.execPath}\nimport(${JSON.stringify(script.href)});\n`);
      chmodSync(file, 0o755);
      return file;
    },
    async close() {
      const left: string[] = [];
      await untilGone(async () => processesMarked(mark)).catch((error: Error) =>
        left.push(`processes are left: ${error.message}`),
      );
      endMarked(mark);
      const files = readdirSync(path("temporary"));
      if (files.length > 0) left.push(`temporary files are left: ${files.join(" ")}`);
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
      rmSync(directory, { recursive: true, force: true });
      return left;
    },
  };
}

/** The living processes that have the mark in their environment or their arguments. */
function processesMarked(mark: string): readonly number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const isMarked = (pid: string): boolean => ["environ", "cmdline"].some((file) => readProcess(pid, file).includes(mark));
  return pids.filter(isMarked).map(Number);
}

/** Ends what a failed case left. */
export function endMarked(mark: string): void {
  for (const pid of processesMarked(mark)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The process ended between the scan and the signal.
    }
  }
}

function readProcess(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}
