// Reads its prompt, prints the file answer.jsonl of its place and exits; a short prompt is kept in the file prompt.
import { readFileSync, writeFileSync, writeSync } from "node:fs";

const place = process.env.ATTACK_PLACE;
const bytes = readFileSync(`${place}/answer.jsonl`);
process.stdin.on("data", (chunk) => {
  if (!chunk.includes(10)) return;
  if (chunk.length < 60_000) writeFileSync(`${place}/prompt`, chunk);
  for (let offset = 0; offset < bytes.length; ) offset += writeSync(1, bytes, offset);
  process.exit(0);
});
