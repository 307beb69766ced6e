import { connect } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { serveAsks } from "../../src/cli/terminal/serve-asks.ts";
import type { RequestEntry } from "../../src/gateway/index.ts";
import { type Client, createClient, type RunStream } from "../../src/index.ts";
import { Collector } from "../../src/run/collect.ts";
import { createRunStream } from "../../src/run/run-stream.ts";
import { openTestScope } from "../e2e/test-scope.ts";

const ABOUT = { surroundings: "here", retries: 0 };
const QUESTION = { ...ABOUT, targets: [{ provider: "rehearsal" }], request: { prompt: "hi" } };

/** The path of a socket that answers questions as that of `cox serve` does. */
async function open(given?: Client, onRequest: (entry: RequestEntry) => void = () => {}): Promise<string> {
  const scope = openTestScope();
  const client = given ?? createClient({ env: { ...scope.env, XDG_STATE_HOME: scope.directory } });
  const path = join(scope.directory, "socket");
  const asks = await serveAsks(path, { ...ABOUT, client, onRequest });
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
    ABOUT,
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
  expect(await send(path, [{ interrupt: true }, QUESTION])).toBe('{"refused":"its environment or version differs"}\n');
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
