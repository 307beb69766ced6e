// Replaces a CLI: starts the real one with the same arguments, environment and input, and stores its input and output
// in a folder. The output is written to a file that is read as it grows, because some CLIs exit before a pipe is drained.
import { spawn } from "node:child_process";
import { appendFileSync, openSync, readSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const COPY_EVERY_MS = 10;

const { DRIFT_COMMAND: command = "", DRIFT_FOLDER: folder = "", ...env } = process.env;
const copies = [
  openCopy("stdout", (text) => process.stdout.write(text)),
  openCopy("stderr", (text) => process.stderr.write(text)),
] as const;
writeFileSync(join(folder, "argv.json"), JSON.stringify(process.argv.slice(2)));
writeFileSync(join(folder, "stdin"), "");

const child = spawn(command, process.argv.slice(2), { env, stdio: ["pipe", copies[0].childEnd, copies[1].childEnd] });
const { stdin } = child;
if (stdin === null) throw new Error("the child has no stdin");
stdin.on("error", () => {});
process.stdin.on("data", (chunk) => {
  appendFileSync(join(folder, "stdin"), chunk);
  stdin.write(chunk);
});
process.stdin.on("end", () => stdin.end());
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));

const copying = setInterval(copyAll, COPY_EVERY_MS);
child.on("exit", (exitCode, signal) => {
  clearInterval(copying);
  copyAll();
  writeFileSync(join(folder, "exit.json"), JSON.stringify({ exitCode, signal }));
  process.stdin.destroy();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.removeAllListeners(name);
  if (signal === null) process.exitCode = exitCode ?? 1;
  else process.kill(process.pid, signal);
});

function copyAll(): void {
  for (const copy of copies) copy.copy();
}

function openCopy(name: string, pass: (chunk: Uint8Array) => void): { readonly childEnd: number; copy(): void } {
  const path = join(folder, name);
  const childEnd = openSync(path, "w");
  const ownEnd = openSync(path, "r");
  let position = 0;
  const copy = (): void => {
    for (;;) {
      const chunk = Buffer.alloc(65_536);
      const length = readSync(ownEnd, chunk, 0, chunk.length, position);
      if (length === 0) return;
      position += length;
      pass(chunk.subarray(0, length));
    }
  };
  return { childEnd, copy };
}
