import { setTimeout as sleep } from "node:timers/promises";
import OpenAI from "openai";
import { expect, it } from "vitest";
import { openFleet } from "../support/clis/open-fleet.ts";
import { answersWhenTold } from "../support/clis/plays.ts";
import { openServer, rawRequest, sendRaw, TOKEN } from "../support/serve-gateway.ts";

const MEGABYTE = 1024 * 1024;
const bodyOf = (bytes: number): string =>
  JSON.stringify({ model: "a", messages: [{ role: "user", content: "x".repeat(bytes) }] });

it("requests whose bodies would be too many bytes together are refused until others have ended, and the clients repeat them", async () => {
  const fleet = openFleet({ a: [answersWhenTold("go")] });
  const { port, url } = await openServer({ client: fleet.client, limits: { bodyBytes: MEGABYTE, bodiesBytes: MEGABYTE } });
  const ask = (bytes: number, headers = {}): Promise<string> =>
    sendRaw(port, rawRequest("POST /v1/chat/completions", headers, bodyOf(bytes)));
  const first = ask(300_000);
  const second = ask(300_000);
  await expect.poll(() => fleet.starts("a")).toBe(2);
  const refused = await ask(500_000);
  expect(refused).toMatch(/^HTTP\/1\.1 503 /);
  expect(refused).toMatch(/\nretry-after: \d+\r/i);
  expect(refused).toMatch(/\nx-should-retry: true\r/i);
  expect(refused).toContain("too many bytes");
  // Without a stated length the bytes count as they come.
  const body = bodyOf(500_000);
  const chunked = rawRequest("POST /v1/chat/completions", {
    "content-type": "application/json",
    "transfer-encoding": "chunked",
  });
  const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  expect(await sendRaw(port, chunked, chunks)).toMatch(/^HTTP\/1\.1 503 /);
  // A small one has room, and what was refused counts no more.
  const small = ask(1000);
  await expect.poll(() => fleet.starts("a")).toBe(3);
  const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: TOKEN, maxRetries: 1 });
  const repeated = openai.chat.completions.create(JSON.parse(bodyOf(500_000)) as OpenAI.ChatCompletionCreateParamsNonStreaming);
  await sleep(200);
  fleet.tell("a", "go");
  for (const answer of await Promise.all([first, second, small])) expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect((await repeated).choices[0]?.message.content).toBe("Told.");
});
