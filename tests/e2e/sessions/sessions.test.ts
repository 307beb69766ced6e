import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RunError } from "../../../src/index.ts";
import { openSessions } from "./open-sessions.ts";

/** What the rehearsal CLI says about the session that it resumed. */
const remembers = (count: number, before: string) =>
  expect.stringContaining(`This is prompt ${count} of this session; the one before was: ${before}`);

describe("a session", () => {
  test("R152 R171 remembers its turns: the id of the first is used for the next", async () => {
    const { open } = openSessions();
    const session = open().session({ target: "rehearsal", system: "Be brief." });
    const first = await session.send("one");
    const second = await session.send("two");
    const third = await session.send("three");
    expect([second.text, third.text]).toEqual([remembers(2, "one"), remembers(3, "two")]);
    expect(new Set([first.sessionId, second.sessionId, third.sessionId])).toEqual(new Set([session.record.cli?.id]));
    expect(session.record).toMatchObject({ turns: 3, answeredBy: { provider: "rehearsal" }, settings: { system: "Be brief." } });
    const tokens = [first, second, third].map(({ usage }) => usage?.totalTokens ?? 0);
    expect(session.record.usage?.totalTokens).toBe(tokens.reduce((sum, count) => sum + count));
  });

  test("is resumed by another client under its id, its name and the id of its CLI", async () => {
    const { open } = openSessions();
    const created = open().session({ target: "rehearsal", name: "log book" });
    const { sessionId = "" } = await created.send("one");
    const client = open();
    expect((await client.resume(created.id)?.send("two"))?.text).toEqual(remembers(2, "one"));
    expect((await client.resume("log book")?.send("three"))?.text).toEqual(remembers(3, "two"));
    expect((await client.resume(sessionId)?.send("four"))?.text).toEqual(remembers(4, "three"));
    expect((await client.session({ target: "second", name: "log book" }).send("five")).text).toEqual(remembers(5, "four"));
    expect(client.sessions()).toMatchObject([{ id: created.id, turns: 5 }]);
  });

  test("is unknown to resume if nobody stored it, and stored only with its first message", async () => {
    const { open, directory } = openSessions();
    const client = open();
    const session = client.session({ target: "rehearsal" });
    expect(client.resume(session.id)).toBeUndefined();
    expect(client.resume("0b9f7c52-2f1e-4d3c-8f11-00000000dead")).toBeUndefined();
    expect(client.resume("../../secret")).toBeUndefined();
    expect(readdirSync(directory)).toEqual([]);
    await session.send("one");
    expect(client.resume(session.id)?.record.turns).toBe(1);
  });

  test("takes one turn at a time, and the refused message changes nothing", async () => {
    const { open } = openSessions();
    const client = open();
    const session = client.session({ target: "rehearsal" });
    const [one, two] = await Promise.all([session.stream("one").outcome(), session.stream("two").outcome()]);
    expect(one.failure).toBeUndefined();
    expect(two.failure).toMatchObject({ code: "session-busy", category: "validation", shouldRetry: false });
    expect(two.failure?.message).toContain(String(process.pid));
    expect((await client.resume(session.id)?.send("three"))?.text).toEqual(remembers(2, "one"));
  });

  test("goes on after a failed turn, whose message is not in its thread", async () => {
    const { open } = openSessions();
    const client = open();
    const session = client.session({ target: "rehearsal" });
    await session.send("one");
    session.handOver("rehearsal/crash");
    const failed = await session.stream("two").outcome();
    expect(failed.failure?.code).toBe("crashed");
    expect(session.record.turns).toBe(1);
    session.handOver("rehearsal/friendly");
    const { text } = await session.send("three");
    // The rehearsal CLI, like Claude Code, keeps the message of the failed turn in its own session.
    expect(text).toEqual(remembers(3, "two"));
    expect(session.record).toMatchObject({ turns: 2, cli: { id: failed.sessionId } });
  });

  test("goes on after an interrupted turn, which counts with the text that was shown", async () => {
    const { open } = openSessions();
    const session = open().session({ target: "rehearsal" });
    await session.send("one");
    session.handOver("rehearsal/slow");
    const stream = session.stream("two");
    for await (const event of stream) if (event.type === "text-delta") session.interrupt();
    expect((await stream.outcome()).failure).toMatchObject({ code: "interrupted", partialText: expect.stringMatching(/^You/) });
    session.handOver("rehearsal/friendly");
    expect((await session.send("three")).text).toEqual(remembers(3, "two"));
    expect(session.record.turns).toBe(3);
  });

  test("whose first turn was interrupted begins again with that message in its thread", async () => {
    const { open } = openSessions();
    const session = open().session({ target: "rehearsal/slow" });
    for await (const event of session.stream("My name is Ottokar.")) if (event.type === "text-delta") session.interrupt();
    session.handOver("rehearsal/friendly");
    const { text } = await session.send("What is my name?");
    expect(text).toContain("You asked: “<thread>");
    expect(session.record.cli?.id).toBeDefined();
  });

  test("R168 R171 fails a turn whose tool call is denied, lists the call and keeps the answer; the next turn knows it", async () => {
    const { open, directory } = openSessions();
    const options = { mode: "agent", cwd: directory, permissions: { deny: ["Clock"] } } as const;
    const session = open().session({ ...options, target: "rehearsal/tool" });
    const outcome = await session.stream("What time is it?").outcome();
    expect(outcome.failure).toMatchObject({ code: "tool-denied", category: "permission" });
    expect(outcome.failure?.partialText).toMatch(/^I was not allowed to look/);
    expect(outcome.permissionDenials).toMatchObject([{ name: "Clock" }]);
    session.handOver("rehearsal/friendly");
    expect((await session.send("Why?")).text).toEqual(remembers(2, "What time is it?"));
    const warned = await open()
      .session({ ...options, target: "rehearsal/tool", onPermissionDenied: "warn" })
      .send("What time is it?");
    expect(warned).toMatchObject({ finish: "stop", permissionDenials: [{ name: "Clock" }] });
  });

  test("closes with its turn, and takes no further message", async () => {
    const { open } = openSessions();
    const session = open().session({ target: "rehearsal/slow" });
    const stream = session.stream("one");
    await session.close();
    expect((await stream.outcome()).failure?.code).toBe("interrupted");
    const { failure } = await session.stream("two").outcome();
    expect(failure).toMatchObject({ code: "interrupted", message: "The session is closed, so the message was not sent." });
  });
});

