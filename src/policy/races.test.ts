import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { claude } from "../clis/claude/provider.ts";
import { openRun } from "../run/open-run.ts";
import { cancelledEnd, type Part } from "../run/part.ts";
import type { RunRequest } from "../spec/request.ts";
import type { RunStream } from "../spec/stream.ts";
import type { RunEnd } from "../spec/wire/events.ts";
import { budget } from "./budget.ts";
import { limit } from "./limit.ts";

const HOST = {
  limits: { lineBytes: 1_000_000, spillBytes: 1_000_000 },
  spills: new Set<never>(),
  closing: new AbortController().signal,
  nextRunId: () => "run",
};
const END: RunEnd = { type: "run-end", finish: "stop", answerId: "m" };
const USAGE = { inputTokens: 10, outputTokens: 3, totalTokens: 13, estimated: false, scope: "turn" } as const;

it("a place that a run gets at the moment of its cancellation is released", async () => {
  const ends: ((end: RunEnd) => void)[] = [];
  const part = limit({ total: 1, queue: 1 })(() => new Promise((resolve) => ends.push(resolve)));
  const abort = new AbortController();
  const first = ask(part);
  const second = ask(part, abort.signal);
  ends[0]?.(END);
  abort.abort();
  expect((await second.outcome()).failure).toMatchObject({ code: "interrupted" });
  await first.outcome();
  ask(part);
  expect(ends, "the third run went at once").toHaveLength(2);
});

it("an answer that was complete before the run could be stopped is kept", async () => {
  let wasStopped = false;
  const part = budget({ tokens: 13 })(async (_targets, _request, { writer, signal }) => {
    writer.writeText("m", "Whole.");
    writer.write({ type: "usage", usage: USAGE });
    writer.flush();
    wasStopped = signal.aborted;
    return END;
  });
  const result = await ask(part).outcome();
  expect(wasStopped).toBe(true);
  expect(result.failure).toBeUndefined();
  expect(result.text).toBe("Whole.");
  expect((await ask(part).outcome()).failure).toMatchObject({ code: "budget-spent" });
});

it("usage reported with a good end is counted and does not stop the run", async () => {
  let wasStopped = false;
  const part = budget({ tokens: 13 })(async (_targets, _request, { writer, signal }) => {
    await Promise.resolve();
    writer.write({ type: "usage", usage: USAGE });
    signal.addEventListener("abort", () => {
      wasStopped = true;
    });
    return END;
  });
  expect((await ask(part).outcome()).failure).toBeUndefined();
  expect(wasStopped).toBe(false);
  expect((await ask(part).outcome()).failure).toMatchObject({ code: "budget-spent" });
});

it("a part that fails during a cancellation ends as cancelled, and one that throws ends as a failure", async () => {
  const abort = new AbortController();
  const cancelled = ask(async () => {
    abort.abort();
    return { type: "run-end", finish: "error", failure: { ...failureOf(cancelledEnd()), category: "server", partialText: "So" } };
  }, abort.signal);
  expect((await cancelled.outcome()).failure).toMatchObject({ category: "cancelled", partialText: "So" });
  const broken = ask(() => Promise.reject(new Error("odd")));
  expect((await broken.outcome()).failure).toMatchObject({ code: "unclassified", message: expect.stringContaining("odd") });
});

it("a part that rejects leaves no timer and no listener of the budget behind", async () => {
  const abort = new AbortController();
  const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  const before = timers();
  const part = budget({ wallMs: 600_000 })(() => Promise.reject(new Error("odd")));
  expect((await ask(part, abort.signal).outcome()).failure).toMatchObject({ code: "unclassified" });
  expect(timers()).toBe(before);
  expect(getEventListeners(abort.signal, "abort")).toEqual([]);
});

function failureOf({ failure }: RunEnd): NonNullable<RunEnd["failure"]> {
  if (failure === undefined) throw new Error("no failure");
  return failure;
}

function ask(part: Part, signal?: AbortSignal): RunStream {
  const request: RunRequest = { prompt: "Hello" };
  return openRun(HOST, request, signal === undefined ? {} : { signal }, (context) =>
    part([{ target: { provider: "claude" }, provider: claude }], request, context),
  );
}
