import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createClient } from "../../../src/index.ts";
import { rememberingProvider } from "../../support/clis/remembering-provider.ts";
import { signalProcess } from "../../support/processes/signal-process.ts";
import { openTestScope } from "../../support/test-scope.ts";
import { createWarmClient } from "./warm-run.ts";

const SPAWNED = [{ transport: "spawn", warm: false }];
const WARM = [{ transport: "resident", warm: true }];
const OPENED = [{ transport: "resident", warm: false }];

it("after two answers with the same settings a process waits for the third, and it never saw the others", async () => {
  const { ask, untilKept } = createWarmClient();
  const first = await ask({ prompt: "one" });
  const second = await ask({ prompt: "two" });
  expect([first.attempts, second.attempts]).toEqual([SPAWNED, SPAWNED]);
  await untilKept(1);
  const third = await ask({ prompt: "three" });
  expect(third).toMatchObject({ attempts: WARM, memory: { prompts: ["three"] } });
  await untilKept(1);
  const fourth = await ask({ prompt: "four" });
  expect(fourth).toMatchObject({ attempts: WARM, memory: { prompts: ["four"] } });
  expect(fourth.memory?.pid).not.toBe(third.memory?.pid);
});

it("a waiting process takes any system prompt, but no other model, environment or login", async () => {
  const { ask, warmUp, untilKept } = createWarmClient({ processes: 1 });
  await warmUp({ system: "A" });
  expect(await ask({ system: "B" })).toMatchObject({ attempts: WARM, memory: { system: "B" } });
  await untilKept(1);
  expect((await ask({}, {}, { model: "other" })).attempts).toEqual(SPAWNED);
  expect((await ask({ maxOutputTokens: 7 })).attempts).toEqual(SPAWNED);
  expect((await ask({}, {}, { profile: "/elsewhere" })).attempts).toEqual(SPAWNED);
});

it("a system prompt that comes again is told to a process before the run, and another process waits for any other", async () => {
  const { ask, client, untilKept } = createWarmClient();
  const prepared = (): readonly boolean[] => client.warmProcesses().map(({ isPrepared }) => isPrepared);
  for (const prompt of ["one", "two"]) await ask({ prompt, system: "A" });
  await untilKept(2);
  expect(prepared()).toEqual([false, true]);
  const [unprepared, told] = client.warmProcesses();
  const other = await ask({ prompt: "other", system: "B" });
  expect(other).toMatchObject({ attempts: WARM, memory: { pid: unprepared?.pid, system: "B", prompts: ["other"] } });
  await untilKept(2);
  const same = await ask({ prompt: "three", system: "A" });
  expect(same).toMatchObject({ attempts: WARM, memory: { pid: told?.pid, system: "A", prompts: ["three"] } });
  await untilKept(2);
  expect(prepared().toSorted()).toEqual([false, true]);
});

it("system prompts that never come again keep one process, and that process is told none of them", async () => {
  const { ask, client, untilKept } = createWarmClient();
  for (const system of ["A", "B"]) await ask({ system });
  for (const system of ["C", "D", "E"]) {
    await untilKept(1);
    expect(await ask({ system })).toMatchObject({ attempts: WARM, memory: { system, prompts: ["hello"] } });
  }
  await untilKept(1);
  expect(client.warmProcesses()).toMatchObject([{ isPrepared: false }]);
});

it("processes that were told different system prompts stay within the bound, and one always waits for any other", async () => {
  const { ask, client } = createWarmClient({ processes: 3 });
  const untilOneWaits = (): Promise<unknown> =>
    expect.poll(() => client.warmProcesses().some(({ isPrepared }) => !isPrepared)).toBe(true);
  for (let run = 0; run < 2; run += 1) await ask({ system: "A" });
  for (const system of ["B", "B", "C", "C", "D", "A", "B", "A"]) {
    await untilOneWaits();
    expect(await ask({ system })).toMatchObject({ attempts: WARM, memory: { system, prompts: ["hello"] } });
    expect(client.warmProcesses().length).toBeLessThanOrEqual(3);
  }
  await untilOneWaits();
});