describe("a fork", () => {
  test("knows the earlier turns and leaves the session unchanged", async () => {
    const { open } = openSessions();
    const session = open().session({ target: "rehearsal" });
    await session.send("one");
    const fork = session.fork({ name: "branch" });
    expect((await fork.send("two")).text).toEqual(remembers(2, "one"));
    expect((await fork.send("three")).text).toEqual(remembers(3, "two"));
    expect((await session.send("four")).text).toEqual(remembers(2, "one"));
    expect(fork.record.cli?.id).not.toBe(session.record.cli?.id);
    expect(() => session.fork({ name: "branch" })).toThrow(RunError);
  });

  test("of a CLI that cannot fork gets the stored thread in a new session", async () => {
    const { open } = openSessions();
    const session = open().session({ target: "forgetful" });
    await session.send("one");
    const fork = session.fork();
    const { text } = await fork.send("two");
    expect(text).toContain("You asked: “<thread>");
    expect(fork.record).toMatchObject({ turns: 2, id: expect.not.stringMatching(session.id) });
  });
});

describe("the stored record", () => {
  test("R153 without a thread the files have the ids, the settings, the workspace and the counts, and no text of the conversation", async () => {
    const { open, directory } = openSessions();
    const session = open().session({ target: "rehearsal", system: "You are a porter.", cwd: directory, keepThread: false });
    await session.send("MARK-OF-THE-PROMPT");
    const folder = join(directory, "state/coxswain/sessions");
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
    expect(files.join()).not.toMatch(/MARK-OF-THE-PROMPT|You asked/);
    const { settings, cwd, id, cli, turns } = session.record;
    expect(JSON.parse(readFileSync(join(folder, `${id}.json`), "utf8"))).toMatchObject({ settings, cwd, id, cli, turns });
    expect(settings).toEqual({ system: "You are a porter." });
    expect((await session.send("two")).text).toEqual(remembers(2, "MARK-OF-THE-PROMPT"));
    expect(() => session.handOver("second")).toThrow(/thread of this session is not stored/);
  });

  test("has no environment and no MCP servers; resume needs them again", async () => {
    const { open, directory } = openSessions();
    const client = open();
    const session = client.session({ target: "rehearsal", env: { SECRET: "s3cret" } });
    await session.send("one");
    expect(readFileSync(join(directory, `state/coxswain/sessions/${session.id}.json`), "utf8")).not.toContain("s3cret");
    const without = await client.resume(session.id)?.stream("two").outcome();
    expect(without?.failure).toMatchObject({ code: "session-invalid", hint: expect.stringContaining("env") });
    expect((await client.resume(session.id, { env: { SECRET: "s3cret" } })?.send("two"))?.text).toEqual(remembers(2, "one"));
  });

  test("has the directory: another one is refused, and so is one that is gone", async () => {
    const { open, directory } = openSessions();
    const client = open();
    const cwd = join(directory, "project");
    mkdirSync(cwd);
    const session = client.session({ target: "rehearsal", mode: "agent", cwd });
    await session.send("one");
    const elsewhere = await client.resume(session.id, { cwd: directory })?.stream("two").outcome();
    expect(elsewhere?.failure).toMatchObject({ code: "session-invalid", message: expect.stringContaining(cwd) });
    expect((await client.resume(session.id, { cwd })?.send("two"))?.text).toEqual(remembers(2, "one"));
    rmdirSync(cwd);
    expect((await client.resume(session.id)?.stream("three").outcome())?.failure?.code).toBe("cwd-unusable");
  });

  test("is removed, and a turn of a removed session fails", async () => {
    const { open, directory } = openSessions();
    const client = open();
    const session = client.session({ target: "rehearsal" });
    await session.send("one");
    expect(client.removeSession(session.id)).toMatchObject({ record: { id: session.id }, removedTranscripts: false });
    expect(readdirSync(join(directory, "state/coxswain/sessions"))).toEqual([]);
    expect((await session.stream("two").outcome()).failure?.code).toBe("session-unknown");
    expect(client.removeSession(session.id)).toBeUndefined();
  });
});

