import { randomUUID } from "node:crypto";
import { statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cox, processesWith, startCox, temporaryFolder } from "../support/cox/start-cox.ts";
import type { Started } from "../support/cox/start-program.ts";

/** A user with a state directory of its own. */
type User = { readonly env: Record<string, string>; readonly socket: string; readonly mark: string };

function openUser(): User {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const id = randomUUID();
  const env = { XDG_STATE_HOME: folder.path, XDG_CONFIG_HOME: folder.path, COX_TEST: id };
  return { env, socket: join(folder.path, "coxswain/serve/socket"), mark: `COX_TEST=${id}` };
}

async function startServing({ env }: User, ...options: readonly string[]): Promise<Started> {
  const started = startCox(["serve", "--port", "0", ...options], { env });
  onTestFinished(async () => {
    started.child.kill("SIGKILL");
    await started.ended;
  });
  await started.until((stdout) => stdout.includes("http://"));
  return started;
}

const ask = (user: User, args: readonly string[], env: Record<string, string> = {}): ReturnType<typeof cox> =>
  cox(["ask", "--verbose", "-p", "rehearsal", ...args, "hi"], { env: { ...user.env, ...env } });

const SERVED = "# asked the running cox serve";

test("cox ask goes to the running cox serve of the same user, with the same output", async () => {
  const user = openUser();
  await startServing(user);
  expect(statSync(user.socket).mode & 0o777).toBe(0o600);
  const served = await ask(user, []);
  expect(served.stderr).toContain(SERVED);
  const alone = await ask(user, ["--no-serve"]);
  expect(alone.stderr).not.toContain("cox serve");
  expect(served).toMatchObject({ exitCode: 0, stdout: alone.stdout });
  const json = JSON.parse((await ask(user, ["--json"])).stdout);
  expect(json).toMatchObject({ provider: "rehearsal", finish: "stop", text: alone.stdout.trim() });
  const events = (await ask(user, ["--stream-json"])).stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  expect(events.at(-1)).toMatchObject({ type: "run-end", finish: "stop" });
  const failed = await ask(user, ["-m", "not-logged-in"]);
  expect(failed).toMatchObject({ exitCode: 3, stderr: expect.stringContaining(SERVED) });
});

test("another environment, other retries, sessions and the wish to be alone keep a question in its own process", async () => {
  const user = openUser();
  await startServing(user);
  const why = async (args: readonly string[], env?: Record<string, string>): Promise<string> => {
    const { exitCode, stderr } = await ask(user, args, env);
    expect(exitCode).toBe(0);
    return stderr;
  };
  expect(await why([], { ANTHROPIC_API_KEY: "another" })).toContain(
    "# runs alone, without cox serve: its environment or version differs",
  );
  for (const name of ["HTTPS_PROXY", "NODE_EXTRA_CA_CERTS", "MY_GATEWAY_TOKEN", "CLAUDE_CONFIG_DIR"])
    expect(await why([], { [name]: "/another" }), name).toContain("its environment or version differs");
  const unread = {
    TERM: "another",
    COLUMNS: "70",
    EDITOR: "vi",
    VIRTUAL_ENV: "/v",
    FOO: "1",
    CODEX_API_KEY: "k",
    GEMINI_MODEL: "m",
  };
  expect(await why([], unread)).toContain(SERVED);
  expect(await why(["--retries", "1"])).toContain("# runs alone, without cox serve: its --retries differs");
  expect(await why([], { COXSWAIN_SERVE: "off" })).not.toContain("cox serve");
  expect(await why(["--agent"])).not.toContain("cox serve");
  expect(await why(["--session", "a"])).not.toContain("cox serve");
});

test("without a server, with one that died, that is silent or that speaks another language, a question runs alone", async () => {
  const user = openUser();
  const server = await startServing(user);
  server.child.kill("SIGKILL");
  await server.ended;
  expect(await ask(user, [])).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("none is running") });
  // The next server takes the place of the dead one's socket.
  const next = await startServing(user);
  expect((await ask(user, [])).stderr).toContain(SERVED);
  next.child.kill("SIGTERM");
  await next.ended;
  for (const answer of [undefined, "HTTP/1.1 400 Bad Request\r\n\r\n", '{"accepted":true}\n']) {
    const foreign = createServer((socket) => {
      socket.on("error", () => {}).resume();
      if (answer !== undefined) socket.end(answer);
    });
    await new Promise<void>((resolve) => void foreign.listen(user.socket, resolve));
    expect(await ask(user, []), String(answer)).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("runs alone") });
    await new Promise((resolve) => foreign.close(resolve));
  }
  writeFileSync(user.socket, "not a socket");
  expect(await ask(user, [])).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("runs alone") });
});

test("a question that the server refuses because of a limit it has met runs alone", async () => {
  const user = openUser();
  await startServing(user);
  expect(await ask(user, ["-m", "quota"])).toMatchObject({ exitCode: 4, stderr: expect.stringContaining(SERVED) });
  const next = await ask(user, []);
  expect(next).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining("# runs alone, without cox serve: it asks no CLI now"),
  });
});

test("Ctrl-C cancels the run of the server, which goes on", async () => {
  const user = openUser();
  const server = await startServing(user);
  const asking = startCox(["ask", "--verbose", "-p", "rehearsal", "-m", "slow", "--stream-json", "hi"], { env: user.env });
  await asking.until((stdout) => stdout.includes("text-delta"));
  asking.child.kill("SIGINT");
  expect(await asking.ended).toMatchObject({ exitCode: 130, stdout: expect.stringContaining('"cancelled"') });
  while (processesWith(user.mark, "COXSWAIN_RUN=").length > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  const killed = startCox(["ask", "-p", "rehearsal", "-m", "slow", "--stream-json", "hi"], { env: user.env });
  await killed.until((stdout) => stdout.includes("text-delta"));
  killed.child.kill("SIGKILL");
  while (processesWith(user.mark, "COXSWAIN_RUN=").length > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  expect((await ask(user, [])).stderr).toContain(SERVED);
  expect(server.child.exitCode).toBeNull();
});

test("a server that dies during an answer ends it with a failure, not with a second answer", async () => {
  const user = openUser();
  const server = await startServing(user);
  const asking = startCox(["ask", "-p", "rehearsal", "-m", "slow", "--stream-json", "hi"], { env: user.env });
  await asking.until((stdout) => stdout.includes("text-delta"));
  server.child.kill("SIGKILL");
  const { exitCode, stdout } = await asking.ended;
  expect(exitCode).toBe(5);
  const events = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(events.filter(({ type }) => type === "run-start")).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({ type: "run-end", failure: { code: "connection-lost" } });
});
