// Prints an answer of 1 MB in pieces. If one cannot be written, it fails; with IGNORES_ERRORS it goes on and exits as if all were well.
import { writeSync } from "node:fs";
import { answer } from "../claude-lines.mjs";

const text = answer("x".repeat(1_000_000))
  .map((line) => `${JSON.stringify(line)}\n`)
  .join("");
for (let from = 0; from < text.length; from += 4096) {
  try {
    writeSync(1, text.slice(from, from + 4096));
  } catch (error) {
    if (process.env.IGNORES_ERRORS === undefined) throw error;
  }
}
