// Fails when a TypeScript file is longer than 250 lines. Usage: check-file-size.ts [root]
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const maxLines = 250;
const root = process.argv[2] ?? join(import.meta.dirname, "..");

const files = globSync("{src,tests,scripts,bench,examples}/**/*.ts", { cwd: root });
const tooLong = files
  .map((file) => ({ file, lines: countLines(readFileSync(join(root, file), "utf8")) }))
  .filter(({ lines }) => lines > maxLines);

for (const { file, lines } of tooLong) console.error(`${file} has ${lines} lines; the ceiling is ${maxLines}`);
console.log(`file size: ${files.length} files, ${tooLong.length} too long`);
process.exitCode = tooLong.length > 0 || files.length === 0 ? 1 : 0;

function countLines(text: string): number {
  const lines = text.split("\n").length;
  return text.endsWith("\n") ? lines - 1 : lines;
}
