// Answers with LETTERS letters and exits without waiting for its output to be flushed.
import { answer } from "../claude-lines.mjs";

const text = "abcdefghij".repeat(Number(process.env.LETTERS) / 10);
for (const line of answer(text)) process.stdout.write(`${JSON.stringify(line)}\n`);
process.exit(0);
