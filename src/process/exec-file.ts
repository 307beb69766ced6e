import { randomUUID } from "node:crypto";
import { PipeOutput } from "./output.ts";
import { spawnChild } from "./spawn-child.ts";
import { Supervisor } from "./supervise.ts";

/** Bounds of one program run; without them it may take and print what it likes. */
export type ExecFileOptions = { readonly timeout?: number; readonly maxBuffer?: number };

/** Why a program did not give its output. */
export type ExecFileError = Error & {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The system's word where the program could not be started, such as `ENOENT`. */
  readonly code?: string;
};

/**
 * Runs a program without a shell, its stdin empty and closed, and gives what it printed, as UTF-8. Rejects when it fails; at its
 * time or size limit it and everything it started is ended.
 */
export function execFileAsync(file: string, args: readonly string[], options: ExecFileOptions = {}): Promise<string> {
  const run = `exec.${randomUUID()}`;
  const env = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const child = spawnChild({ command: file, args, env: { ...env, COXSWAIN_RUN: run }, cwd: process.cwd() });
  if ("errno" in child) return child.errno.then((code) => Promise.reject(toError(`Could not start ${file}: ${code}`, { code })));
  return new Promise((resolve, reject) => {
    const output = new Printed(options.maxBuffer ?? Number.POSITIVE_INFINITY);
    let timer: NodeJS.Timeout | undefined;
    const fail = (message: string): void => {
      clearTimeout(timer);
      supervisor.stop();
      const details = { stdout: output.text(), stderr: supervisor.stderr().stderrTail };
      void supervisor.gone.then(() => {
        const { exitCode, signalCode: signal } = child;
        reject(toError(message, { ...details, exitCode, signal }));
      });
    };
    const supervisor = new Supervisor(child, {
      run,
      guardian: undefined,
      output: new PipeOutput(),
      stopSignal: "SIGTERM",
      files: [],
      onStdout: (chunk) => {
        if (!output.add(chunk)) fail(`${file} printed more than ${options.maxBuffer} bytes.`);
      },
      onEnd: ({ exitCode = null, signal = null }) => {
        clearTimeout(timer);
        const stderr = supervisor.stderr().stderrTail;
        if (exitCode === 0) return resolve(output.text());
        const how = signal === null ? `exited with code ${exitCode}` : `was ended by ${signal}`;
        reject(
          toError(`${file} ${how}${stderr.trim() === "" ? "" : `: ${stderr.trim()}`}`, {
            stdout: output.text(),
            stderr,
            exitCode,
            signal,
          }),
        );
      },
    });
    supervisor.closeInput();
    const { timeout = 0 } = options;
    if (timeout > 0) timer = setTimeout(() => fail(`${file} was not finished after ${timeout} ms.`), timeout);
  });
}

class Printed {
  private readonly limit: number;
  private readonly chunks: Uint8Array[] = [];
  private size = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** False when the limit is passed; nothing is kept beyond it. */
  add(chunk: Uint8Array): boolean {
    this.size += chunk.byteLength;
    if (this.size > this.limit) return false;
    this.chunks.push(chunk);
    return true;
  }

  text(): string {
    return Buffer.concat(this.chunks).toString("utf8");
  }
}

function toError(message: string, details: Partial<Omit<ExecFileError, keyof Error>>): ExecFileError {
  return Object.assign(new Error(message), { stdout: "", stderr: "", exitCode: null, signal: null, ...details });
}
