import { expect, it } from "vitest";
import { createFailure } from "../spec/failure/failure.ts";
import { RunError } from "../spec/failure/run-error.ts";
import type { RunResult } from "../spec/result.ts";
import type { RunStream } from "../spec/stream.ts";
import type { EventBody, RunEvent } from "../spec/wire/events.ts";
import { BatchQueue } from "./batch-queue.ts";
import { Collector } from "./collect.ts";
import { createRunStream } from "./run-stream.ts";

const ANSWER = stamped([
  { type: "run-start", runId: "r" },
  { type: "text-delta", messageId: "m", text: "All " },
  { type: "text-delta", messageId: "m", text: "good." },
  { type: "run-end", finish: "stop", answerId: "m" },
]);
const TYPES = ANSWER.map(({ type }) => type);
const INTERRUPTED = createFailure("interrupted", "The run was cancelled.");

it("iterating gives every event in order, across batches and empty ones", async () => {
  const { stream } = finishedRun([ANSWER.slice(0, 1), [], ANSWER.slice(1, 3), [], [], ANSWER.slice(3)]);
  expect(await typesOf(stream)).toEqual(TYPES);
});

it("batches() gives the same events in their batches", async () => {
  const batches = [ANSWER.slice(0, 1), ANSWER.slice(1)];
  const read: unknown[] = [];
  for await (const batch of finishedRun(batches).stream.batches()) read.push(batch);
  expect(read).toEqual(batches);
});

it("result() alone reads the run", async () => {
  expect(await finishedRun([ANSWER]).stream.result()).toMatchObject({ text: "All good.", finish: "stop" });
});

it("result() can be called again and gives the same", async () => {
  const { stream } = finishedRun([ANSWER]);
  const [first, second] = await Promise.all([stream.result(), stream.result()]);
  expect(second).toEqual(first);
  expect(await stream.result()).toEqual(first);
});

it("result() during the iteration waits for its end and consumes no event", async () => {
  const { stream, queue } = openRun();
  queue.push(ANSWER.slice(0, 2), 1);
  const seen: string[] = [];
  let result: Promise<unknown> | undefined;
  for await (const { type } of stream) {
    seen.push(type);
    result ??= stream.result();
    if (seen.length === 2) {
      queue.push(ANSWER.slice(2), 1);
      queue.end();
    }
  }
  expect(seen).toEqual(TYPES);
  expect(await result).toMatchObject({ text: "All good." });
});

it("result() after the iteration gives the result of the read events", async () => {
  const { stream } = finishedRun([ANSWER]);
  await typesOf(stream);
  expect(await stream.result()).toMatchObject({ text: "All good." });
});

it("result() works beside batches() too", async () => {
  const { stream } = finishedRun([ANSWER.slice(0, 2), ANSWER.slice(2)]);
  for await (const _ of stream.batches());
  expect(await stream.result()).toMatchObject({ text: "All good." });
});

it.each<[string, (stream: RunStream) => unknown]>([
  ["iterated", (stream) => stream[Symbol.asyncIterator]()],
  ["read in batches", (stream) => stream.batches()],
  ["folded by result()", (stream) => stream.result()],
])("a run that was %s cannot be read a second time", (_name, read) => {
  const { stream } = finishedRun([ANSWER]);
  read(stream);
  expect(() => stream[Symbol.asyncIterator]()).toThrow(TypeError);
  expect(() => stream.batches()).toThrow(TypeError);
});

it("batches that were read once cannot be read a second time either", async () => {
  const batches = finishedRun([ANSWER]).stream.batches();
  for await (const _ of batches);
  expect(() => batches[Symbol.asyncIterator]()).toThrow("only once");
});

it.each<[string, (stream: RunStream) => AsyncIterable<unknown>]>([
  ["events", (stream) => stream],
  ["batches", (stream) => stream.batches()],
])("leaving a loop over %s cancels the run once; its last events are still in the result", async (_name, read) => {
  const { stream, queue, cancelled } = openRun();
  queue.push(ANSWER.slice(0, 2), 1);
  for await (const _ of read(stream)) break;
  expect(cancelled()).toBe(1);
  const error = await stream.result().catch((reason: unknown) => reason);
  expect(RunError.is(error) && error.failure).toMatchObject({ code: "interrupted" });
  expect(RunError.is(error) && error.result).toMatchObject({ finish: "cancelled", text: "" });
});

