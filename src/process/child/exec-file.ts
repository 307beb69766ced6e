import { randomUUID } from "node:crypto";
import type { Failure } from "../../spec/failure/failure.ts";
import type { ProcessPlan } from "../../spec/provider/cli-data.ts";
import type { ExitReport } from "../../spec/wire/wire.ts";
import { findBinary } from "./find-program.ts";
import { openProcess } from "./start-process.ts";
import { Supervisor } from "./supervise.ts";

/** The limits of one program: milliseconds and bytes of output; no limit by default. */
export type ExecFileOptions = { readonly timeout?: number; readonly maxBuffer?: number };

/** The error of a program that failed, with the output so far. */
export type ExecFileError = Error & {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The errno of a failed start, such as `ENOENT`. */
  readonly code?: string;
};

/** A program of the user keeps the user's temporary directory and umask, and has no private files. */
const OWN_PROGRAM = {
  provider: "",
  env: {},
  stripEnv: [],
  stdout: "pipe",
  tempFiles: [],
  temporary: "inherited",
  umask: "inherited",
} as const;

/**
 * Runs a program whose arguments no shell reads, with an empty stdin, and resolves with its stdout as UTF-8. A program without a path is
 * searched in the absolute folders on PATH. Rejects when the program fails. At a time or size limit the program and all processes
 * that it started are ended.
 */
export function execFileAsync(file: string, args: readonly string[], options: ExecFileOptions = {}): Promise<string> {
  const found = findBinary({ names: [file] }, process.env);
  if ("missing" in found) return Promise.reject(startError(file, found.missing === "absent" ? "ENOENT" : "EACCES"));
  const plan: ProcessPlan = { ...OWN_PROGRAM, command: found.command, args, cwd: { kind: "given", path: process.cwd() } };
  return new Promise((resolve, reject) => {
    const { timeout = 0, maxBuffer = Number.POSITIVE_INFINITY } = options;
    const printed: Uint8Array[] = [];
    let size = 0;
    const text = (): string => Buffer.concat(printed).toString("utf8");
    let timer: NodeJS.Timeout | undefined;
    const opened = openProcess(plan, {
      run: `exec.${randomUUID()}`,
      env: process.env,
      guardian: undefined,
      stopSignal: "SIGTERM",
      onStdout: (chunk) => {
        size += chunk.byteLength;
        if (size > maxBuffer) fail(`${file} printed more than ${maxBuffer} bytes.`);
        else printed.push(chunk);
      },
      onEnd: (exit) => sawEnd(exit),
    });
    if (!(opened instanceof Supervisor)) return void rejectStart(file, opened, reject).catch(reject);
    const fail = (message: string): void => {
      clearTimeout(timer);
      opened.stop();
      const details = { stdout: text(), stderr: opened.stderr().stderrTail };
      void opened.gone.then(() => reject(toError(message, { ...details, ...toExit(opened.exited()) })));
    };
    const sawEnd = (exit: ExitReport): void => {
      clearTimeout(timer);
      if (exit.exitCode === 0) return resolve(text());
      const stderr = opened.stderr().stderrTail;
      const how = exit.signal === undefined ? `exited with code ${exit.exitCode ?? null}` : `was ended by ${exit.signal}`;
      const message = `${file} ${how}${stderr.trim() === "" ? "" : `: ${stderr.trim()}`}`;
      reject(toError(message, { stdout: text(), stderr, ...toExit(exit) }));
    };
    opened.closeInput();
    if (timeout > 0) timer = setTimeout(() => fail(`${file} was not finished after ${timeout} ms.`), timeout);
  });
}

async function rejectStart(file: string, failed: Failure | Promise<Failure>, reject: (error: Error) => void): Promise<void> {
  const { evidence, message } = await failed;
  const code = evidence?.errno;
  reject(code === undefined ? toError(message, {}) : startError(file, code));
}

function startError(file: string, code: string): ExecFileError {
  return toError(`Could not start ${file}: ${code}`, { code });
}

function toExit(exit: ExitReport | undefined): Pick<ExecFileError, "exitCode" | "signal"> {
  return { exitCode: exit?.exitCode ?? null, signal: exit?.signal ?? null };
}

function toError(message: string, details: Partial<Omit<ExecFileError, keyof Error>>): ExecFileError {
  return Object.assign(new Error(message), { stdout: "", stderr: "", exitCode: null, signal: null, ...details });
}
