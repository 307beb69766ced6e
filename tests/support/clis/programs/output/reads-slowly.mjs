// Reads stdin slowly and answers with the length and the SHA-256 of the prompt.
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { answer, print } from "../claude-lines.mjs";

const chunks = [];
for await (const chunk of process.stdin) {
  chunks.push(chunk);
  if (chunk.includes(0x0a)) break;
  await sleep(10);
}
const { message } = JSON.parse(Buffer.concat(chunks).toString());
const prompt = message.content[0].text;
print(...answer(`${prompt.length} ${createHash("sha256").update(prompt).digest("hex")}`));