it("an iterator that was left or has ended gives no more events and cancels nothing", async () => {
  const left = openRun();
  left.queue.push(ANSWER.slice(0, 3), 1);
  const iterator = left.stream[Symbol.asyncIterator]();
  await iterator.next();
  await iterator.return?.();
  await iterator.return?.();
  expect(await iterator.next()).toEqual({ done: true, value: undefined });
  expect(left.cancelled()).toBe(1);

  const ended = finishedRun([ANSWER]);
  const whole = ended.stream[Symbol.asyncIterator]();
  while ((await whole.next()).done !== true);
  await whole.return?.();
  expect(await whole.next()).toEqual({ done: true, value: undefined });
  expect(ended.cancelled()).toBe(0);
});

it("concurrent calls of next() each get one event, in order", async () => {
  const iterator = finishedRun([ANSWER.slice(0, 2), ANSWER.slice(2)]).stream[Symbol.asyncIterator]();
  const asked = [iterator.next(), iterator.next(), iterator.next(), iterator.next(), iterator.next()];
  const types = (await Promise.all(asked)).map((next) => (next.done === true ? "done" : next.value.type));
  expect(types).toEqual([...TYPES, "done"]);
});

it("result() of a failed run rejects with a RunError that has the failure and the partial result", async () => {
  const failure = createFailure("crashed", "It died.", { partialText: "All " });
  const events = stamped([
    { type: "session-start", sessionId: "s" },
    { type: "text-delta", messageId: "m", text: "All " },
    { type: "warning", code: "w", message: "Careful." },
    { type: "run-end", finish: "error", failure },
  ]);
  const { stream } = finishedRun([events]);
  expect(await typesOf(stream)).toHaveLength(4);
  const error = await stream.result().catch((reason: unknown) => reason);
  if (!RunError.is(error)) throw new Error(`no RunError: ${String(error)}`);
  expect(error.failure).toEqual(failure);
  expect(error.message).toBe("It died.");
  expect(error.result).toMatchObject({
    sessionId: "s",
    text: "",
    finish: "error",
    failure,
    warnings: [{ code: "w", message: "Careful." }],
  });
});

it("a failed run whose result is not used causes no unhandled rejection", async () => {
  const rejections: unknown[] = [];
  const note = (reason: unknown): void => void rejections.push(reason);
  process.on("unhandledRejection", note);
  await typesOf(finishedRun([stamped([{ type: "run-end", finish: "cancelled", failure: INTERRUPTED }])]).stream);
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", note);
  expect(rejections).toEqual([]);
});

it("interrupt() cancels without reading", async () => {
  const { stream, cancelled } = openRun();
  stream.interrupt();
  expect(cancelled()).toBe(1);
  expect(await typesOf(stream)).toEqual(["run-end"]);
});

it("events are in the result only with keepEvents", async () => {
  expect(await finishedRun([ANSWER]).stream.result()).not.toHaveProperty("events");
  const { stream } = finishedRun([ANSWER.slice(0, 2), ANSWER.slice(2)], true);
  await typesOf(stream);
  expect((await stream.result()).events).toEqual(ANSWER);
});

type OpenRun = {
  readonly stream: RunStream;
  readonly queue: { push(batch: readonly RunEvent[], weight: number): void; end(): void };
  readonly cancelled: () => number;
};

/** A run in progress that collects its result; a cancel ends it like a real run. */
function openRun(keepEvents = false): OpenRun {
  const waiting = new BatchQueue(1_000_000);
  const collector = new Collector(keepEvents);
  const done = Promise.withResolvers<RunResult>();
  let cancelled = 0;
  const queue = {
    push(batch: readonly RunEvent[], weight: number): void {
      for (const event of batch) collector.add(event);
      waiting.push(batch, weight);
    },
    end(): void {
      waiting.end();
      done.resolve(collector.result());
    },
  };
  const cancel = (): void => {
    cancelled += 1;
    queue.push(stamped([{ type: "run-end", finish: "cancelled", failure: INTERRUPTED }]), 1);
    queue.end();
  };
  const source = { next: () => waiting.next(), discard: () => waiting.discard(), cancel, done: done.promise };
  return { stream: createRunStream(source), queue, cancelled: () => cancelled };
}

function finishedRun(batches: readonly (readonly RunEvent[])[], keepEvents = false): OpenRun {
  const run = openRun(keepEvents);
  for (const batch of batches) run.queue.push(batch, 1);
  run.queue.end();
  return run;
}

async function typesOf(stream: RunStream): Promise<readonly string[]> {
  const types: string[] = [];
  for await (const { type } of stream) types.push(type);
  return types;
}

function stamped(bodies: readonly EventBody[]): readonly RunEvent[] {
  return bodies.map((body, seq) => ({ ...body, seq, atMs: 0 }));
}
