import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { claude } from "../../../src/clis/claude/provider.ts";
import { rehearsal } from "../../../src/clis/rehearsal/provider.ts";
import { locate } from "../../../src/launch/find-cli.ts";
import { planLaunch } from "../../../src/launch/prepare.ts";
import { pathOf, type TempFile } from "../../../src/spec/provider/cli-data.ts";
import { type Provider, withSpawn } from "../../../src/spec/provider/provider.ts";
import type { Connection, Send, Wire } from "../../../src/spec/wire/wire.ts";
import { createProgramClient } from "../../support/clis/program-client.ts";
import { processesOfRun, untilGone } from "../../support/processes/process-scan.ts";
import { finishRun } from "../../support/runs/read-run.ts";
import { openTestChannel, type TestChannel } from "./channel-run.ts";
import { rpcWire } from "./rpc-wire.ts";

/** A text that throws when it is read. */
const UNSENDABLE: Send = {
  get text(): string {
    throw new Error("no text");
  },
};
const NOTE: TempFile = { name: "note", content: "x" };
const rpcProvider: Provider = { ...withSpawn(claude, { wire: rpcWire }), id: "rpc", label: "The program", faults: [] };

it("a process takes two turns one after the other, and each has its own answer in the same session", async () => {
  const { channel, ask, untilGone } = openRehearsal("friendly");
  const first = await ask({ prompt: "one" }).done;
  expect(channel.canTake()).toBe(true);
  const second = await ask({ prompt: "two and more" }).done;
  expect([first.failure, second.failure]).toEqual([undefined, undefined]);
  expect([first.text, second.text]).toEqual([expect.stringContaining("one"), expect.stringContaining("two and more")]);
  expect(second.sessionId).toBe(first.sessionId);
  expect([first.usage?.scope, second.usage?.scope]).toEqual(["turn", "turn"]);
  channel.end();
  await untilGone();
});

it("a process that takes one turn at a time refuses a second one until the first is over", async () => {
  const { channel, ask } = openRehearsal("friendly");
  const first = ask({ prompt: "one" });
  expect(channel.canTake()).toBe(false);
  const refused = await ask({ prompt: "two" }).done;
  expect(refused.failure).toMatchObject({ code: "unclassified" });
  expect(await first.done).toMatchObject({ text: expect.stringContaining("one"), finish: "stop" });
});

it("two turns at once get their own words, however they are mixed", async () => {
  const { channel, ask, untilGone } = openRpc();
  const turns = [ask({ prompt: "pair a b c" }), ask({ prompt: "pair d e" })];
  expect(channel.canTake()).toBe(false);
  expect((await Promise.all(turns.map(({ done }) => done))).map(({ text }) => text)).toEqual(["abc", "de"]);
  expect((await ask({ prompt: "alone f" }).done).text).toBe("f");
  channel.end();
  await untilGone();
});

it.each([
  ["that is cancelled", {}, "interrupted"],
  ["whose time is up", { timeouts: { totalMs: 1_500 } }, "total-timeout"],
])("a turn %s is interrupted, its sibling finishes, and the process takes no other turn", async (_which, settings, code) => {
  const { channel, ask, untilGone } = openRpc();
  // An interrupt would overtake prompts that wait for the handshake.
  await ask({ prompt: "alone ready" }).done;
  const patient = ask({ prompt: "patient g h" });
  const given = ask({ prompt: "hang", ...settings });
  if (code === "interrupted") given.cancel();
  expect((await given.done).failure).toMatchObject({ code });
  expect(channel.canTake()).toBe(false);
  // The program says these words when the interrupt has arrived.
  expect(await patient.done).toMatchObject({ text: "gh", finish: "stop" });
  await untilGone();
});

it("a turn that its wire cannot read fails alone", async () => {
  const { ask, untilGone } = openRpc();
  const turns = [ask({ prompt: "pair i j" }), ask({ prompt: "pair unreadable" })];
  const [read, unread] = await Promise.all(turns.map(({ done }) => done));
  expect(read).toMatchObject({ text: "ij", finish: "stop" });
  expect(unread?.failure?.message).toContain("this turn cannot be read");
  await untilGone();
});

it("when the process dies, all its turns fail with how it ended, and nothing of it is left", async () => {
  const { channel, ask, untilGone } = openRpc();
  const turns = [ask({ prompt: "hang" }), ask({ prompt: "die" })];
  const [hung, dead] = await Promise.all(turns.map(({ done }) => done));
  const failure = {
    code: "unclassified",
    message: "Error: out of breath",
    evidence: { exitCode: 7, stderrTail: "Error: out of breath\n" },
  };
  expect(hung?.failure).toMatchObject({ ...failure, partialText: expect.stringContaining("note") });
  expect(dead?.failure).toMatchObject(failure);
  expect(channel.canTake()).toBe(false);
  await untilGone();
  expect(existsSync(hung?.failure?.partialText ?? "")).toBe(false);
});

it("an interrupt that closes stdin does not send EOF to the sibling", async () => {
  const closing: Wire = { ...rpcWire, connect: () => withInterrupt(rpcWire.connect(), [{ close: true }]) };
  const { channel, ask, untilGone } = openRpc(closing);
  await ask({ prompt: "alone ready" }).done;
  const patient = ask({ prompt: "patient g" });
  const given = ask({ prompt: "hang" });
  given.cancel();
  expect((await given.done).failure).toMatchObject({ code: "interrupted" });
  // The program exits at EOF, which would fail the sibling within this time.
  const sibling = await Promise.race([patient.done, new Promise((resolve) => setTimeout(() => resolve("open"), 1_000))]);
  expect(sibling).toBe("open");
  channel.end();
  await patient.done;
  await untilGone();
});

it.each<[string, readonly Send[], string]>([
  ["closes stdin", [{ close: true }], "total-timeout"],
  ["cannot be sent", [UNSENDABLE], "bad-request"],
])("a wire whose opening %s leaves no process behind", async (_what, opening, code) => {
  const wire: Wire = { ...rpcWire, connect: () => Object.assign(rpcWire.connect(), { open: () => opening }) };
  const cli = createProgramClient("stubborn", { spawn: { wire }, request: { timeouts: { totalMs: 2_000 } } });
  const { end, runId } = await finishRun(cli.start());
  expect(end.failure).toMatchObject({ code });
  await cli.client.close();
  await untilGone(() => processesOfRun(runId));
});

function withInterrupt(connection: Connection, send: readonly Send[]): Connection {
  return {
    open: () => connection.open(),
    route: (native) => connection.route?.(native) ?? [],
    start: (...given) => ({ ...connection.start(...given), interrupt: () => ({ events: [], send }) }),
  };
}

function openRehearsal(model: string): TestChannel {
  const found = locate(rehearsal, process.env);
  if (!("command" in found)) throw new Error(found.message);
  const plan = planLaunch(rehearsal, { provider: "rehearsal", model }, { prompt: "" }, { ...found, answersPermissions: false });
  return openTestChannel(rehearsal, plan, rehearsal.transports.spawn.wire);
}

function openRpc(wire: Wire = rpcWire): TestChannel {
  const program = new URL("../../support/clis/programs/turns/answers-rpc.mjs", import.meta.url).pathname;
  const plan = { env: {}, stripEnv: [], cwd: { kind: "private" }, stdout: "pipe", tempFiles: [NOTE] } as const;
  return openTestChannel(rpcProvider, { command: process.execPath, args: [program, pathOf(NOTE)], ...plan }, wire);
}
