import { expect, test } from "vitest";
import { serveGateway } from "../../src/gateway/index.ts";
import { createClient } from "../../src/index.ts";
import { rawRequest, readRaw, sendRaw, serve, TOKEN } from "../support/serve-gateway.ts";

const MODELS = "/v1/models";

test("a request needs the token, as bearer or as x-api-key", async () => {
  const { url } = await serve();
  const status = async (headers: Record<string, string>): Promise<number> => (await fetch(url + MODELS, { headers })).status;
  expect(await status({ authorization: `Bearer ${TOKEN}` })).toBe(200);
  expect(await status({ authorization: `bearer  ${TOKEN}` })).toBe(200);
  expect(await status({ "x-api-key": TOKEN })).toBe(200);
  expect(await status({})).toBe(401);
  expect(await status({ authorization: TOKEN })).toBe(401);
  expect(await status({ authorization: `Basic ${TOKEN}` })).toBe(401);
  expect(await status({ authorization: `Bearer ${TOKEN}x` })).toBe(401);
  expect(await status({ "x-api-key": TOKEN.toUpperCase() })).toBe(401);
  const refused = await fetch(url + MODELS, { headers: { "x-api-key": "wrong" } });
  expect(refused.headers.get("www-authenticate")).toBe("Bearer");
  expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining("cox serve token") } });
});

test("an unknown path says nothing without the token", async () => {
  const { url } = await serve();
  expect((await fetch(`${url}/v1/nothing`)).status).toBe(401);
});

test("a token in the query is refused, also beside a right one in the header", async () => {
  const { send } = await serve();
  for (const name of ["token", "key", "api_key", "access_token", "X-API-Key"])
    expect((await send(`${MODELS}?${name}=${TOKEN}`)).status, name).toBe(401);
  expect((await send(`${MODELS}?beta=true`)).status).toBe(200);
});

test("the health needs no token and says nothing else", async () => {
  const { url } = await serve();
  const response = await fetch(`${url}/healthz`);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ status: "ok" });
});

test("a Host of another name is refused, so that no web page can point its own name here", async () => {
  const { port } = await serve({ hosts: ["gateway.test"] });
  const status = async (host: string): Promise<number> =>
    readRaw(await sendRaw(port, rawRequest(`GET ${MODELS}`, { host }))).status;
  expect(await status(`127.0.0.1:${port}`)).toBe(200);
  expect(await status(`localhost:${port}`)).toBe(200);
  expect(await status("[::1]")).toBe(200);
  expect(await status(`Gateway.Test:${port}`)).toBe(200);
  expect(await status("evil.test")).toBe(403);
  expect(await status("127.0.0.1.evil.test")).toBe(403);
  expect(await status("localhost.evil.test")).toBe(403);
  expect(readRaw(await sendRaw(port, rawRequest("GET /healthz", { host: "evil.test" }))).status).toBe(403);
});

test("a web page is refused unless its origin is named; the named one gets CORS, preflight included", async () => {
  const { url, send } = await serve({ origins: ["http://page.test"] });
  const refused = await send(MODELS, { headers: { origin: "http://evil.test" } });
  expect(refused.status).toBe(403);
  expect(refused.headers.get("access-control-allow-origin")).toBeNull();
  expect((await send(MODELS, { headers: { origin: "null" } })).status).toBe(403);
  const allowed = await send(MODELS, { headers: { origin: "http://page.test" } });
  expect(allowed.status).toBe(200);
  expect(allowed.headers.get("access-control-allow-origin")).toBe("http://page.test");
  const ask = { "access-control-request-method": "POST", "access-control-request-headers": "authorization,x-stainless-os" };
  const preflight = (origin: string): Promise<Response> =>
    fetch(url + MODELS, { method: "OPTIONS", headers: { ...ask, origin } });
  const yes = await preflight("http://page.test");
  expect(yes.status).toBe(204);
  expect(yes.headers.get("access-control-allow-headers")).toBe("authorization,x-stainless-os");
  expect((await preflight("http://evil.test")).status).toBe(403);
  // Without a token no page gets an answer, whatever its origin.
  expect((await fetch(url + MODELS, { headers: { origin: "http://page.test" } })).status).toBe(401);
});

test("without named origins CORS is off", async () => {
  const { url } = await serve();
  const headers = { origin: "http://localhost:3000", "access-control-request-method": "POST" };
  const preflight = await fetch(url + MODELS, { method: "OPTIONS", headers });
  expect(preflight.status).toBe(403);
  expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
});

test("a gateway without a token listens on the loopback interface only", async () => {
  const { url } = await serve({ token: false });
  expect((await fetch(url + MODELS)).status).toBe(200);
  await using client = createClient();
  for (const host of ["0.0.0.0", "::", "192.0.2.1", "127.0.0.1.evil.test"])
    await expect(serveGateway({ client, token: false, port: 0, host }), host).rejects.toThrow(TypeError);
});

test("a token that is empty, missing or cannot be sent is no token", async () => {
  await using client = createClient();
  for (const token of ["", " ", "two words", undefined, null, true, 7])
    await expect(serveGateway({ client, token: token as string, port: 0 }), String(token)).rejects.toThrow(TypeError);
});

test("it listens at 127.0.0.1 unless told otherwise", async () => {
  const { url } = await serve();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const other = await serve({ host: "127.0.0.2" });
  expect((await other.send(MODELS)).status).toBe(200);
});
