import { expect, it } from "vitest";
import type { EventBody, RunEvent } from "../spec/events.ts";
import type { RunResult } from "../spec/result.ts";
import type { Runner, RunStream } from "../spec/stream.ts";
import { budget } from "./budget.ts";
import { limit } from "./limit.ts";
import type { PolicyHost } from "./policy.ts";

const HOST: PolicyHost = {
  env: {},
  limits: { lineBytes: 1_000_000, spillBytes: 1_000_000 },
  spills: new Set(),
  providers: [],
  closing: new AbortController().signal,
  nextRunId: () => "run",
  now: Date.now,
};
const DONE: RunResult = { text: "", toolCalls: [], permissionDenials: [], finish: "stop", warnings: [] };
const START: EventBody = { type: "run-start", runId: "run" };
const END: EventBody = { type: "run-end", finish: "stop", answerId: "m" };

it("a place that is given to a run in the moment in which it is cancelled is given back", async () => {
  const ends: ((result: RunResult) => void)[] = [];
  const runner = limit(HOST, { total: 1, queue: 1 })(() => {
    const { promise, resolve } = Promise.withResolvers<RunResult>();
    ends.push(resolve);
    return streamOf([[START, END]], promise);
  });
  const abort = new AbortController();
  ask(runner);
  const second = ask(runner, abort.signal);
  ends[0]?.(DONE);
  abort.abort();
  expect((await second.outcome()).failure).toMatchObject({ code: "interrupted" });
  ask(runner);
  expect(ends, "the third run went at once").toHaveLength(2);
});

it("an answer that was complete before the run could be stopped is kept", async () => {
  const usage = { inputTokens: 10, outputTokens: 3, totalTokens: 13, estimated: false, scope: "turn" } as const;
  const said: readonly EventBody[] = [
    { type: "text-delta", messageId: "m", text: "Whole." },
    { type: "text-end", messageId: "m" },
    { type: "usage", usage },
  ];
  let interrupts = 0;
  const runner = budget(HOST, { tokens: 13 })(() => ({
    ...streamOf([[START, ...said], [END]], Promise.resolve(DONE)),
    interrupt: () => {
      interrupts += 1;
    },
  }));
  const result = await ask(runner).outcome();
  expect(interrupts).toBeGreaterThan(0);
  expect(result.failure).toBeUndefined();
  expect(result.text).toBe("Whole.");
  expect((await ask(runner).outcome()).failure).toMatchObject({ code: "budget-spent" });
});

function ask(runner: Runner, signal?: AbortSignal): RunStream {
  return runner([{ provider: "a" }], { prompt: "Hello" }, signal === undefined ? {} : { signal });
}

/** A run whose batches are these and whose result the test decides about. */
function streamOf(batches: readonly (readonly EventBody[])[], result: Promise<RunResult>): RunStream {
  let seq = 0;
  const stamp = (body: EventBody): RunEvent => ({ ...body, seq: seq++, atMs: 0 });
  async function* read(): AsyncGenerator<readonly RunEvent[]> {
    for (const batch of batches) yield batch.map(stamp);
  }
  async function* flat(): AsyncGenerator<RunEvent> {
    for await (const batch of read()) yield* batch;
  }
  return {
    [Symbol.asyncIterator]: flat,
    batches: read,
    result: () => result,
    outcome: () => result,
    interrupt: () => {},
  };
}
