// Prints 10 MB on stderr, then answers; with EXIT_CODE it ends without an answer.
import { answer, print, writeAll } from "../claude-lines.mjs";

for (let count = 0; count < 100_000; count += 1) writeAll(`${"noise ".repeat(16)}.\n`.padStart(100, "-"), 2);
writeAll("the last word on stderr\n", 2);
if (process.env.EXIT_CODE) process.exit(Number(process.env.EXIT_CODE));
print(...answer("All good."));
