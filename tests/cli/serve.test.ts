import { randomUUID } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { request } from "node:http";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cox, processesWith, startCox, temporaryFolder } from "../support/cox/start-cox.ts";
import type { Started } from "../support/cox/start-program.ts";

/** A running `cox serve` with a state directory of its own. */
type Serving = Started & {
  readonly url: string;
  readonly mark: string;
  readonly token: string;
  /** The private socket for terminals. */
  readonly socket: string;
  ask(body: object, signal?: AbortSignal): Promise<Response>;
};

async function startServing(...options: readonly string[]): Promise<Serving> {
  const folder = temporaryFolder();
  const id = randomUUID();
  const env = { XDG_STATE_HOME: folder.path, XDG_CONFIG_HOME: folder.path, COX_TEST: id };
  const started = startCox(["serve", "--port", "0", ...options], { env });
  onTestFinished(async () => {
    started.child.kill("SIGKILL");
    await started.ended;
    folder[Symbol.dispose]();
  });
  await started.until((stdout) => /http:\/\/[\d.]+:\d+/.test(stdout));
  const url = /http:\/\/[\d.]+:\d+/.exec(started.stdout())?.[0] ?? "";
  const token = (await cox(["serve", "token"], { env })).stdout.trim();
  const ask: Serving["ask"] = (body, signal) =>
    fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "rehearsal", messages: [{ role: "user", content: "SECRET-PROMPT" }], ...body }),
      ...(signal !== undefined && { signal }),
    });
  const socket = join(folder.path, "coxswain/serve/socket");
  return { ...started, url, token, socket, mark: `COX_TEST=${id}`, ask };
}

test("it says where it listens and how to try it, and one line for each request without what was said", async () => {
  const serving = await startServing();
  expect(serving.stdout()).toContain("cox serve token");
  expect(serving.stdout()).toContain(`OPENAI_BASE_URL=${serving.url}/v1`);
  expect((await serving.ask({})).status).toBe(200);
  expect((await serving.ask({ model: "nobody" })).status).toBe(404);
  expect((await fetch(`${serving.url}/v1/models?token=SECRET-QUERY`)).status).toBe(401);
  await serving.until((_, stderr) => stderr.split("\n").length > 3);
  const [answered, unknown, refused] = serving.stderr().split("\n");
  expect(answered).toMatch(
    /^\d\d:\d\d:\d\d 200 POST \/v1\/chat\/completions {2}rehearsal → rehearsal\/\S+ {2}.* {2}\d+\+\d+ tokens$/,
  );
  expect(unknown).toMatch(/404 POST \/v1\/chat\/completions {2}nobody {2}.* {2}model-unknown$/);
  expect(refused).toMatch(/401 GET \/v1\/models {2}.* {2}not-logged-in$/);
  expect(serving.stderr() + serving.stdout()).not.toMatch(/SECRET|Bearer cox-/);
});

test("the memory of large requests has a limit, and is given back when they have ended", async () => {
  const serving = await startServing("--max-bodies", "64");
  const memory = (field: string): number => memoryOf(serving.child.pid ?? 0, field);
  const before = memory("VmRSS");
  const content = "x".repeat(30 * 1024 * 1024);
  const body = Buffer.from(JSON.stringify({ model: "rehearsal", messages: [{ role: "user", content }] }));
  const statuses = await Promise.all(Array.from({ length: 20 }, () => post(serving, body)));
  // A prompt of this size is refused by its limit; all other requests by that of the bodies.
  expect(new Set(statuses)).toEqual(new Set([400, 503]));
  expect(memory("VmHWM") - before, "20 bodies of 30 MB").toBeLessThan(500);
  await expect.poll(() => memory("VmRSS") - before, { timeout: 30_000 }).toBeLessThan(128);
});

test("a line without an end on the private socket is refused at the limit of bodies, and ends no server", async () => {
  const serving = await startServing();
  const before = memoryOf(serving.child.pid ?? 0, "VmRSS");
  expect(await sendEndlessLine(serving.socket, 700)).toBe('{"refused":"the question has more than 33554432 bytes"}\n');
  const many = await Promise.all(Array.from({ length: 8 }, () => sendEndlessLine(serving.socket, 30)));
  expect(many.filter((answer) => answer.includes("too many bytes")).length).toBeGreaterThanOrEqual(4);
  expect(memoryOf(serving.child.pid ?? 0, "VmHWM") - before).toBeLessThan(500);
  for (const line of [
    "[".repeat(100_000),
    "{}",
    "null",
    '{"targets":[{"provider":"rehearsal"}],"request":{"prompt":1}}',
    "\0\xff",
  ])
    await sendLine(serving.socket, line);
  expect((await serving.ask({})).status).toBe(200);
});

/** Sends a line of so many megabytes and no end, and returns the answer; the connection is closed if there is none. */
async function sendEndlessLine(path: string, megabytes: number): Promise<string> {
  const socket = connect(path).setEncoding("utf8");
  let answer = "";
  socket.on("data", (chunk: string) => {
    answer += chunk;
  });
  // The server may close the connection before everything is written.
  const isOver = new Promise<void>((resolve) => void socket.on("error", () => {}).once("close", () => resolve()));
  const piece = Buffer.alloc(1024 * 1024, "x");
  for (let sent = 0; sent < megabytes && socket.writable; sent += 1)
    await new Promise<void>((resolve) => void socket.write(piece, () => resolve()));
  const silence = setTimeout(() => socket.destroy(), 3000);
  await isOver;
  clearTimeout(silence);
  return answer;
}

