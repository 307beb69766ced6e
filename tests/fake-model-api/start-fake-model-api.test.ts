import { execFile } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { type FakeModelApi, startFakeModelApi } from "../../src/testing/fake-model-api/start-fake-model-api.ts";
import { askFakeApi } from "./ask-fake-api.ts";
import { protocolCases } from "./protocol-cases.ts";

let api: FakeModelApi;
afterEach(() => api?.close());

describe.each(protocolCases)("a fake API with $protocol", ({ protocol, path, readEvents, readText }) => {
  /** The text of the deltas so far. */
  const readBegun = (stream: string): string => {
    const end = Math.max(stream.lastIndexOf("\n\n") + 2, stream.lastIndexOf("\r\n\r\n") + 4);
    return readText(readEvents(end < 4 ? "" : stream.slice(0, end)));
  };

  test("records every request, and model requests separately", async () => {
    api = await startFakeModelApi(protocol);
    await fetch(api.url, { method: "HEAD" });
    const headers = { "x-api-key": "key-1" };
    const body = '{"model": "m", "stream": true, "text": "é"}';
    await fetch(`${api.url}${path(true)}?beta=true`, { method: "POST", headers, body }).then((response) => response.text());
    await fetch(`${api.url}/v1/models`).then((response) => response.text());
    expect(api.requests.map((request) => [request.method, request.path])).toEqual([
      ["HEAD", "/"],
      ["POST", path(true)],
      ["GET", "/v1/models"],
    ]);
    expect(api.modelRequests).toEqual([api.requests[1]]);
    expect(api.modelRequests[0]).toMatchObject({
      query: "?beta=true",
      headers,
      rawBody: body,
      body: { text: "é", stream: true },
    });
  });

  test("answers requests that are no model requests", async () => {
    api = await startFakeModelApi(protocol, { kind: "cut" });
    expect((await fetch(api.url, { method: "HEAD" })).status).toBe(200);
    for (const unknown of ["/", "/v1/models", "/v1/nothing?x=1"]) {
      const response = await fetch(api.url + unknown);
      expect([response.status, await response.json()]).toMatchObject([404, { error: { message: expect.any(String) } }]);
    }
    const notJson = await fetch(api.url + path(false), { method: "POST", body: "{" });
    expect([notJson.status, await notJson.json()]).toMatchObject([400, { error: { message: "The body is not a JSON object." } }]);
    expect([api.requests.length, api.modelRequests.length]).toEqual([5, 0]);
  });

  test("listens on the loopback address only", async () => {
    api = await startFakeModelApi(protocol);
    expect(api.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(api.url, { method: "HEAD" })).status).toBe(200);
    for (const other of ["127.0.0.2", "[::1]"]) await expect(fetch(api.url.replace("127.0.0.1", other))).rejects.toThrow();
  });

  test("waits for the given delay between deltas", async () => {
    api = await startFakeModelApi(protocol, { kind: "text", text: "one two", deltas: 4, delayMs: 40 });
    const before = performance.now();
    expect(readBegun((await askFakeApi(api.url + path(true), { stream: true })).text)).toBe("one two");
    expect(performance.now() - before).toBeGreaterThan(3 * 39);
  });

  test("refuses an upgrade and ends the connection", async () => {
    api = await startFakeModelApi(protocol);
    const socket = connect(Number(new URL(api.url).port), "127.0.0.1").setEncoding("utf8");
    socket.write(`GET ${path(true)} HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n`);
    expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1\.1 426 Upgrade Required\r\n/);
    if (!socket.closed) await once(socket, "close");
    expect(api.requests).toMatchObject([{ method: "GET", path: path(true), headers: { upgrade: "websocket" } }]);
  });

  test("gives the answers in order and then repeats the last", async () => {
    api = await startFakeModelApi(protocol, [
      { kind: "http-error", status: 500 },
      { kind: "text", text: "second" },
    ]);
    const statuses = [];
    for (let turn = 0; turn < 3; turn += 1) statuses.push((await askFakeApi(api.url + path(false), {})).response.status);
    expect(statuses).toEqual([500, 200, 200]);
    api.answerWith((request, index) => ({ kind: "text", text: `${index}: ${request.rawBody.length}` }));
    const answers = [await askFakeApi(api.url + path(false), {}), await askFakeApi(api.url + path(false), { more: 1 })];
    expect(answers.map(({ text }) => /"(?:text|content)":"(\d: \d+)"/.exec(text)?.[1])).toEqual(["0: 19", "1: 28"]);
  });

  test("answers concurrent clients independently", async () => {
    api = await startFakeModelApi(protocol, ({ body }) => ({
      kind: "text",
      text: `for ${(body as { user: string }).user}`,
      deltas: 6,
      delayMs: 5,
    }));
    const users = Array.from({ length: 20 }, (_, index) => `user-${index}`);
    const answers = await Promise.all(users.map((user) => askFakeApi(api.url + path(true), { user, stream: true })));
    expect(answers.map(({ text }) => readBegun(text))).toEqual(users.map((user) => `for ${user}`));
    expect(api.modelRequests).toHaveLength(20);
  });

  test.each([true, false])("sends five megabytes completely, streamed or not (%s)", async (stream) => {
    const text = "0123456789abcdeé".repeat(5 * 65_536);
    api = await startFakeModelApi(protocol, { kind: "text", text });
    const { text: received } = await askFakeApi(api.url + path(stream), { stream });
    const whole = stream ? readBegun(received) : JSON.stringify(text).slice(1, -1);
    expect(stream ? whole === text : received.includes(whole)).toBe(true);
  });

  test.each([undefined, "Begin"])("sends nothing after %s until the client disconnects", async (afterText) => {
    api = await startFakeModelApi(protocol, { kind: "stall", ...(afterText === undefined ? {} : { afterText }) });
    const leaving = new AbortController();
    const body = JSON.stringify({ stream: true });
    const asked = fetch(api.url + path(true), { method: "POST", body, signal: leaving.signal });
    if (afterText === undefined) {
      while (api.modelRequests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      leaving.abort();
      await expect(asked).rejects.toThrow("aborted");
    } else {
      const reader = (await asked).body?.pipeThrough(new TextDecoderStream()).getReader();
      let received = "";
      while (readBegun(received) !== afterText) received += (await reader?.read())?.value ?? "";
      const next = reader?.read();
      leaving.abort();
      await expect(next).rejects.toThrow("aborted");
    }
    api.answerWith({ kind: "text", text: "still here" });
    expect((await askFakeApi(api.url + path(false), {})).text).toContain("still here");
  });

  test("close() ends every connection, also stalled and slow ones", async () => {
    api = await startFakeModelApi(protocol, [
      { kind: "stall" },
      { kind: "stall", afterText: "x" },
      { kind: "text", text: "slow", delayMs: 3_600_000 },
    ]);
    const asked = Array.from({ length: 3 }, () => askFakeApi(api.url + path(true), { stream: true }));
    const outcomes = Promise.allSettled(asked);
    while (api.modelRequests.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    await Promise.all([api.close(), api.close()]);
    expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    await expect(fetch(api.url)).rejects.toThrow();
  });
});

test("an inconsistent answer is reported with status 500", async () => {
  api = await startFakeModelApi("openai-responses", { kind: "text", text: "abc", deltas: ["a", "b"] });
  const { response, text } = await askFakeApi(`${api.url}/v1/responses`, { stream: true });
  expect([response.status, text]).toEqual([500, expect.stringContaining("must together be its text")]);
  expect(() => api.answerWith([])).toThrow("at least one answer");
});

test("a closed server does not keep the process alive", async () => {
  const script = `
    const { startFakeModelApi } = await import(process.argv[1]);
    const api = await startFakeModelApi("anthropic-messages", { kind: "text", text: "slow", delayMs: 3_600_000 });
    const asked = fetch(api.url + "/v1/messages", { method: "POST", body: '{"stream":true}' })
      .then((response) => response.text())
      .catch(() => "ended");
    while (api.modelRequests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await api[Symbol.asyncDispose]();
    console.log(await asked);`;
  const module = new URL("../../src/testing/fake-model-api/start-fake-model-api.ts", import.meta.url).href;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script, module], {
    timeout: 20_000,
  });
  expect(stdout).toBe("ended\n");
});
