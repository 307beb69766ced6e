import { request as requestHttp } from "node:http";
import { expect, it, onTestFinished, vi } from "vitest";
import { openBridge } from "./open-bridge.ts";

const CALL = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "act", arguments: {} } });

type Attack = {
  readonly what: string;
  readonly status: number | undefined;
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
};

const ATTACKS: readonly Attack[] = [
  { what: "another name of this machine, as after DNS rebinding", status: 403, headers: { host: "attacker.example" } },
  { what: "the same address with another port", status: 403, headers: { host: "127.0.0.1:1" } },
  { what: "a web page", status: 403, headers: { origin: "https://attacker.example" } },
  { what: "a web page without an origin of its own", status: 403, headers: { origin: "null" } },
  { what: "another path", status: 404, path: "/" },
  { what: "a longer path", status: 404, path: "more" },
  { what: "no token", status: 401, headers: { authorization: undefined } },
  { what: "a wrong token", status: 401, headers: { authorization: "Bearer wrong" } },
  { what: "the token in another scheme", status: 401, headers: { authorization: "Basic" } },
  { what: "a stream for notifications", status: 405, method: "GET" },
  { what: "the end of a session", status: 405, method: "DELETE" },
  { what: "a form", status: 415, headers: { "content-type": "text/plain" } },
  { what: "a compressed body", status: 415, headers: { "content-encoding": "gzip" } },
  { what: "a body that is too large", status: 413, headers: { "content-length": String(9 * 1024 * 1024) }, body: "" },
  { what: "no JSON", status: 400, body: "act" },
  { what: "JSON with too many levels", status: 400, body: "[".repeat(5_000) + "]".repeat(5_000) },
  { what: "a list of requests", status: 400, body: `[${CALL}]` },
  { what: "another version of MCP", status: 400, headers: { "mcp-protocol-version": "1999-01-01" } },
];

it.each(ATTACKS)("$what gets status $status, and nothing is called", async (attack) => {
  const { status, call } = await send(attack);
  expect(status).toBe(attack.status);
  expect(call).not.toHaveBeenCalled();
});

it("the same request without the attack is answered", async () => {
  const { status, call } = await send({ what: "", status: 200 });
  expect([status, call.mock.calls.length]).toEqual([200, 1]);
});

it("a body without a length is read up to the limit only", async () => {
  const { status, call } = await send({ what: "", status: undefined, body: `"${"x".repeat(9 * 1024 * 1024)}"` });
  expect([status, call.mock.calls.length]).toEqual([expect.toSatisfy((given) => given === 413 || given === undefined), 0]);
});

async function send({ method = "POST", path, headers = {}, body = CALL }: Attack) {
  const call = vi.fn(async () => ({ text: "Done.", isError: false }));
  const bridge = await openBridge({ tools: [{ name: "act" }], call });
  onTestFinished(() => bridge.close());
  const url = new URL(bridge.server.url);
  const own = { authorization: bridge.server.headers?.["Authorization"], "content-type": "application/json", host: url.host };
  const given = Object.entries({ ...own, ...headers }).filter(([, value]) => value !== undefined);
  const wanted = path === undefined ? url.pathname : path === "/" ? path : url.pathname + path;
  const status = await new Promise<number | undefined>((resolve) => {
    const request = requestHttp({
      host: url.hostname,
      port: url.port,
      path: wanted,
      method,
      headers: Object.fromEntries(given) as Record<string, string>,
    });
    request.on("error", () => resolve(undefined));
    request.on("response", (response) => {
      response.resume();
      response.on("close", () => resolve(response.statusCode));
    });
    request.write(body === "" ? "x" : body);
    if (body !== "") request.end();
  });
  return { status, call };
}
