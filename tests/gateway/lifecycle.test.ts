import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { untilFound, untilGone } from "../support/processes/process-scan.ts";
import { rawRequest, type Served, serve } from "../support/serve-gateway.ts";

/** The text of a stream up to a word, with the rest unread. */
async function readUntil(response: Response, word: string): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  for (let text = ""; !text.includes(word); ) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the stream ended before ${word}: ${text}`);
    text += decoder.decode(value, { stream: true });
  }
  return reader;
}

async function untilEntry({ entries }: Served): Promise<Served["entries"][number]> {
  while (entries[0] === undefined) await sleep(20);
  return entries[0];
}

test("a client that leaves before the first event cancels its run, and the processes end", async () => {
  const served = await serve();
  const leaving = new AbortController();
  const asked = served.ask("rehearsal/silent", { stream: true }, { signal: leaving.signal });
  await untilFound(async () => (await served.processes()).slice(0, 1), 1);
  leaving.abort();
  await expect(asked).rejects.toThrow();
  await untilGone(served.processes);
  expect(await untilEntry(served)).toMatchObject({ status: 499, failure: "interrupted", provider: "rehearsal" });
});

test.each([true, false])("a client that leaves in the middle of an answer cancels its run (stream: %s)", async (stream) => {
  const served = await serve();
  const leaving = new AbortController();
  const asked = served.ask("rehearsal/slow", { stream }, { signal: leaving.signal });
  if (stream) await readUntil(await asked, "asked");
  else await untilFound(async () => (await served.processes()).slice(0, 1), 1);
  leaving.abort();
  await asked.catch(() => undefined);
  await untilGone(served.processes);
  expect(await untilEntry(served)).toMatchObject({ failure: "interrupted", asked: "rehearsal/slow" });
});

test("a closing gateway lets answers finish, and takes no new requests", async () => {
  const served = await serve();
  const running = await served.ask("rehearsal/slow", { stream: true });
  const reader = await readUntil(running, "asked");
  const closed = served.close(60_000);
  await expect(served.ask("rehearsal")).rejects.toThrow();
  let text = "";
  for (let next = await reader.read(); !next.done; next = await reader.read()) text += new TextDecoder().decode(next.value);
  expect(text).toContain("[DONE]");
  expect(text).toContain("account");
  await closed;
  await untilGone(served.processes);
});

test("a request on an open connection of a closing gateway gets 503 with Retry-After", async () => {
  const served = await serve();
  const running = await served.ask("rehearsal/slow", { stream: true });
  await readUntil(running, "asked");
  const socket = connect(served.port, "127.0.0.1");
  // A request that has begun keeps its connection open.
  const request = rawRequest("GET /v1/models").toString("latin1");
  socket.write(request.slice(0, 20));
  await sleep(100);
  const closed = served.close(60_000);
  const text = readAll(socket);
  socket.write(request.slice(20));
  expect(await text).toMatch(/^HTTP\/1\.1 503 .*retry-after: \d+/is);
  await served.close();
  await closed;
});

async function readAll(socket: Socket): Promise<string> {
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  return text;
}

test("after the deadline the answers are cancelled in their protocol", async () => {
  const served = await serve();
  const running = await served.ask("rehearsal/slow", { stream: true });
  const reader = await readUntil(running, "asked");
  const closed = served.close(200);
  let text = "";
  for (let next = await reader.read(); !next.done; next = await reader.read()) text += new TextDecoder().decode(next.value);
  await closed;
  expect(text).toContain('"error"');
  expect(text).toContain("The gateway is closing.");
  expect(text).not.toContain("account");
  await untilGone(served.processes);
});

test("an answer that is cancelled before its beginning gets 503", async () => {
  const served = await serve();
  const running = served.ask("rehearsal/slow");
  await expect.poll(() => served.processes().then(({ length }) => length)).toBeGreaterThan(0);
  const closed = served.close(0);
  const response = await running;
  expect(response.status).toBe(503);
  expect(await response.text()).toContain("The gateway is closing.");
  await closed;
});

test("a second call of close cancels at once", async () => {
  const served = await serve();
  const running = await served.ask("rehearsal/stubborn", { stream: true }).catch(() => undefined);
  void running?.body?.cancel();
  const slow = await served.ask("rehearsal/slow", { stream: true });
  await readUntil(slow, "asked");
  const closed = served.close(3_600_000);
  await served.close();
  await closed;
  await served.client.close();
  await untilGone(served.processes);
});

test("a silent stream gets comments, which clients skip", async () => {
  const served = await serve({ limits: { silenceMs: 40 } });
  const response = await served.ask("rehearsal/slow", { stream: true });
  const text = await response.text();
  expect(text.match(/^: keep-alive$/gm)?.length).toBeGreaterThan(5);
  const words = text.split("\n\n").filter((frame) => frame.startsWith("data: {"));
  const said = words.map((frame) => JSON.parse(frame.slice(6)).choices[0]?.delta?.content ?? "").join("");
  expect(said).toMatch(/^You asked: “hi”.*account\.$/);
});

test("an answer is recorded once, without what was said", async () => {
  const served = await serve();
  await (await served.ask("rehearsal", { stream: true }, {})).text();
  await (await served.ask("rehearsal/friendly")).text();
  expect(served.entries).toMatchObject([
    { method: "POST", path: "/v1/chat/completions", status: 200, asked: "rehearsal", provider: "rehearsal", attempts: 1 },
    { status: 200, asked: "rehearsal/friendly", outputTokens: expect.any(Number), inputTokens: expect.any(Number) },
  ]);
  expect(JSON.stringify(served.entries)).not.toMatch(/hi"|asked: “|Bearer|cox-token/);
});

test("a port in use is an error", async () => {
  const { port } = await serve();
  await expect(serve({ port })).rejects.toMatchObject({ code: "EADDRINUSE" });
});