async function sendLine(path: string, line: string): Promise<void> {
  const socket = connect(path);
  socket.on("error", () => {}).end(`${line}\n`);
  await new Promise((resolve) => socket.resume().once("close", resolve));
}

/** Memory of a process in megabytes. */
function memoryOf(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)?.[1]) / 1024;
}

/** Sends a body that all requests share; the client of a test would hold a copy for each. */
async function post({ url, token }: Serving, body: Buffer): Promise<number | undefined> {
  return await new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "content-length": body.length,
    };
    const sent = request(`${url}/v1/chat/completions`, { method: "POST", agent: false, headers }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode));
    });
    sent.once("error", reject).end(body);
  });
}

test("--json prints JSON lines", async () => {
  const serving = await startServing("--json");
  await (await serving.ask({ stream: true })).text();
  await serving.until((_, stderr) => stderr.includes("\n"));
  expect(JSON.parse(serving.stdout())).toMatchObject({ type: "listening", url: serving.url, tokenPath: expect.any(String) });
  expect(JSON.parse(serving.stderr())).toMatchObject({ type: "request", status: 200, asked: "rehearsal", provider: "rehearsal" });
});

test("SIGTERM lets an answer finish, ends with 0, and leaves no process", async () => {
  const serving = await startServing();
  const response = await serving.ask({ model: "rehearsal/slow", stream: true });
  serving.child.kill("SIGTERM");
  expect(await response.text()).toContain("[DONE]");
  expect(await serving.ended).toMatchObject({ exitCode: 0, signal: null });
  expect(serving.stderr()).toContain("Waiting up to 30 s for answers in progress.");
  expect(processesWith(serving.mark, "COXSWAIN_RUN=")).toEqual([]);
});

test("a second signal, or the deadline, cancels the answers", async () => {
  const [twice, late] = [await startServing(), await startServing("--drain-seconds", "0.2")];
  for (const serving of [twice, late]) {
    const response = await serving.ask({ model: "rehearsal/slow", stream: true });
    serving.child.kill("SIGINT");
    if (serving === twice) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      serving.child.kill("SIGINT");
    }
    expect(await response.text()).not.toContain("[DONE]");
    expect(await serving.ended).toMatchObject({ exitCode: 0 });
    expect(processesWith(serving.mark, "COXSWAIN_RUN=")).toEqual([]);
  }
});

test("the token is private, stays the same, and can be renewed", async () => {
  using folder = temporaryFolder();
  const env = { XDG_STATE_HOME: folder.path };
  const first = await cox(["serve", "token"], { env });
  expect(first).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^cox-[\w-]{32}\n$/) });
  expect((await cox(["serve", "token"], { env })).stdout).toBe(first.stdout);
  expect(statSync(join(folder.path, "coxswain/serve/token")).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder.path, "coxswain/serve")).mode & 0o777).toBe(0o700);
  const renewed = await cox(["serve", "token", "--renew"], { env });
  expect(renewed.stdout).not.toBe(first.stdout);
  expect((await cox(["serve", "token"], { env })).stdout).toBe(renewed.stdout);
});

test("a port in use, --no-auth beyond this machine, and a missing directory are usage errors", async () => {
  using folder = temporaryFolder();
  const env = { XDG_STATE_HOME: folder.path };
  const other = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  const port = String((other.address() as { port: number }).port);
  const serve = async (...args: readonly string[]): Promise<unknown> => await cox(["serve", ...args], { env });
  expect(await serve("--port", port)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("another program listens there"),
  });
  other.close();
  const open = await serve("--no-auth", "--host", "0.0.0.0", "--port", "0");
  expect(open).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("loopback") });
  expect(await serve("--allow-agent", join(folder.path, "none"))).toMatchObject({ exitCode: 2 });
  expect(await serve("--permission-mode", "plan")).toMatchObject({ exitCode: 2 });
  expect(await serve("--allow-origin", "localhost:3000")).toMatchObject({ exitCode: 2 });
});

test("it does not start with its own address as the API of its CLIs", async () => {
  const env = { ANTHROPIC_BASE_URL: "http://127.0.0.1:8417" };
  const refused = await cox(["serve", "--no-auth"], { env });
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("env -u ANTHROPIC_BASE_URL cox serve") });
});

test("a state directory that cannot be used is an error with what to do; without a token the gateway works there", async () => {
  using folder = temporaryFolder();
  folder.write("coxswain", "");
  const env = { XDG_STATE_HOME: folder.path };
  for (const words of [["token"], ["token", "--renew"], []]) {
    const { stderr, exitCode } = await cox(["serve", ...words], { env });
    expect([exitCode, stderr.replaceAll(/\s+/g, " ")]).toEqual([
      7,
      expect.stringMatching(
        /^✗ The token of the gateway cannot be stored: \S+ is not a directory\. → Remove it, or set XDG_STATE_HOME/,
      ),
    ]);
  }
  const open = startCox(["serve", "--no-auth", "--port", "0"], { env });
  await open.until((stdout) => stdout.includes("http://"));
  open.child.kill("SIGTERM");
  expect((await open.ended).exitCode).toBe(0);
});
