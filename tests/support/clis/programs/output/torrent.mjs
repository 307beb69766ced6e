// Prints numbered pieces of text, 1 KiB each, as fast as it can; then writes a note and answers.
import { writeFileSync } from "node:fs";
import { assistant, init, messageStart, print, result, textDelta, textStart, textStop } from "../claude-lines.mjs";

const PIECES_PER_MESSAGE = 512;
const pieces = Number(process.env.PIECES);
print(init());
for (let index = 0; index < pieces; index += 1) {
  if (index % PIECES_PER_MESSAGE === 0) print(messageStart(`msg_${index}`), textStart());
  print(textDelta(`${index} `.padEnd(1024, "x")));
  if (index % PIECES_PER_MESSAGE === PIECES_PER_MESSAGE - 1 || index === pieces - 1) print(textStop());
}
writeFileSync(process.env.NOTE_FILE, "all written");
print(assistant("All good.", "msg_last"), result("All good."));