it("a process that does not accept what it is told is ended, and the runs go on", async () => {
  const { ask, untilKept, client } = createWarmClient();
  for (let run = 0; run < 2; run += 1) await ask({ system: "refused" });
  await untilKept(1);
  expect(client.warmProcesses()).toMatchObject([{ isPrepared: false }]);
  expect(await ask({ system: "refused" })).toMatchObject({ attempts: WARM, memory: { system: "refused" } });
});

it("`spawn` never uses a waiting process, `resident` opens one at once", async () => {
  const { ask, warmUp } = createWarmClient();
  expect((await ask({}, {}, { transport: "resident" })).attempts).toEqual(OPENED);
  await warmUp();
  expect((await ask({}, {}, { transport: "spawn" })).attempts).toEqual(SPAWNED);
});

it.each([
  ["an option", createWarmClient, false, true],
  ["a client without a guardian", createWarmClient, undefined, false],
] as const)("nothing is kept with %s that forbids it", async (_what, create, warm, guardian) => {
  const { ask, client } = create(warm, guardian);
  for (let run = 0; run < 3; run += 1) expect((await ask({})).attempts).toEqual(SPAWNED);
  expect(client.warmProcesses()).toEqual([]);
});

it("a CLI that does not wait for its prompt is not kept", async () => {
  const { env, directory } = openTestScope();
  const files = { PID_FILE: join(directory, "pid"), NOTE_FILE: join(directory, "note") };
  const client = createClient({ policies: false, providers: [rememberingProvider("lingers")], env: { ...env, ...files } });
  onTestFinished(() => client.close());
  for (let run = 0; run < 4; run += 1) {
    expect((await client.run("bad", { prompt: "Hello" }).result()).text).toBe("All good.");
    // A process that was started in advance prints its answer and is ended.
    await expect.poll(() => client.warmProcesses(), { timeout: 20_000 }).toEqual([]);
  }
});

it("failed runs start no process in advance", async () => {
  const { ask, client, setLogin } = createWarmClient();
  setLogin("old");
  for (let run = 0; run < 3; run += 1) expect((await ask({})).result.failure).toMatchObject({ code: "not-logged-in" });
  expect(client.warmProcesses()).toEqual([]);
});

it("a waiting process that was ended is replaced by a new one, and the caller notices nothing", async () => {
  const { ask, warmUp, client, untilKept } = createWarmClient();
  await warmUp();
  signalProcess(client.warmProcesses()[0]?.pid, "SIGKILL");
  await untilKept(0);
  expect(await ask({ prompt: "again" })).toMatchObject({ attempts: SPAWNED, memory: { prompts: ["again"] } });
});

it("a waiting process that dies with the prompt is repeated with a new process", async () => {
  const { ask, warmUp } = createWarmClient();
  await warmUp();
  const { attempts, memory, result } = await ask({ prompt: "die once" });
  expect({ attempts, memory }).toMatchObject({ attempts: [...WARM, ...SPAWNED], memory: { prompts: ["die once"] } });
  expect(result.attempts).toEqual([
    { provider: "bad", failure: expect.objectContaining({ code: "crashed" }) },
    { provider: "bad" },
  ]);
});

it("a prompt that kills every process fails once with the reason", async () => {
  const { ask, warmUp } = createWarmClient();
  await warmUp();
  const { attempts, result } = await ask({ prompt: "die" });
  expect(attempts).toEqual([...WARM, ...SPAWNED]);
  expect(result.attempts?.map(({ failure }) => failure?.evidence.exitCode)).toEqual([3, 3]);
  expect(result.failure).toMatchObject({ evidence: { exitCode: 3 } });
});

it.each([
  ["a login that a waiting process does not know", "old", "not-logged-in"],
  ["a failure that a waiting process explains worse", "limited", "rate-limited"],
])("%s is tried once with a new process", async (_what, login, code) => {
  const { ask, warmUp, setLogin, untilFound } = createWarmClient();
  await warmUp();
  await untilFound(["first", "first", "first"]);
  setLogin(login);
  expect((await ask({})).attempts).toEqual(WARM);
  await untilFound(["first", "first", "first", login]);
  setLogin("new");
  const { attempts, memory, result } = await ask({ prompt: "now" });
  expect({ attempts, memory }).toMatchObject({ attempts: [...WARM, ...SPAWNED], memory: { prompts: ["now"] } });
  expect(result.attempts?.map(({ failure }) => failure?.code)).toEqual([code, undefined]);
});

