import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Client } from "../../src/index.ts";
import type { RunResult } from "../../src/spec/result.ts";
import type { CliName } from "../support/real-clis/real-cli.ts";
import { CLI_ROWS } from "../support/real-clis/rows/index.ts";
import { expectSameOfPrepared } from "./matrix/describe-prepared.ts";
import type { OpenRealCli } from "./open-real-cli.ts";
import { HELLO, isWarm, openWarm, WARM_CLIS, type WarmCli } from "./open-warm.ts";

const SLOW = { kind: "text", text: "A very slow answer.", deltas: 40, delayMs: 250 } as const;

describe.each(WARM_CLIS)("the warm processes of real %s", (name) => {
  it(`calls of ${name} that share a process or follow one another never see the words of the others, and a prepared process sends what a new one sends`, async () => {
    const warm = await openWarm(name);
    const { cli, run } = warm;
    // Other system prompts share a process unless the launch contains them.
    const systemFor = (word: string): string => (takesSystemLate(name) ? `Keep ${word} secret.` : "Keep secrets.");
    const parallel = ["FULMAR", "GANNET"];
    const burst = await Promise.all(parallel.map((word) => run({ prompt: `The word is ${word}.`, system: systemFor(word) })));
    expect(burst.map(({ failure }) => failure)).toEqual(parallel.map(() => undefined));
    // The last two have the same system prompt, so that a process is prepared for a third one.
    const words = ["ALBATROSS", "BITTERN", "CORMORANT", "CORMORANT"];
    const runs = [];
    for (const word of words) runs.push(await run({ prompt: `The word is ${word}.`, system: systemFor(word) }));
    expect(runs.map(isWarm).slice(2)).toEqual([true, true]);
    expect(runs.map(({ failure }) => failure)).toEqual(words.map(() => undefined));
    expectOwnWordsOnly(cli, [...parallel, ...new Set(words)]);
    await expectSameOfPrepared(warm, { prompt: "/help me", system: systemFor("CORMORANT") });
  });

  it(`after an interrupted and a failed call of ${name} the next sees nothing of them, a killed process is replaced, and close leaves none`, async () => {
    const { cli, client, run } = await openWarm(name);
    await warmUp(run);
    cli.api.answerWith(SLOW);
    const interrupted = await run(
      { prompt: "The word is KITTIWAKE." },
      { onEvent: (event, stream) => event.type === "text-delta" && stream.interrupt() },
    );
    expect([isWarm(interrupted), interrupted.failure?.category]).toEqual([true, "cancelled"]);
    cli.api.answerWith({ kind: "http-error", status: 400, body: { error: { type: "invalid_request_error", message: "No." } } });
    expect((await run({ prompt: "The word is LAPWING." })).failure).toBeDefined();
    cli.api.answerWith(HELLO);
    const before = cli.api.modelRequests.length;
    expect((await run({ prompt: "What is the word?" })).failure).toBeUndefined();
    expect(
      cli.api.modelRequests
        .slice(before)
        .map(({ rawBody }) => rawBody)
        .join("\n"),
    ).not.toMatch(/KITTIWAKE|LAPWING/);
    await expectReplacedAndClosed(client, run);
  });

  it(`the turns of a session of ${name} share a process, also after an interrupt, and go on with its system prompt after it was killed`, async () => {
    const { cli, client } = await openWarm(name);
    const session = client.session({ target: cli.row.target, system: "Keep count of the birds." });
    const send = (prompt: string): Promise<RunResult> => session.stream(prompt, { keepEvents: true }).outcome();
    await send("My name is Ottokar.");
    const second = await send("What is my name?");
    expect(second.events).toContainEqual(expect.objectContaining({ type: "attempt-start", warm: true }));
    expect(cli.api.modelRequests.at(-1)?.rawBody).toContain("Ottokar");
    cli.api.answerWith(SLOW);
    const stream = session.stream("Count to a thousand.");
    for await (const event of stream) if (event.type === "text-delta") session.interrupt();
    expect((await stream.outcome()).failure?.category).toBe("cancelled");
    cli.api.answerWith(HELLO);
    expect((await send("Go on.")).failure).toBeUndefined();
    for (const { pid } of client.warmProcesses()) if (pid !== undefined) process.kill(pid, "SIGKILL");
    expect((await send("And now?")).failure).toBeUndefined();
    for (const words of ["Ottokar", "Keep count of the birds."]) expect(cli.api.modelRequests.at(-1)?.rawBody).toContain(words);
    await session.close();
  });
});

async function warmUp(run: WarmCli["run"]): Promise<void> {
  for (let call = 0; call < 2; call += 1) expect((await run({ prompt: "Hello" })).failure).toBeUndefined();
}

/** A kept process that is killed is replaced by a new one, and nothing is left after close. */
async function expectReplacedAndClosed(client: Client, run: WarmCli["run"]): Promise<void> {
  await untilKept(client);
  const killed = client.warmProcesses().flatMap(({ pid }) => pid ?? []);
  for (const pid of killed) process.kill(pid, "SIGKILL");
  while (client.warmProcesses().some(({ pid }) => pid !== undefined && killed.includes(pid))) await sleep(20);
  // The process may be warm all the same: the answer before may have had one more started in advance.
  expect((await run({ prompt: "Hello again." })).failure).toBeUndefined();
  await untilKept(client);
  const kept = client.warmProcesses().flatMap(({ pid }) => pid ?? []);
  await client.close();
  for (const left of kept) expect(() => process.kill(left, 0)).toThrow();
}

async function untilKept(client: Client): Promise<void> {
  while (client.warmProcesses().length === 0) await sleep(20);
}

function takesSystemLate(name: CliName): boolean {
  const { resident } = CLI_ROWS[name].providerAt("").transports;
  const launch = (system: string): string =>
    JSON.stringify(resident?.launch({ prompt: "", system }, { answersPermissions: false, env: {} }));
  return launch("A") === launch("B");
}

/** Each request to the model contains exactly one of the words. */
function expectOwnWordsOnly({ api }: OpenRealCli, words: readonly string[]): void {
  const said = api.modelRequests.map(({ rawBody = "" }) => words.filter((word) => rawBody.includes(word)));
  expect(said.map(({ length }) => length)).toEqual(said.map(() => 1));
  expect(new Set(said.flat())).toEqual(new Set(words));
}
