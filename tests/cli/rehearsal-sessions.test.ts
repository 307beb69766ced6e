import { readdirSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Client, createClient } from "../../src/index.ts";
import { openTestScope } from "../support/test-scope.ts";

const ID = "0b9f7c52-2f1e-4d3c-8f11-000000000001";
const NOBODY = "0b9f7c52-2f1e-4d3c-8f11-00000000dead";

type Open = { readonly client: Client; readonly sessions: string };

function open(): Open {
  const { directory, env } = openTestScope();
  const client = createClient({ policies: false, env: { ...env, HOME: directory } });
  onTestFinished(() => client.close());
  return { client, sessions: join(directory, "state/coxswain/rehearsal") };
}

describe("a session of the rehearsal CLI", () => {
  test("is remembered in a private file, resumed under its id and forked under another", async () => {
    const { client, sessions } = open();
    const first = await client.run("rehearsal", { prompt: "one", session: { id: ID } }).result();
    const resumed = await client.run("rehearsal", { prompt: "two", session: { resume: ID } }).result();
    const forked = await client.run("rehearsal", { prompt: "three", session: { fork: ID } }).result();
    expect([first.sessionId, resumed.sessionId]).toEqual([ID, ID]);
    expect(forked.sessionId).not.toBe(ID);
    expect(first.text).not.toContain("session");
    expect(resumed.text).toContain("prompt 2 of this session; the one before was: one");
    expect(forked.text).toContain("prompt 3 of this session; the one before was: two");
    const files = readdirSync(sessions).map((name) => statSync(join(sessions, name)).mode & 0o777);
    expect(files).toEqual([0o600, 0o600]);
  });

  test("is refused if nobody began it, and stored only if the request chooses a session", async () => {
    const { client, sessions } = open();
    const unknown = await client.run("rehearsal", { prompt: "hi", session: { resume: NOBODY } }).outcome();
    expect(unknown.failure).toMatchObject({ code: "session-unknown", message: expect.stringContaining(NOBODY) });
    await client.run("rehearsal", { prompt: "hi" }).result();
    await client.run("rehearsal/tool", { prompt: "hi", mode: "agent", cwd: process.cwd() }).result();
    expect(readdirSync(sessions)).toEqual([]);
    const { sessionId } = await client.run("rehearsal", { prompt: "hi", session: { keep: true } }).result();
    expect(readdirSync(sessions)).toEqual([`${sessionId}.json`]);
  });

  test("is forgotten after a week", async () => {
    const { client, sessions } = open();
    await client.run("rehearsal", { prompt: "one", session: { id: ID } }).result();
    const longAgo = Date.now() / 1000 - 8 * 24 * 60 * 60;
    utimesSync(join(sessions, `${ID}.json`), longAgo, longAgo);
    await client.run("rehearsal", { prompt: "two", session: { keep: true } }).result();
    expect(readdirSync(sessions)).not.toContain(`${ID}.json`);
  });
});
