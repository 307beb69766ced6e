// Prints a word every 20 ms and never ends.
import { init, messageStart, print, textDelta, textStart } from "../claude-lines.mjs";

print(init(), messageStart("msg_1"), textStart());
setInterval(() => print(textDelta("word ")), 20);
setTimeout(() => process.exit(), 600_000);
