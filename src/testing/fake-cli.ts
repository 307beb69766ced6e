import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { JsonValue } from "../spec/json.ts";
import { type Provider, withoutNativeTools } from "../spec/provider/provider.ts";

export type FakeStep =
  /** Prints a JSON value as a line; `{{mark}}` in it is the mark of the call format in the prompt that was read (docs/host-tools.md). */
  | { readonly do: "print"; readonly value: JsonValue }
  /** Prints bytes unchanged, to stdout by default; `base64` for bytes that are not text. */
  | { readonly do: "write"; readonly text?: string; readonly base64?: string; readonly to?: "stdout" | "stderr" }
  /** Reads one line of stdin, or all of it. */
  | { readonly do: "read"; readonly what: "line" | "all" }
  | { readonly do: "wait"; readonly ms: number }
  /** From here on SIGINT and SIGTERM have no effect. */
  | { readonly do: "ignore-signals" }
  | { readonly do: "close-stdout" }
  /** Starts a process in its own session that lives for the given time; it holds stdout open by default. */
  | { readonly do: "leave-process"; readonly ms: number; readonly holdStdout?: boolean }
  | { readonly do: "exit"; readonly code: number }
  /** Sends a signal to itself. */
  | { readonly do: "die"; readonly signal: "SIGKILL" | "SIGTERM" | "SIGSEGV" };

/** The arguments, directory and input of one call of a fake CLI. */
export type FakeCall = { readonly argv: readonly string[]; readonly cwd: string; readonly stdin: string };

/** A call as the program records it when it exits. */
export type NotedCall = { readonly startedAt: number; readonly call: FakeCall };

/** A real program for tests that plays given steps and records its calls. */
export type FakeCli = Disposable & {
  /** The script of the program, for Node. */
  readonly script: URL;
  /** Returns the given provider with this program instead of its own. Host tools go by text, because the program only plays its steps. */
  as(provider: Provider): Provider;
  /** Returns the calls in the order of their starts; a call is recorded when its process exits. */
  calls(): readonly FakeCall[];
  remove(): void;
};

/** Creates a program that plays the given steps in order each time it is started. */
export function createFakeCli(steps: readonly FakeStep[]): FakeCli {
  const directory = mkdtempSync(join(tmpdir(), "coxswain-fake-cli-"));
  const callsFile = join(directory, "calls.jsonl");
  const script = pathToFileURL(join(directory, "fake-cli.mjs"));
  const player = new URL(`./fake-cli-play${import.meta.url.slice(-3)}`, import.meta.url);
  const remove = (): void => removeFolder(directory);
  const lines = [
    `import { playFakeCli } from ${JSON.stringify(player.href)};`,
    `await playFakeCli(${JSON.stringify(steps)}, ${JSON.stringify(callsFile)});`,
    "",
  ];
  try {
    writeFileSync(callsFile, "");
    writeFileSync(script, lines.join("\n"));
  } catch (error) {
    remove();
    throw error;
  }
  return {
    script,
    as: (provider) => ({ ...withoutNativeTools(provider), binary: { script } }),
    // Text after the last newline is still being written.
    calls: () =>
      readFileSync(callsFile, "utf8")
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as NotedCall)
        // A process may exit after one that was started later.
        .toSorted((one, other) => one.startedAt - other.startedAt)
        .map(({ call }) => call),
    remove,
    [Symbol.dispose]: remove,
  };
}

/**
 * A fake CLI that is being stopped may write its call while the folder is removed, and the retries of `rmSync` do not see new
 * files.
 */
function removeFolder(directory: string): void {
  for (let triesLeft = 20; ; triesLeft -= 1) {
    try {
      return rmSync(directory, { recursive: true, force: true });
    } catch (error) {
      if (triesLeft === 0) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    }
  }
}
