// Prints one line of LINE_MEGABYTES, then a good answer.
import { assistant, init, print, result, writeAll } from "../claude-lines.mjs";

print(init());
writeAll('{"type":"huge","text":"');
const megabyte = Buffer.alloc(1_000_000, "x");
for (let count = 0; count < Number(process.env.LINE_MEGABYTES); count += 1) writeAll(megabyte);
writeAll('"}\n');
print(assistant("All good."), result("All good."));
