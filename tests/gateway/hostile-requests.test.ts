import { connect } from "node:net";
import { expect, test } from "vitest";
import { rawRequest, readRaw, sendRaw, serve, TOKEN } from "../support/serve-gateway.ts";

const CHAT = "/v1/chat/completions";
const MESSAGES = "/v1/messages";
const question = { model: "rehearsal", max_tokens: 100, messages: [{ role: "user", content: "hi" }] };
const post = (path: string, body: string | Buffer, headers: Record<string, string> = {}): Buffer =>
  rawRequest(`POST ${path}`, headers, body);

const deep = `{"model":"rehearsal","messages":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
const invalidUtf8 = Buffer.concat([Buffer.from('{"model":"rehear'), Buffer.from([0xc3, 0x28, 0xff]), Buffer.from('"}')]);

type BadBody = readonly [name: string, status: number, body: string | Buffer, headers?: Record<string, string>];
const BAD_BODIES: readonly BadBody[] = [
  ["no JSON", 400, "{model"],
  ["a list", 400, "[]"],
  ["null", 400, "null"],
  ["a text", 400, '"hi"'],
  ["an empty object", 400, "{}"],
  ["wrong types", 400, JSON.stringify({ model: 7, messages: "hi", max_tokens: "many" })],
  ["messages that are numbers", 400, JSON.stringify({ ...question, messages: [1, 2] })],
  ["keys of the prototype", 400, '{"__proto__":{"model":"rehearsal"},"constructor":1}'],
  ["deep JSON", 400, deep],
  ["invalid UTF-8", 400, invalidUtf8],
  ["another content type", 415, JSON.stringify(question), { "content-type": "text/plain" }],
  ["a form", 415, "model=rehearsal", { "content-type": "application/x-www-form-urlencoded" }],
  ["another charset", 415, JSON.stringify(question), { "content-type": "application/json; charset=utf-16" }],
  ["a compressed body", 415, JSON.stringify(question), { "content-encoding": "gzip" }],
  ["too many bytes", 413, JSON.stringify({ ...question, more: "x".repeat(300_000) })],
  ["an unknown model", 404, JSON.stringify({ ...question, model: "nobody/nothing" })],
  ["a model with control characters", 404, JSON.stringify({ ...question, model: "\u001b[2J\n" })],
];

const rows = BAD_BODIES.map(([name, status, body, headers = {}]) => ({ name, status, body, headers }));
test.each(rows)("$name is refused with $status in both vendors' forms", async ({ status, body, headers }) => {
  const { port, send } = await serve({ limits: { bodyBytes: 250_000 } });
  const openai = readRaw(await sendRaw(port, post(CHAT, body, headers)));
  expect(openai).toMatchObject({ status, body: { error: { message: expect.any(String), type: expect.any(String) } } });
  expect(openai.body).not.toHaveProperty("type");
  const anthropic = readRaw(await sendRaw(port, post(MESSAGES, body, headers)));
  expect(anthropic).toMatchObject({ status, body: { type: "error", error: { type: expect.stringMatching(/_error$|_large$/) } } });
  expect((await send("/healthz")).status).toBe(200);
});

const BAD_TARGETS: readonly (readonly [line: string, status: number])[] = [
  ["GET //v1/models", 400],
  ["GET /v1//models", 400],
  ["GET /v1/./models", 400],
  ["GET /v1/../v1/models", 400],
  ["GET /v1/%2e%2e/v1/models", 400],
  ["GET /v1/%2E./models", 400],
  ["GET /v1\\models", 400],
  ["GET /v1/models%00", 400],
  ["GET /v1/models/a%0D%0ab", 400],
  ["GET http://evil.test/v1/models", 400],
  ["GET *", 400],
  ["GET /v1/models/", 404],
  ["GET /v1/models;x", 404],
  ["GET /V1/MODELS", 404],
  ["GET /v1/chat/completions/x", 404],
  ["GET /etc/passwd", 404],
  ["GET /", 404],
  ["POST /chat/completions", 404],
  ["GET /v1/chat/completions", 405],
  ["DELETE /v1/messages", 405],
  ["PUT /v1/models", 405],
  ["TRACE /v1/models", 405],
  ["BREW /v1/models", 400],
];

test("path tricks and wrong methods get a 4xx with an error in JSON, and the server goes on", async () => {
  const { port, send } = await serve();
  for (const [line, status] of BAD_TARGETS) {
    const answer = readRaw(await sendRaw(port, rawRequest(line)));
    expect(answer, line).toMatchObject({ status, body: { error: { message: expect.any(String) } } });
  }
  const wrong = await send(CHAT);
  expect(wrong.headers.get("allow")).toBe("POST");
  const missing = await send("/chat/completions", { method: "POST" });
  expect(await missing.json()).toMatchObject({ error: { message: expect.stringContaining(`Did you mean ${CHAT}?`) } });
});

test("a head that is too large, or no HTTP, is refused", async () => {
  const { port, send } = await serve();
  expect(readRaw(await sendRaw(port, rawRequest("GET /v1/models", { "x-much": "x".repeat(64 * 1024) }))).status).toBe(431);
  expect(readRaw(await sendRaw(port, "\x16\x03\x01\x02\x00\x01\r\n\r\n")).status).toBe(400);
  expect(
    readRaw(await sendRaw(port, "GET /v1/models HTTP/1.1\r\nhost: 127.0.0.1\r\nhost: evil.test\r\nconnection: close\r\n\r\n"))
      .status,
  ).toBe(403);
  expect(readRaw(await sendRaw(port, "GET /v1/models HTTP/1.1\r\nconnection: close\r\n\r\n")).status).toBe(400);
  const smuggled = { "transfer-encoding": "chunked" };
  expect(readRaw(await sendRaw(port, post(CHAT, "0\r\n\r\n", smuggled))).status).toBe(400);
  expect((await send("/healthz")).status).toBe(200);
});

test("a chunked body is bounded as it comes", async () => {
  const { port, send, ask } = await serve({ limits: { bodyBytes: 100_000 } });
  const head = rawRequest(`POST ${CHAT}`, { "transfer-encoding": "chunked", "content-type": "application/json" });
  const chunk = `${(50_000).toString(16)}\r\n${" ".repeat(50_000)}\r\n`;
  // The end of the body never comes: the refusal does not wait for it.
  expect(readRaw(await sendRaw(port, head, chunk, chunk, chunk))).toMatchObject({ status: 413, body: { error: {} } });
  const body = JSON.stringify(question);
  const whole = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  expect(readRaw(await sendRaw(port, head, whole))).toMatchObject({ status: 200 });
  expect((await send("/healthz")).status).toBe(200);
  expect((await ask("rehearsal")).status).toBe(200);
});

test("a client that sends its head or its body too slowly is refused with 408", async () => {
  const { port, send } = await serve({ server: { headMs: 300 }, limits: { bodyMs: 300 } });
  expect(readRaw(await sendRaw(port, "GET /v1/models HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: "))).toMatchObject({ status: 408 });
  const head = rawRequest(`POST ${MESSAGES}`, { "content-type": "application/json", "content-length": "1000" });
  expect(readRaw(await sendRaw(port, head, '{"model":'))).toMatchObject({ status: 408, body: { type: "error" } });
  const chunked = rawRequest(`POST ${CHAT}`, { "content-type": "application/json", "transfer-encoding": "chunked" });
  expect(readRaw(await sendRaw(port, chunked, '5\r\n{"mod\r\n'))).toMatchObject({ status: 408, body: { error: {} } });
  expect((await send("/healthz")).status).toBe(200);
});

test("hundreds of connections that say nothing do not keep others out", async () => {
  const { port, send } = await serve();
  const silent = Array.from({ length: 300 }, () => connect(port, "127.0.0.1"));
  for (const socket of silent) socket.on("error", () => {});
  expect((await send("/v1/models")).status).toBe(200);
  for (const socket of silent) socket.destroy();
});

test("a wrong token costs no reading of the body", async () => {
  const { port } = await serve();
  const head = post(CHAT, "", {
    authorization: `Bearer ${TOKEN}x`,
    "content-type": "application/json",
    "content-length": "30000000",
  });
  expect(readRaw(await sendRaw(port, head))).toMatchObject({ status: 401 });
});

test("the name of a model is neither an endless chain nor an endless header", async () => {
  const { ask, entries } = await serve();
  for (const model of ["rehearsal,".repeat(100_000).slice(0, -1), `rehearsal/${"x".repeat(1_000_000)}`, "y".repeat(1_000_000)]) {
    const response = await ask(model);
    expect(response.status).toBe(404);
    expect((await response.text()).length).toBeLessThan(2000);
  }
  expect(entries.map(({ asked = "" }) => asked.length).every((length) => length <= 500)).toBe(true);
});

test("a request with too many or too long stop sequences is refused, and starts no CLI", async () => {
  const { ask, processes } = await serve();
  for (const stop of [Array.from({ length: 300_000 }, () => "x"), ["x".repeat(100_000)]]) {
    const response = await ask("rehearsal/slow", { stop });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining("stop sequences") } });
  }
  expect(await processes()).toEqual([]);
});
