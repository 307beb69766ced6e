import { createHash } from "node:crypto";
import { it } from "vitest";
import { runProgram } from "../../support/clis/program-client.ts";
import { expectAnswer, expectFailure } from "../../support/runs/run-expectations.ts";

const FIVE_MEGABYTES = 'Grüße 👩‍👩‍👧‍👦 \\ " \u2028 你好\n'.repeat(100_000);

it("a prompt of five megabytes arrives completely at a program that reads slowly", async () => {
  const run = await runProgram("reads-slowly", { request: { prompt: FIVE_MEGABYTES } });
  const hash = createHash("sha256").update(FIVE_MEGABYTES).digest("hex");
  await expectAnswer(run, `${FIVE_MEGABYTES.length} ${hash}`);
});

it("a program that answers without reading a prompt of five megabytes has answered", async () => {
  await expectAnswer(await runProgram("answers", { request: { prompt: FIVE_MEGABYTES } }), "All good.");
});

it("a program that ends before reading a prompt of five megabytes has failed", async () => {
  const run = await runProgram("leaves-at-once", { request: { prompt: FIVE_MEGABYTES } });
  await expectFailure(run, "invalid_response", "no-terminal-event");
});

it("a program that never reads a prompt of five megabytes still ends by a timeout", async () => {
  const run = await runProgram("silent", { request: { prompt: FIVE_MEGABYTES, timeouts: { firstEventMs: 1_000 } } });
  await expectFailure(run, "timeout", "first-event-timeout");
});
