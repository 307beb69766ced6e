import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import { createClient } from "../../src/index.ts";
import { canMountDisk, NO_PROC } from "../process/on-disk.ts";
import { startHost } from "./host-process.ts";
import type { HeldRunReport } from "./hosts/holds-a-run.ts";
import type { AnswerReport } from "./hosts/one-answer.ts";
import { processesIn, untilGone } from "./process-scan.ts";
import { programProvider } from "./program-provider.ts";
import { createProgramClient, finishRun, type ProgramClient, watchRun } from "./program-run.ts";

/** The ways of the program `hides-children`. */
const WAYS = [
  "orphan",
  "overwritten environment",
  "shell that has exited",
  "daemon",
  "chain",
  "false guardian",
  "successor",
] as const;
type Way = (typeof WAYS)[number] | "daemon of a tool";

/** Races need rounds: STOP_ROUNDS=100 for a thorough search. */
const ROUNDS = Number(process.env["STOP_ROUNDS"] ?? 2);
const AT_ONCE = Math.min(ROUNDS, 4);
const timeout = 30_000 + 5_000 * ROUNDS;

// The guardian of this worker sees a tool only after it has started itself; a client is closed when it has answered once.
beforeAll(async () => {
  const client = createClient({ policies: false, providers: [programProvider("answers")] });
  await client.run("bad", { prompt: "Say something." }).result();
  await client.close();
});

it.each([...WAYS, "daemon of a tool"] as const)("%s: nothing is left after an answer and close()", { timeout }, (how) =>
  inRounds(async () => {
    const program = hidingProgram(how, { ANSWER: "1" });
    expect((await finishRun(program.start())).end.finish).toBe("stop");
    await expectNothingAfterClose(program);
  }),
);

it.each(WAYS)("%s: nothing is left after an abort and close()", { timeout }, (how) =>
  inRounds(async () => {
    const program = hidingProgram(how);
    const abort = new AbortController();
    const run = watchRun(program.start({ signal: abort.signal }));
    await run.begun;
    abort.abort();
    expect((await run.finished).end.finish).toBe("cancelled");
    await expectNothingAfterClose(program);
  }),
);

it.each(WAYS)("%s: nothing is left without a guardian", { timeout }, (how) =>
  inRounds(async () => {
    const program = hidingProgram(how, {}, false);
    const run = watchRun(program.start());
    await run.begun;
    await expectNothingAfterClose(program);
    expect((await run.finished).end.finish).toBe("cancelled");
  }),
);

it.each(WAYS)("%s: nothing is left when the host is killed", { timeout }, (how) =>
  inRounds(async () => {
    const host = startHost<HeldRunReport>("holds-a-run", { PROGRAM: "hides-children", HOW: how });
    await host.report;
    process.kill(host.pid, "SIGKILL");
    await host.exit;
    await untilGone(() => processesIn(host.directory));
    await expectNothingIn(host.directory);
  }),
);

it("without /proc the group of the program is ended when the host is killed", { timeout }, () =>
  inRounds(async () => {
    if (!canMountDisk()) return;
    const host = startHost<HeldRunReport>("holds-a-run", { PROGRAM: "hides-children", HOW: "chain" }, NO_PROC);
    await host.report;
    process.kill(host.pid, "SIGKILL");
    await host.exit;
    await untilGone(() => processesIn(host.directory));
    await expectNothingIn(host.directory);
  }),
);

it("without /proc the group of the program is ended after an answer", { timeout }, () =>
  inRounds(async () => {
    if (!canMountDisk()) return;
    const env = { PROGRAM: "hides-children", HOW: "orphan", ANSWER: "1" };
    const host = startHost<AnswerReport>("one-answer", env, NO_PROC);
    await host.report;
    expect(await host.exit).toEqual({ code: 0, signal: null });
    await untilGone(() => processesIn(host.directory));
  }),
);

function hidingProgram(how: Way, env: Readonly<Record<string, string>> = {}, guardian = true): ProgramClient {
  const request = { env: { HOW: how, ...env }, ...(how === "daemon of a tool" && ({ mode: "agent", cwd: "/" } as const)) };
  return createProgramClient("hides-children", { guardian, request });
}

async function expectNothingAfterClose({ client, directory }: ProgramClient): Promise<void> {
  await client.close();
  await expectNothingIn(directory);
}

/** Looks several times, because a process may start its successor and exit between two looks. */
async function expectNothingIn(directory: string): Promise<void> {
  for (let look = 0; look < 5; look += 1, await sleep(40)) expect(await processesIn(directory)).toEqual([]);
}

/** Runs all rounds, some at a time, and reports how many failed with the first error. */
async function inRounds(round: () => Promise<void>): Promise<void> {
  const errors: unknown[] = [];
  let left = ROUNDS;
  const work = async (): Promise<void> => {
    for (; left > 0; ) {
      left -= 1;
      await round().catch((error: unknown) => errors.push(error));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (errors.length > 0) throw new Error(`${errors.length} of ${ROUNDS} rounds failed`, { cause: errors[0] });
}