it("after two processes that ended unused no other is started in advance", async () => {
  const { ask, warmUp, client, untilKept } = createWarmClient();
  await warmUp();
  for (let loss = 0; loss < 2; loss += 1) {
    signalProcess(client.warmProcesses()[0]?.pid, "SIGKILL");
    await untilKept(0);
    expect((await ask({})).attempts).toEqual(SPAWNED);
    if (loss === 0) await untilKept(1);
  }
  expect((await ask({})).attempts).toEqual(SPAWNED);
  expect(client.warmProcesses()).toEqual([]);
});

it("the number of processes follows the number of runs at the same time, within the bound", async () => {
  const { ask, untilKept, client } = createWarmClient({ processes: 2 });
  await Promise.all([1, 2, 3, 4].map(() => ask({})));
  await untilKept(2);
  const burst = await Promise.all([1, 2, 3, 4].map((each) => ask({ prompt: `${each}` })));
  expect(burst.filter(({ attempts }) => attempts[0]?.warm === true)).toHaveLength(2);
  expect(burst.map(({ memory }) => memory?.prompts)).toEqual([["1"], ["2"], ["3"], ["4"]]);
  const isFresh = (): boolean =>
    client.warmProcesses().every(({ turns, memoryBytes = 0 }) => turns === 0 && memoryBytes > 1_000_000);
  await expect.poll(() => client.warmProcesses().length === 2 && isFresh()).toBe(true);
});

it("a process that nobody uses is ended, and so is one that is too large", async () => {
  const idle = createWarmClient({ idleMs: 300 });
  await idle.warmUp();
  await idle.untilKept(0);
  const large = createWarmClient({ processBytes: 1 });
  const session = await large.ask({ session: { keep: true } }, { keepsProcess: true });
  expect(session.attempts).toEqual(OPENED);
  expect(large.client.warmProcesses()).toEqual([]);
});

it("`close` ends the waiting processes, and nothing is left", async () => {
  const { warmUp, client, untilLeft } = createWarmClient();
  await warmUp();
  await client.close();
  await untilLeft(0);
});

it("the turns of a session that goes on share a process, and an interrupted turn does not end it", async () => {
  const { ask, client } = createWarmClient();
  const open = { keepsProcess: true };
  const first = await ask({ prompt: "one", session: { keep: true } }, open);
  const session = { resume: first.result.sessionId ?? "" };
  const second = await ask({ prompt: "two", session }, open);
  expect([first.attempts, second.attempts]).toEqual([OPENED, WARM]);
  expect(second.memory).toEqual({ pid: first.memory?.pid, prompts: ["one", "two"] });
  const interrupt = new AbortController();
  const hung = ask({ prompt: "hang", session }, { ...open, signal: interrupt.signal });
  setTimeout(() => interrupt.abort(), 50);
  expect((await hung).result.failure).toMatchObject({ code: "interrupted" });
  await expect.poll(() => client.warmProcesses()[0]?.idleMs).toBeGreaterThan(0);
  const fourth = await ask({ prompt: "four", session }, open);
  expect(fourth).toMatchObject({ attempts: WARM, memory: { pid: first.memory?.pid, prompts: ["one", "two", "hang", "four"] } });
});

it("another session, other settings and a run without a session go to another process", async () => {
  const { ask } = createWarmClient();
  const open = { keepsProcess: true };
  const first = await ask({ prompt: "secret", system: "A", session: { keep: true } }, open);
  const session = { resume: first.result.sessionId ?? "" };
  expect((await ask({ prompt: "two", system: "B", session }, open)).attempts).toEqual(OPENED);
  for (let run = 0; run < 3; run += 1) expect((await ask({ prompt: "plain" })).memory?.prompts).toEqual(["plain"]);
  expect((await ask({ prompt: "new", session: { keep: true } }, open)).memory?.prompts).toEqual(["new"]);
});
