import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../../src/index.ts";
import { openSessions } from "./open-sessions.ts";

function typesOf(events: readonly RunEvent[] = []): readonly string[] {
  const told = ["attempt-start", "retry", "fallback", "handover", "session-start"];
  return events.map(({ type }) => type).filter((type) => told.includes(type));
}

describe("a session is handed over", () => {
  test("by hand: the other CLI gets the thread as messages, in a session of its own, and an event says so", async () => {
    const { open } = openSessions();
    const client = open();
    const session = client.session({ target: "rehearsal" });
    await session.send("My name is Ottokar.");
    session.handOver("second");
    const { text, events, provider } = await session.send("What is my name?", { keepEvents: true });
    expect(provider).toBe("second");
    expect(text).toContain("You asked: “<thread>");
    expect(events?.find(({ type }) => type === "handover")).toMatchObject({
      from: "rehearsal",
      fromModel: "friendly",
      to: "second",
      toModel: "friendly",
      messages: 2,
    });
    expect(typesOf(events)).toEqual(["handover", "attempt-start", "session-start"]);
    const next = await client.resume(session.id)?.send("And mine?", { keepEvents: true });
    expect(next?.text).toContain("This is prompt 2 of this session");
    expect(typesOf(next?.events)).toEqual(["attempt-start", "session-start"]);
  });

  test("by fallback: the session stays with the target that answered", async () => {
    const { open } = openSessions();
    const client = open({ retry: { retries: 1, firstDelayMs: 1 } });
    const session = client.session({ target: ["rehearsal/friendly", "second"] });
    await session.send("one");
    session.handOver(["rehearsal/overloaded", "second"]);
    const { events, provider } = await session.send("two", { keepEvents: true });
    expect(provider).toBe("second");
    const order = ["attempt-start", "session-start", "retry", "attempt-start", "session-start", "fallback", "handover"];
    expect(typesOf(events)).toEqual([...order, "attempt-start", "session-start"]);
    expect(session.record).toMatchObject({
      targets: [{ provider: "second" }, { provider: "rehearsal" }],
      cli: { provider: "second" },
      turns: 2,
    });
    expect((await session.send("three")).text).toContain("This is prompt 2 of this session");
  });

  test("to the same target: the CLI gets the thread in a new session, as after the loss of its own", async () => {
    const { open } = openSessions();
    const session = open().session({ target: "rehearsal" });
    const first = await session.send("one");
    session.handOver("rehearsal");
    const second = await session.send("two", { keepEvents: true });
    expect(second.text).toContain("You asked: “<thread>");
    expect(second.sessionId).not.toBe(first.sessionId);
    expect(typesOf(second.events)).toEqual(["attempt-start", "session-start"]);
  });

  test("not while a turn is in progress", async () => {
    const { open } = openSessions();
    const session = open().session({ target: "rehearsal/slow" });
    const stream = session.stream("one");
    expect(() => session.handOver("second")).toThrow(/is in use by a turn/);
    stream.interrupt();
    await stream.outcome();
  });
});

test("a CLI without sessions gets the whole thread with each message", async () => {
  const { open } = openSessions();
  const client = open();
  const session = client.session({ target: "forgetful", threadEncoding: "text" });
  const first = await session.send({ prompt: "one", metadata: { number: 1 } });
  const second = await client.resume(session.id)?.send("two", { keepEvents: true });
  expect(first.text).toContain("You asked: “[User]\none”");
  expect(second?.text).toContain("You asked: “[User]\none\n\n[Assistant]");
  expect(typesOf(second?.events)).toEqual(["attempt-start", "session-start"]);
  expect(second).not.toHaveProperty("sessionId");
  expect(session.record.cli).toBeUndefined();
});

test("a retry of a first turn never uses the session id of the failed attempt", async () => {
  const { open } = openSessions();
  const session = open({ retry: { retries: 1, firstDelayMs: 1 } }).session({ target: "rehearsal/overloaded" });
  const { events = [] } = await session.stream("one", { keepEvents: true }).outcome();
  const ids = events.flatMap((event) => (event.type === "session-start" ? [event.sessionId] : []));
  expect(new Set(ids).size).toBe(2);
  expect(session.record).toMatchObject({ turns: 0 });
  expect(session.record.cli).toBeUndefined();
});

test("a session whose CLI has lost its own fails with the way out", async () => {
  const { open, directory } = openSessions();
  const session = open().session({ target: "rehearsal" });
  await session.send("one");
  for (const name of readdirSync(join(directory, "state/coxswain/rehearsal")))
    rmSync(join(directory, "state/coxswain/rehearsal", name));
  const { failure } = await session.stream("two").outcome();
  expect(failure).toMatchObject({
    code: "session-unknown",
    hint: expect.stringContaining("Hand the session over to the same CLI"),
  });
  session.handOver("rehearsal");
  expect((await session.send("two")).text).toContain("You asked: “<thread>");
});
