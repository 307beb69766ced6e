// Closes stderr, then prints its answer word by word.
import { closeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { assistant, init, messageStart, print, result, textDelta, textStart, textStop } from "../claude-lines.mjs";

closeSync(2);
print(init(), messageStart("msg_1"), textStart());
for (const word of ["All", " ", "good", "."]) {
  await sleep(60);
  print(textDelta(word));
}
print(textStop(), assistant("All good."), result("All good."));
