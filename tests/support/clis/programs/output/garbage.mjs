// Prints 256 KiB of binary garbage, NUL bytes and broken UTF-8 included, then a good answer.
import { answer, print, writeAll } from "../claude-lines.mjs";

let state = 42;
const garbage = Uint8Array.from({ length: 262_144 }, () => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return state >>> 24;
});
writeAll(garbage);
writeAll("\n");
print(...answer("All good."));
