// Ends its lines with CR LF.
import { answer, writeAll } from "../claude-lines.mjs";

for (const line of answer("All\r\ngood.")) writeAll(`${JSON.stringify(line)}\r\n`);
