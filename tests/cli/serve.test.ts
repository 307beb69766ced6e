import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cox, processesWith, startCox, temporaryFolder } from "./start-cox.ts";
import type { Started } from "./start-program.ts";

/** A running `cox serve` with a state directory of its own. */
type Serving = Started & {
  readonly url: string;
  readonly mark: string;
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
  return { ...started, url, mark: `COX_TEST=${id}`, ask };
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
  expect(refused).toMatch(/401 GET \/v1\/models {2}/);
  expect(serving.stderr() + serving.stdout()).not.toMatch(/SECRET|Bearer cox-/);
});

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
