// Prints that it is ready and then stores spent quotas, the same few again and again, until it is ended.
import { writeSync } from "node:fs";
import { QuotaMemory } from "../../../src/policy/quota-memory.ts";

const memory = new QuotaMemory(process.env);
const message = "You've hit your usage limit. ".repeat(20_000);
writeSync(1, `${JSON.stringify({ sign: "ready" })}\n`);
for (let turn = 0; ; turn += 1) {
  const now = Date.now();
  const [seenAt, resetAt] = [new Date(now).toISOString(), new Date(now + 3_600_000).toISOString()];
  memory.remember({ provider: `p${turn % 3}`, seenAt, resetAt, message });
}
