// Writes a note of its start and answers with the length of its longest argument.
import { writeFileSync } from "node:fs";
import { assistant, init, print, result } from "../claude-lines.mjs";

writeFileSync(process.env.NOTE_FILE, "started");
const longest = Math.max(...process.argv.map((argument) => Buffer.byteLength(argument)));
print(init(), assistant(String(longest)), result(String(longest)));
