import { expect, it, vi } from "vitest";
import { rememberingProvider } from "../../support/clis/remembering-provider.ts";
import { openTestScope } from "../../support/test-scope.ts";
import { createWarmClient, type Memory } from "./warm-run.ts";

const OPEN = { keepsProcess: true };
const SCHEMA = { type: "object" };

it.each([
  ["a schema", { outputSchema: SCHEMA }],
  ["another system prompt", { system: "Other." }],
])(
  "a turn with %s goes to another process, and the first one takes no later turn, because it does not know this one",
  async (_what, other) => {
    const { ask, client } = createWarmClient();
    const first = await ask({ prompt: "one", session: { keep: true } }, OPEN);
    const session = { resume: first.result.sessionId ?? "" };
    await ask({ prompt: "two", session, ...other }, OPEN);
    const third = await ask({ prompt: "three", session }, OPEN);
    expect(third.memory?.pid).not.toBe(first.memory?.pid);
    expect(client.warmProcesses()).toHaveLength(1);
  },
);

it("a turn that `spawn` takes ends the process that has the session in memory", async () => {
  const { ask, untilKept } = createWarmClient();
  const first = await ask({ prompt: "one", session: { keep: true } }, OPEN);
  const session = { resume: first.result.sessionId ?? "" };
  await ask({ prompt: "two", session }, OPEN, { transport: "spawn" });
  await untilKept(0);
});

it("a process that resumes no session continues its own, and `spawn` continues the others, with a warning if a resident process is asked for", async () => {
  const scope = openTestScope();
  const provider = rememberingProvider("remembers", { resumes: false });
  const one = createWarmClient(undefined, true, scope, provider);
  const another = createWarmClient(undefined, true, scope, provider);
  const first = await one.ask({ prompt: "one", session: { keep: true } }, OPEN);
  const session = { resume: first.result.sessionId ?? "" };
  const second = await one.ask({ prompt: "two", session }, OPEN);
  expect([first, second].map(({ attempts }) => attempts)).toEqual([
    [{ transport: "resident", warm: false }],
    [{ transport: "resident", warm: true }],
  ]);
  const elsewhere = await another.ask({ prompt: "three", session }, OPEN);
  expect([elsewhere.result.failure, elsewhere.attempts]).toEqual([undefined, [{ transport: "spawn", warm: false }]]);
  const asked = await another.ask({ prompt: "four", session }, OPEN, { transport: "resident" });
  expect([asked.result.failure, asked.attempts]).toEqual([undefined, [{ transport: "spawn", warm: false }]]);
  expect(asked.result.warnings).toMatchObject([{ code: "spawned-instead" }]);
});

it("a session that stays loaded is continued by the same turn of its process, and is given up a moment after its last answer", async () => {
  const provider = rememberingProvider("remembers", { locksSessions: true });
  const { ask, client } = createWarmClient({ conversationMs: 3_600_000 }, true, undefined, provider);
  const first = await ask({ prompt: "one", session: { keep: true } }, OPEN);
  const session = { resume: first.result.sessionId ?? "" };
  const second = await ask({ prompt: "two", session }, OPEN);
  expect(second.memory).toEqual({ ...first.memory, prompts: ["one", "two"] });
  const invalid = await ask({ prompt: "three", session: { resume: 7 as unknown as string } }, OPEN);
  expect(invalid.result.failure).toMatchObject({ code: "session-invalid", message: "7 is not a session id." });
  // The process is in use as long as it has the session.
  expect(client.warmProcesses()).toMatchObject([{ turns: 1, idleMs: 0 }]);
  await vi.waitFor(() => expect(client.warmProcesses()[0]?.idleMs).toBeGreaterThan(0), { timeout: 60_000 });
});

it("a session that another process has is tried again until it is free", async () => {
  const { ask, setLogin, untilFound } = createWarmClient(false);
  const first = await ask({ prompt: "one", session: { keep: true } });
  setLogin("busy");
  const second = ask({ prompt: "two", session: { resume: first.result.sessionId ?? "" } });
  await untilFound(["first", "busy"]);
  setLogin("free");
  const { result, attempts } = await second;
  expect(result.failure).toBeUndefined();
  expect(attempts.length).toBeGreaterThan(1);
});

it("a session that another process does not give up stays busy, and a cancel or the end of the time to wait ends the wait", async () => {
  const { ask, setLogin } = createWarmClient(false);
  const first = await ask({ prompt: "one", session: { keep: true } });
  setLogin("busy");
  const request = { prompt: "two", session: { resume: first.result.sessionId ?? "" } };
  const cancel = new AbortController();
  setTimeout(() => cancel.abort(), 1000);
  const [lasting, cancelled, hasty, brief] = await Promise.all([
    ask(request),
    ask(request, { signal: cancel.signal }),
    ask({ ...request, maxWaitMs: 0 }),
    ask({ ...request, maxWaitMs: 150 }),
  ]);
  expect([lasting, hasty, brief].map(({ result }) => result.failure?.code)).toEqual(Array(3).fill("session-busy"));
  expect(lasting.result.warnings).toMatchObject([{ code: "session-in-use" }]);
  expect(lasting.attempts.length).toBeGreaterThan(3);
  expect([hasty, brief].map(({ attempts }) => attempts.length)).toEqual([1, 2]);
  expect(cancelled.result.failure).toMatchObject({ category: "cancelled" });
});

it("a message that follows an interrupt at once leaves no second process with the session", async () => {
  const { ask, client } = createWarmClient();
  const first = await ask({ prompt: "one", session: { keep: true } }, OPEN);
  const session = { resume: first.result.sessionId ?? "" };
  const interrupt = new AbortController();
  const hung = ask({ prompt: "hang", session }, { ...OPEN, signal: interrupt.signal });
  setTimeout(() => interrupt.abort(), 50);
  await hung;
  expect((await ask({ prompt: "three", session }, OPEN)).result.failure).toBeUndefined();
  expect(client.warmProcesses()).toHaveLength(1);
});

it("a session that another client has continued is not continued by an old process", async () => {
  const one = createWarmClient();
  const { env } = one;
  const session = one.client.session({ target: "bad", env });
  const first = JSON.parse((await session.send("one")).text) as Memory;
  const elsewhere = createWarmClient(undefined, true, one.scope).client.resume(session.id, { env });
  await elsewhere?.send("two");
  const again = one.client.resume(session.id, { env });
  const third = JSON.parse((await again?.send("three"))?.text ?? "{}") as Memory;
  expect(third.pid).not.toBe(first.pid);
});

it("a session that is closed in the middle of a turn leaves no process", async () => {
  const { client, env, untilKept } = createWarmClient();
  const session = client.session({ target: "bad", env });
  await session.send("one");
  const hung = session.stream("hang").outcome();
  setTimeout(() => void session.close(), 50);
  await hung;
  await untilKept(0);
});

it.each([
  ["a signal that is aborted at once", true],
  ["a client that is closed at once", false],
])("%s cancels a run before it starts a process", async (_what, bySignal) => {
  const { ask, client, untilLeft } = createWarmClient();
  const cancel = new AbortController();
  const run = ask({ prompt: "hello" }, { signal: cancel.signal });
  if (bySignal) cancel.abort();
  else void client.close();
  expect((await run).result.failure).toMatchObject({ category: "cancelled" });
  await client.close();
  await untilLeft(0);
});
