// Begins with a byte order mark.
import { answer, print, writeAll } from "../claude-lines.mjs";

writeAll("\uFEFF");
print(...answer("All good."));
