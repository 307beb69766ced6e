import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { createAgent } from "../../../src/agent/index.ts";
import { createGateway } from "../../../src/gateway/index.ts";
import type { RunEvent } from "../../../src/spec/wire/events.ts";
import { type Fleet, openFleet } from "../../support/clis/open-fleet.ts";
import { answers, fails, hangs } from "../../support/clis/plays.ts";
import { eventsOf } from "../../support/runs/read-run.ts";
import { watchWaiting } from "./waiting.ts";

type Wait = "retry" | "queue" | "second attempt" | "second target";
const WAITS: readonly Wait[] = ["retry", "queue", "second attempt", "second target"];
const WAYS = ["signal", "interrupt", "leaving", "closing"] as const;
const CASES = WAITS.flatMap((wait) => WAYS.map((way) => [way, wait] as const));

it.each(CASES)("%s ends a run at once that is in: %s", async (way, wait) => {
  const before = timers();
  const fleet = openWaiting(wait);
  const abort = new AbortController();
  const holder = wait === "queue" ? watchWaiting(fleet.run("a")) : undefined;
  await holder?.begun;
  const stream = fleet.run(["a", "b"], {}, { signal: abort.signal, keepEvents: true });
  const iterator = stream[Symbol.asyncIterator]();
  const events: RunEvent[] = [];
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    events.push(next.value);
    if (hasReached(events, wait)) break;
  }
  expect(hasReached(events, wait)).toBe(true);
  const starts = [fleet.starts("a"), fleet.starts("b")];
  if (way === "signal") abort.abort();
  if (way === "interrupt") stream.interrupt();
  if (way === "leaving") await iterator.return?.();
  if (way === "closing") await fleet.client.close();
  const result = await stream.outcome();
  expect(result).toMatchObject({ finish: "cancelled", failure: { category: "cancelled", code: "interrupted" } });
  const kept = result.events ?? [];
  expect(kept.at(-1)).toMatchObject({ type: "run-end", finish: "cancelled" });
  expect(eventsOf(kept, "run-end")).toHaveLength(1);
  expect([fleet.starts("a"), fleet.starts("b")]).toEqual(starts);
  expect(getEventListeners(abort.signal, "abort")).toEqual([]);
  holder?.stream.interrupt();
  await holder?.finished;
  await fleet.untilQuiet();
  await expect.poll(timers, { timeout: 20_000 }).toBeLessThanOrEqual(before);
});

it("a signal that is already aborted starts nothing, with any policies", async () => {
  const fleet = openFleet(
    { a: [fails("overloaded")], b: [answers("Instead.")] },
    { policies: { budget: { usd: 1, wallMs: 60_000 } } },
  );
  const { end } = await fleet.finish(["a", "b"], {}, { signal: AbortSignal.abort() });
  expect(end).toMatchObject({ finish: "cancelled", failure: { code: "interrupted" } });
  expect([fleet.starts("a"), fleet.starts("b")]).toEqual([0, 0]);
});

it("a run that is cancelled while its CLI works is neither retried nor continued on another target", async () => {
  const fleet = openFleet({ a: [hangs, answers("Again.")], b: [answers("Instead.")] });
  const run = watchWaiting(fleet.run(["a", "b"]));
  await run.begun;
  run.stream.interrupt();
  const { events, end } = await run.finished;
  expect(end).toMatchObject({ finish: "cancelled", failure: { code: "interrupted" } });
  expect([...eventsOf(events, "retry"), ...eventsOf(events, "fallback")]).toEqual([]);
  expect([fleet.starts("a"), fleet.starts("b")]).toEqual([1, 0]);
});

it("cancelling a finished run changes nothing", async () => {
  const fleet = openFleet({ a: [fails("overloaded"), answers("Done.")] });
  const abort = new AbortController();
  const { stream, result } = await fleet.finish("a", {}, { signal: abort.signal });
  abort.abort();
  stream.interrupt();
  expect(await stream.outcome()).toEqual(result);
  expect(result.text).toBe("Done.");
});

