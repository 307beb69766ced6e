import { spawn } from "node:child_process";
import { join } from "node:path";
import { builtFile, COMPILED } from "../built/built-file.ts";
import { follow, type Started, type StartOptions } from "./start-program.ts";

/** The size and the environment of a terminal. */
export type TerminalOptions = Pick<StartOptions, "env" | "cwd" | "form"> & {
  readonly columns?: number;
  /** `bin/cox.js` by default. */
  readonly script?: string;
};

/** Starts `cox`, or another script of ours, in a terminal of its own; its stdout is what the terminal gets from stdout and stderr, and what is typed. */
export function startInTerminal(args: readonly string[], options: TerminalOptions = {}): Started {
  const { columns = 80, env = {}, cwd = process.cwd(), form = "built", script = "bin/cox.js" } = options;
  const path = form === "built" ? builtFile(script) : join(import.meta.dirname, "../../..", script);
  const words = [process.execPath, path, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  const command = `stty cols ${columns} rows 30; exec ${words.join(" ")}`;
  const child = spawn("script", ["-q", "-e", "-f", "-c", command, "/dev/null"], {
    cwd,
    stdio: ["pipe", "pipe", "pipe"],
    env: {
      ...process.env,
      NO_COLOR: undefined,
      CI: undefined,
      TERM: "xterm-256color",
      SHELL: "/bin/sh",
      ...(form === "built" && { NODE_COMPILE_CACHE: COMPILED }),
      ...env,
    },
  });
  return follow(child);
}

const CLEAR = "\r\u001b[2K";

/** What stands on the terminal at the end: lines that were cleared are gone, and ␛ stands for ESC. */
export function finalScreen(output: string): string {
  return output
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => line.split(CLEAR).at(-1))
    .join("\n")
    .replaceAll("\u001b", "␛");
}
