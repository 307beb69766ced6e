// Prints some text and an error line on stderr, and ends with EXIT_CODE without a terminal event.
import { assistant, init, print, writeAll } from "../claude-lines.mjs";

print(init(), assistant("Half an answer"));
writeAll("something went wrong\n", 2);
process.exit(Number(process.env.EXIT_CODE));
