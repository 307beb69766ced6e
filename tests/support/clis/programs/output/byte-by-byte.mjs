// Prints an answer full of multi-byte characters one byte at a time.
import { setTimeout as sleep } from "node:timers/promises";
import { answer, writeAll } from "../claude-lines.mjs";

const lines = answer("Grüße 👩‍👩‍👧‍👦 你好 שלום é").map((line) => `${JSON.stringify(line)}\n`);
for (const byte of Buffer.from(lines.join(""))) {
  writeAll([byte]);
  await sleep(1);
}