test("wrong arguments of a session are a TypeError", () => {
  const client = openSessions().open();
  const wrong: unknown[] = [undefined, {}, { target: "rehearsal", name: " " }, { target: "rehearsal", sytem: "x" }];
  for (const options of wrong) expect(() => client.session(options as never)).toThrow(TypeError);
  expect(() => client.resume(7 as never)).toThrow(TypeError);
  expect(() => client.resume("none", { sytem: "x" } as never)).toThrow('request has no field "sytem". Did you mean system?');
  const removal: object = { transcipt: true };
  expect(() => client.removeSession("none", removal)).toThrow('removeSession has no field "transcipt". Did you mean transcript?');
  const named: object = { nam: "x" };
  expect(() => client.session({ target: "rehearsal" }).fork(named)).toThrow('fork has no field "nam". Did you mean name?');
  expect(() => client.session({ target: "rehearsal" }).stream(7 as never)).toThrow(TypeError);
  expect(() => client.session({ target: "rehearsal" }).stream({ prompt: "x", session: { keep: true } } as never)).toThrow(
    TypeError,
  );
});

test("a session of an unknown provider refuses its messages and stores nothing", async () => {
  const { open, directory } = openSessions();
  const session = open().session({ target: "rehersal" });
  const failure = { code: "provider-unknown", message: 'There is no provider or model "rehersal".' };
  expect((await session.stream("Hello").outcome()).failure).toMatchObject(failure);
  expect(existsSync(join(directory, "state/coxswain/sessions"))).toBe(false);
});

test("a session that cannot be stored fails before a process is started, with what to do", async () => {
  const { open, directory } = openSessions();
  mkdirSync(join(directory, "state"));
  symlinkSync(directory, join(directory, "state/coxswain"));
  const session = open().session({ target: "rehearsal" });
  const { failure, attempts } = await session.stream("one").outcome();
  expect(failure).toMatchObject({ code: "state-unusable", hint: expect.stringContaining("XDG_STATE_HOME") });
  expect(attempts).toBeUndefined();
  expect(() => session.handOver("second")).toThrow(RunError);
});
