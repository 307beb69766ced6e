// Fails when a TypeScript file is longer than 250 lines, or a conductor longer than 350. Usage: check-file-size.ts [root]
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const maxLines = 250;
/** Files that name the steps of something and call other files for each. */
const conductors = ["run/run.ts", "attempt/attempt.ts", "attempt/turn.ts", "process/channel/process-channel.ts", "client.ts"].map(
  (file) => join("src", file),
);
const ceilingOf = (file: string): number => (conductors.includes(file) ? 350 : maxLines);
const root = process.argv[2] ?? join(import.meta.dirname, "..");

const files = globSync("{src,tests,scripts,bench,examples}/**/*.ts", { cwd: root });
const tooLong = files
  .map((file) => ({ file, lines: countLines(readFileSync(join(root, file), "utf8")) }))
  .filter(({ file, lines }) => lines > ceilingOf(file));

for (const { file, lines } of tooLong) console.error(`${file} has ${lines} lines; the ceiling is ${ceilingOf(file)}`);
console.log(`file size: ${files.length} files, ${tooLong.length} too long`);
process.exitCode = tooLong.length > 0 || files.length === 0 ? 1 : 0;

function countLines(text: string): number {
  const lines = text.split("\n").length;
  return text.endsWith("\n") ? lines - 1 : lines;
}
