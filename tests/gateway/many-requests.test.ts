import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { serveGateway } from "../../src/gateway/index.ts";
import { type Client, createClient } from "../../src/index.ts";
import { playedCli } from "../support/clis/played-cli.ts";
import { answersWhenTold } from "../support/clis/plays.ts";
import { readStarts, writePlays } from "../support/clis/write-plays.ts";
import { processesWith, untilGone } from "../support/processes/process-scan.ts";
import { openTestScope } from "../support/test-scope.ts";
import { heldBytes } from "./measure-heap.ts";

const REQUESTS = 1000;
const SLOTS = 8;
const QUEUE = 256;
const TAKEN = SLOTS + QUEUE;
const BODY_BYTES = 200_000;

test("of 1,000 requests at once 8 run, 256 wait and are answered in turn, and the others are refused with 429", {
  timeout: 600_000,
}, async () => {
  const { directory, env } = openTestScope();
  writePlays(directory, [answersWhenTold("go")]);
  const client = createClient({
    providers: [playedCli],
    policies: { limit: { perProvider: SLOTS, total: SLOTS, queue: QUEUE } },
    env: { ...env, PLAY_FOLDER: directory },
  });
  const arrived: string[] = [];
  const run: Client["run"] = (targets, request, context) => {
    arrived.push(numberIn(JSON.stringify(request)));
    return client.run(targets, request, context);
  };
  // A slow machine must not refuse a request by its clocks: the bound of the queue is what is tested.
  const limits = { waitMs: 3_600_000, bodyMs: 3_600_000 };
  const gateway = await serveGateway({ client: { ...client, run }, token: false, port: 0, limits });
  const statuses = new Map<number, number>();
  const isRefusedWell: boolean[] = [];
  const ask = async (number: number): Promise<void> => {
    const content = `number=${number}. ${"x".repeat(BODY_BYTES)}`;
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", connection: "close" },
      body: JSON.stringify({ model: playedCli.id, stream: number % 2 === 0, messages: [{ role: "user", content }] }),
    });
    const text = await response.text();
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    if (response.status === 200) expect(text).toContain("Told.");
    else isRefusedWell.push(Number(response.headers.get("retry-after")) > 0 && JSON.parse(text).error.code !== undefined);
  };
  const taken = Array.from({ length: TAKEN }, (_, index) => ask(index));
  while (arrived.length < TAKEN) await sleep(20);
  const before = await heldBytes();
  const further = Array.from({ length: REQUESTS - TAKEN }, (_, index) => ask(TAKEN + index));
  while (isRefusedWell.length < REQUESTS - TAKEN) await sleep(20);
  const refusedBytes = (REQUESTS - TAKEN) * BODY_BYTES;
  expect((await heldBytes()) - before, "refused requests leave nothing in memory").toBeLessThan(refusedBytes / 4);
  writeFileSync(join(directory, "go"), "");
  await Promise.all([...taken, ...further]);
  expect(Object.fromEntries(statuses)).toEqual({ 200: TAKEN, 429: REQUESTS - TAKEN });
  expect(isRefusedWell).not.toContain(false);
  expect(arrived).toHaveLength(REQUESTS);
  const started = readStarts(directory).map((start) => numberIn((start as { readonly prompt: string }).prompt));
  expect(started.toSorted()).toEqual(arrived.slice(0, TAKEN).toSorted());
  // First come, first served: a start may be overtaken only by those that run at the same time.
  for (const [place, number] of started.entries()) expect(Math.abs(arrived.indexOf(number) - place)).toBeLessThan(2 * SLOTS);
  await gateway.close();
  await client.close();
  await untilGone(() => processesWith("PLAY_FOLDER", directory));
});

function numberIn(text: string): string {
  return /number=(\d+)/.exec(text)?.[1] ?? "";
}
