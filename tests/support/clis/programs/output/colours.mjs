// Wraps its JSON lines in terminal colours and cursor movements.
import { answer, writeAll } from "../claude-lines.mjs";

for (const line of answer("All good.")) writeAll(`\u001b[2K\u001b[1G\u001b[38;5;208m${JSON.stringify(line)}\u001b[0m\n`);
