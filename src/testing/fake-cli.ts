import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { JsonValue } from "../spec/json.ts";
import type { Provider } from "../spec/provider.ts";

/** One thing a fake CLI does. */
export type FakeStep =
  /** Prints a JSON value as a line. */
  | { readonly do: "print"; readonly value: JsonValue }
  /** Prints bytes as they are, to stdout unless said otherwise; `base64` for what is no text. */
  | { readonly do: "write"; readonly text?: string; readonly base64?: string; readonly to?: "stdout" | "stderr" }
  /** Reads one line of stdin, or all of it. */
  | { readonly do: "read"; readonly what: "line" | "all" }
  | { readonly do: "wait"; readonly ms: number }
  /** From here on SIGINT and SIGTERM have no effect. */
  | { readonly do: "ignore-signals" }
  | { readonly do: "close-stdout" }
  /** Starts a process in a session of its own that stays for the given time; it keeps stdout open unless told not to. */
  | { readonly do: "leave-process"; readonly ms: number; readonly holdStdout?: boolean }
  | { readonly do: "exit"; readonly code: number }
  /** Ends itself by a signal. */
  | { readonly do: "die"; readonly signal: "SIGKILL" | "SIGTERM" | "SIGSEGV" };

/** What a fake CLI saw when it was called. */
export type FakeCall = { readonly argv: readonly string[]; readonly cwd: string; readonly stdin: string };

/** A program for tests: really started, really printing, and remembering how it was called. */
export type FakeCli = Disposable & {
  /** The script; Node runs it. */
  readonly script: URL;
  /** The given provider with this program in place of its own. */
  as(provider: Provider): Provider;
  /** How the program was called, call by call; a call is noted when its process exits. */
  calls(): readonly FakeCall[];
  /** Removes the program. */
  remove(): void;
};

/** Builds a program that does the given steps in order each time it is started. */
export function createFakeCli(steps: readonly FakeStep[]): FakeCli {
  const directory = mkdtempSync(join(tmpdir(), "coxswain-fake-cli-"));
  const callsFile = join(directory, "calls.jsonl");
  const script = pathToFileURL(join(directory, "fake-cli.mjs"));
  const player = new URL(`./fake-cli-play${import.meta.url.slice(-3)}`, import.meta.url);
  writeFileSync(callsFile, "");
  writeFileSync(
    script,
    [
      `import { playFakeCli } from ${JSON.stringify(player.href)};`,
      `await playFakeCli(${JSON.stringify(steps)}, ${JSON.stringify(callsFile)});`,
      "",
    ].join("\n"),
  );
  const remove = (): void => removeFolder(directory);
  return {
    script,
    as: (provider) => ({ ...provider, binary: { script } }),
    // What follows the last line break is still being written.
    calls: () =>
      readFileSync(callsFile, "utf8")
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as FakeCall),
    remove,
    [Symbol.dispose]: remove,
  };
}

/** A fake CLI that is being stopped may note its call while its folder is emptied; Node's own retries do not look for new files. */
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
