import { spawn } from "node:child_process";

/** The minimal reader of a CLI: spawn, split at newlines, JSON.parse; resolves with the number of lines at the end. */
export function runBare(command: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] });
    let rest: Buffer = Buffer.alloc(0);
    let lines = 0;
    child.stdin.on("error", () => {}).end("hello\n");
    child.stderr.resume();
    child.stdout.on("data", (chunk: Buffer) => {
      let from = 0;
      for (let newline = chunk.indexOf(10); newline !== -1; newline = chunk.indexOf(10, from)) {
        const piece = chunk.subarray(from, newline);
        JSON.parse((rest.length > 0 ? Buffer.concat([rest, piece]) : piece).toString("utf8"));
        if (rest.length > 0) rest = Buffer.alloc(0);
        lines += 1;
        from = newline + 1;
      }
      if (from < chunk.length) rest = Buffer.concat([rest, chunk.subarray(from)]);
    });
    child.on("error", reject);
    child.on("close", () => resolve(lines));
  });
}
