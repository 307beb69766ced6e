// Ends within a line: by SIGKILL of itself, or with EXIT_CODE.
import { init, messageStart, print, textDelta, textStart, writeAll } from "../claude-lines.mjs";

print(init(), messageStart("msg_1"), textStart(), textDelta("Half an "), textDelta("answer"));
writeAll(JSON.stringify(textDelta(" that is never whole")).slice(0, 60));
if (process.env.EXIT_CODE === "SIGKILL") process.kill(process.pid, "SIGKILL");
process.exit(Number(process.env.EXIT_CODE));
