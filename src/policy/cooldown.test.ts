import { expect, it } from "vitest";
import { claude } from "../clis/claude/provider.ts";
import { openRun } from "../run/open-run.ts";
import { failedEnd } from "../run/part.ts";
import { createFailure } from "../spec/failure/failure.ts";
import type { RunRequest } from "../spec/request.ts";
import type { RunEnd } from "../spec/wire/events.ts";
import { cooldown } from "./cooldown.ts";
import { QuotaMemory } from "./quota-memory.ts";

const NOW = Date.parse("2031-05-06T07:08:09.000Z");
const ANSWER: RunEnd = { type: "run-end", finish: "stop", answerId: "m" };
const SPENT: RunEnd = failedEnd(createFailure("quota-exhausted", "The quota is used up."));

/** Counts how often an entry is looked for. */
class CountedMemory extends QuotaMemory {
  finds = 0;

  override find(...args: Parameters<QuotaMemory["find"]>): ReturnType<QuotaMemory["find"]> {
    this.finds += 1;
    return super.find(...args);
  }
}

it("an answer looks for an entry again only after the client has stored one", async () => {
  const memory = new CountedMemory({ XDG_STATE_HOME: "/nonexistent" });
  let now = NOW;
  const ends: RunEnd[] = [ANSWER, SPENT, ANSWER];
  const policy = cooldown({ env: {}, now: () => now }, memory);
  const part = policy(() => Promise.resolve(ends.shift() ?? ANSWER));
  const finds: number[] = [];
  for (let runs = ends.length; runs > 0; runs -= 1) {
    await run(part);
    finds.push(memory.finds);
    now += 600_000;
  }
  expect(finds, "once before each run, and once after the last one").toEqual([1, 2, 4]);
});

it("a limit without a stated time is not called one that resets", async () => {
  const end = failedEnd(createFailure("quota-exhausted", "Your seat type doesn't include usage credits"));
  const policy = cooldown({ env: {}, now: () => NOW }, new QuotaMemory({ XDG_STATE_HOME: "/nonexistent" }));
  const part = policy(() => Promise.resolve(end));
  await run(part);
  expect(await run(part)).toMatchObject({
    failure: {
      message: expect.stringContaining("Your seat type"),
      hint: "Do what the message says, or use another provider. Coxswain asks this one again in 300 s.",
      retryAfterMs: 300_000,
    },
  });
});

function run(part: ReturnType<ReturnType<typeof cooldown>>): Promise<unknown> {
  const host = { limits: { lineBytes: 1000, spillBytes: 1000 }, spills: new Set<never>(), closing: new AbortController().signal };
  const request: RunRequest = { prompt: "Hello" };
  const targets = [{ target: { provider: "claude" }, provider: claude }] as const;
  return openRun({ ...host, nextRunId: () => "run" }, request, {}, (context) => part(targets, request, context)).outcome();
}
