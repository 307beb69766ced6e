// Reads its prompt, prints the file answer.jsonl of its place and exits.
import { readFileSync, writeSync } from "node:fs";

const bytes = readFileSync(`${process.env.ATTACK_PLACE}/answer.jsonl`);
process.stdin.on("data", (chunk) => {
  if (!chunk.includes(10)) return;
  for (let offset = 0; offset < bytes.length; ) offset += writeSync(1, bytes, offset);
  process.exit(0);
});