it.each([
  ["answered", [answers("Done.")]],
  ["was retried", [fails("overloaded"), answers("Done.")]],
  ["failed", [fails("overloaded")]],
  ["was refused", []],
] as const)("a run that %s leaves no listener on its signal and no timer", async (_name, plays) => {
  const before = timers();
  const fleet = openFleet({ a: plays });
  const { signal } = new AbortController();
  const budget = { wallMs: 600_000, tokens: 1_000_000 };
  await fleet.finish(plays.length === 0 ? "nobody" : "a", { budget, timeouts: { totalMs: 600_000 } }, { signal });
  expect(getEventListeners(signal, "abort")).toEqual([]);
  await expect.poll(timers, { timeout: 20_000 }).toBeLessThanOrEqual(before);
});

it("runs asked for after close() are cancelled, say that the client is closed, and start nothing", async () => {
  const fleet = openFleet({ a: [answers("Done.")] });
  const session = fleet.client.session({ target: "a" });
  await fleet.client.close();
  const { end } = await fleet.finish("a");
  const message = "The client is closed, so the run was not started.";
  expect(end).toMatchObject({ finish: "cancelled", failure: { code: "interrupted", message } });
  expect((await session.stream("Hi").outcome()).failure).toMatchObject({ code: "interrupted", message });
  const agent = createAgent({ model: "cli:a", client: fleet.client });
  expect((await agent.ask("Hi").outcome()).failure).toMatchObject({ code: "interrupted", message });
  const response = await createGateway({ client: fleet.client, token: false }).fetch(
    new Request("http://127.0.0.1/v1/chat/completions", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "a", messages: [{ role: "user", content: "Hi" }] }),
    }),
  );
  expect(await response.text()).toContain(message);
  expect(fleet.starts("a")).toBe(0);
});

it("close() ends a whole queue", async () => {
  const fleet = openFleet({ a: [hangs] }, { policies: { limit: { total: 1 } } });
  const first = watchWaiting(fleet.run("a"));
  await first.begun;
  const waiting = Array.from({ length: 5 }, () => watchWaiting(fleet.run("a")));
  await Promise.all(waiting.map((run) => run.waits));
  await fleet.client.close();
  for (const { end } of await Promise.all([first, ...waiting].map((run) => run.finished)))
    expect(end.failure).toMatchObject({ category: "cancelled", code: "interrupted" });
  expect(fleet.starts("a")).toBe(1);
});

it("thirty runs may share a signal, and no warning of too many listeners is printed", async () => {
  const warnings: string[] = [];
  const listen = (warning: Error): void => void warnings.push(warning.name);
  process.on("warning", listen);
  const fleet = openFleet(
    { a: [fails("rate-limited", { retryAfterMs: 50_000 })] },
    { policies: { limit: { perProvider: 4, total: 4 } } },
  );
  const abort = new AbortController();
  const budget = { wallMs: 600_000 };
  const runs = Array.from({ length: 30 }, () => watchWaiting(fleet.run("a", { budget }, { signal: abort.signal })));
  await Promise.all(runs.map((run) => run.retries));
  abort.abort();
  for (const { end } of await Promise.all(runs.map((run) => run.finished))) expect(end.failure?.code).toBe("interrupted");
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", listen);
  expect(warnings).toEqual([]);
  expect(getEventListeners(abort.signal, "abort")).toEqual([]);
});

function openWaiting(wait: Wait): Fleet {
  const busy = fails("rate-limited", { retryAfterMs: 50_000 });
  if (wait === "retry") return openFleet({ a: [busy], b: [answers("No.")] });
  if (wait === "queue") return openFleet({ a: [hangs], b: [answers("No.")] }, { policies: { limit: { perProvider: 1 } } });
  if (wait === "second attempt") return openFleet({ a: [fails("overloaded"), hangs], b: [answers("No.")] });
  return openFleet({ a: [fails("model-unknown")], b: [hangs] });
}

function hasReached(events: readonly RunEvent[], wait: Wait): boolean {
  if (wait === "retry") return eventsOf(events, "retry").length === 1;
  if (wait === "queue") return eventsOf(events, "queue-wait").length === 1;
  return eventsOf(events, "attempt-start").length === 2 && events.at(-1)?.type === "session-start";
}

function timers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
}
