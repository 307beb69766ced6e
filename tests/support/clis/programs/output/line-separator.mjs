// Prints U+2028, U+2029 and U+0085 raw inside a JSON string.
import { answer, print } from "../claude-lines.mjs";

print(...answer("one\u2028two\u2029three\u0085four"));
