import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { serveAsks } from "../../src/cli/remote/serve-asks.ts";
import { DEFAULT_LIMITS } from "../../src/gateway/gateway-options.ts";
import type { RequestEntry } from "../../src/gateway/index.ts";
import { type Client, createClient, type RunStream } from "../../src/index.ts";
import { Collector } from "../../src/run/collect.ts";
import { createRunStream } from "../../src/run/run-stream.ts";
import { openFleet } from "../support/clis/open-fleet.ts";
import { answersWhenTold } from "../support/clis/plays.ts";
import { openTestScope } from "../support/test-scope.ts";

const HOST = { environment: () => "here", retries: 0, limits: DEFAULT_LIMITS };
const QUESTION = { environment: "here", retries: 0, targets: [{ provider: "rehearsal" }], request: { prompt: "hi" } };

/** The path of a socket that answers questions as that of `cox serve` does. */
async function open(given?: Client, onRequest: (entry: RequestEntry) => void = () => {}): Promise<string> {
  const scope = openTestScope();
  const client = given ?? createClient({ env: { ...scope.env, XDG_STATE_HOME: scope.directory } });
  const path = join(scope.directory, "socket");
  const asks = await serveAsks(path, { ...HOST, client, onRequest });
  onTestFinished(async () => {
    await asks?.close(0);
    await client.close();
  });
  return path;
}

/** What the server answers to these lines. */
async function send(path: string, lines: readonly object[]): Promise<string> {
  const socket = connect(path);
  socket.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  let text = "";
  for await (const chunk of socket.setEncoding("utf8")) text += chunk;
  return text;
}

test("a question on the socket names no directory, program, login or environment, and starts no agent", async () => {
  const path = await open();
  expect(await send(path, [QUESTION])).toContain('"run-end"');
  const { request } = QUESTION;
  const asked: readonly object[] = [
    { ...QUESTION, request: { ...request, mode: "agent", cwd: "/", permissions: { mode: "bypass" } } },
    { ...QUESTION, request: { ...request, mcpServers: { own: { command: "sh" } } } },
    { ...QUESTION, request: { ...request, env: { NODE_OPTIONS: "--require /own.js" } } },
    { ...QUESTION, request: { ...request, session: { resume: "other" } } },
    { ...QUESTION, targets: [{ provider: "rehearsal", profile: "/own" }] },
    { ...QUESTION, targets: [{ provider: "rehearsal" }, { provider: "own" }] },
    { ...QUESTION, targets: [] },
    { ...QUESTION, targets: "rehearsal" },
    { ...QUESTION, targets: [null] },
    { ...QUESTION, request: null },
    { environment: "here", retries: 0 },
  ];
  for (const line of asked)
    expect(await send(path, [line]), JSON.stringify(line)).toBe('{"refused":"it answers plain questions only"}\n');
});

test("each question is reported once, without its words", async () => {
  const entries: RequestEntry[] = [];
  const path = await open(undefined, (entry) => entries.push(entry));
  await send(path, [QUESTION]);
  await send(path, [{ ...QUESTION, targets: [{ provider: "rehearsal", model: "not-logged-in" }, { provider: "rehearsal" }] }]);
  await expect.poll(() => entries.length).toBe(2);
  const known = { method: "cox", path: "ask", ms: expect.any(Number), provider: "rehearsal", attempts: 1, isWarm: false };
  const tokens = { inputTokens: expect.any(Number), outputTokens: expect.any(Number) };
  expect(entries).toEqual([
    { ...known, ...tokens, status: 200, asked: "rehearsal", model: "friendly" },
    { ...known, status: 401, asked: "rehearsal/not-logged-in,rehearsal", model: "not-logged-in", failure: "not-logged-in" },
  ]);
});

/** A client whose runs are these batches of text, and the number of its runs. */
function countingClient(batches: number, length: number): { readonly client: Client; readonly runs: () => number } {
  const real = createClient();
  let runs = 0;
  const run = (): RunStream => {
    runs += 1;
    let seq = 0;
    const text = "x".repeat(length);
    return createRunStream({
      next: () => (seq < batches ? [{ type: "text-delta", messageId: "a", text, seq: seq++, atMs: 0 }] : undefined),
      discard: () => undefined,
      cancel: () => undefined,
      done: Promise.resolve(new Collector().result()),
    });
  };
  return { client: { ...real, providers: real.providers, run: run as unknown as Client["run"] }, runs: () => runs };
}

test("after a refusal no further question of the connection is answered", async () => {
  const { client, runs } = countingClient(1, 1);
  const path = await open(client);
  expect(await send(path, [{ interrupt: true }, QUESTION])).toBe('{"refused":"it answers plain questions only"}\n');
  expect(runs()).toBe(0);
});

test("a terminal that is waited for many times leaves no listeners at its connection", async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  const path = await open(countingClient(50, 200_000).client);
  expect((await send(path, [QUESTION])).length).toBeGreaterThan(10_000_000);
  expect(warnings).toEqual([]);
});

test("a closing server starts no run: a waiting question ends at once, and a terminal that asks then is refused", async () => {
  const fleet = openFleet({ a: [answersWhenTold("go")] }, { policies: { limit: { total: 1 } } });
  const path = join(fleet.scope.directory, "socket");
  const asks = await serveAsks(path, { ...HOST, client: fleet.client, onRequest: () => {} });
  const question = { ...QUESTION, targets: [{ provider: "a" }] };
  const running = send(path, [question]);
  await expect.poll(() => fleet.starts("a")).toBe(1);
  const late = connect(path);
  const waiting = connect(path);
  waiting.write(`${JSON.stringify(question)}\n`);
  await untilLine(waiting, "queue-wait");
  const ended = new Promise((resolve) => waiting.once("close", resolve));
  const closed = asks?.close(600_000);
  await ended;
  late.write(`${JSON.stringify(question)}\n`);
  await untilLine(late, '{"refused":"it is closing"}');
  fleet.tell("a", "go");
  expect(await running).toContain("Told.");
  await closed;
  expect(fleet.starts("a")).toBe(1);
});

/** Resolves when the server has sent this text. */
async function untilLine(socket: Socket, words: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let text = "";
    socket.on("data", (chunk) => {
      text += String(chunk);
      if (text.includes(words)) resolve();
    });
    socket.once("close", () => reject(new Error(`the connection ended before ${words}: ${text}`)));
  });
}
