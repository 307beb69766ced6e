import { expect, it } from "vitest";
import type { EventDraft } from "../../../src/spec/wire/events.ts";
import { openFleet } from "../../support/clis/open-fleet.ts";
import { answers, FOREVER, fails, type Play } from "../../support/clis/plays.ts";
import { eventsOf } from "../../support/runs/read-run.ts";

const again = (attempt: number): EventDraft => ({ type: "upstream-retry", attempt, delayMs: 1, status: 529 });

/** A start that fails after this many retries of its own. */
const failsAfter = (retries: number): Play =>
  fails("overloaded", {}, [{ events: Array.from({ length: retries }, (_, index) => again(index + 1)) }]);

it.each([
  ["none, so that both retries are Coxswain's", 0, 3],
  ["one, and Coxswain's only one is left", 1, 2],
  ["two, and none is left", 2, 1],
  ["five, more than the policy allows", 5, 1],
])("the CLI's own retries count as retries: %s", async (_name, retries, starts) => {
  const fleet = openFleet({ a: [failsAfter(retries)] });
  const { events, end } = await fleet.finish("a");
  expect(end.failure).toMatchObject({ code: "overloaded" });
  expect(fleet.starts("a")).toBe(starts);
  expect(eventsOf(events, "retry")).toHaveLength(starts - 1);
});

it("the events name who retries", async () => {
  const fleet = openFleet({ a: [failsAfter(1), answers("Here I am.")] });
  const { events } = await fleet.finish("a");
  expect(eventsOf(events, "upstream-retry").map(({ by }) => by)).toEqual(["cli"]);
  expect(eventsOf(events, "retry").map(({ by }) => by)).toEqual(["coxswain"]);
});

it("after the CLI's own retries the next target is asked", async () => {
  const fleet = openFleet({ a: [failsAfter(2)], b: [answers("Instead.")] });
  const { result } = await fleet.finish(["a", "b"]);
  expect(result).toMatchObject({ text: "Instead.", attempts: [{ provider: "a" }, { provider: "b" }] });
  expect(fleet.starts("a")).toBe(1);
});

it("the known retries of a silent CLI count, for their mode and their category alone", async () => {
  const changes = { a: { silentRetries: { completion: { server: 6 } } } };
  const open = (play: Play) => openFleet({ a: [play] }, { changes });
  const [server, network, agent] = [open(fails("overloaded")), open(fails("connection-lost")), open(fails("overloaded"))];
  await Promise.all([server.run("a").outcome(), network.run("a").outcome(), agent.run("a", { mode: "agent" }).outcome()]);
  expect([server, network, agent].map((fleet) => fleet.starts("a"))).toEqual([1, 3, 3]);
});

const waits = (delayMs: number, status = 429): EventDraft => ({ type: "upstream-retry", attempt: 1, delayMs, status });

it.each([
  ["of the policy", { retry: { maxWaitMs: 5_000 } }, {}, waits(30_000), "rate-limited"],
  ["of the request", {}, { maxWaitMs: 5_000 }, waits(30_000), "rate-limited"],
  ["by default", {}, {}, waits(60_001, 529), "overloaded"],
  ["of a policy without retries", { retry: { retries: 0, maxWaitMs: 5_000 } }, {}, waits(30_000, 503), "overloaded"],
] as const)("a wait that the CLI begins ends the run at once if it is longer than the maxWaitMs %s", async (...row) => {
  const [_name, policies, request, event, code] = row;
  const fleet = openFleet({ a: [[{ events: [event] }, FOREVER]], b: [answers("Instead.")] }, { policies });
  const { events, end } = await fleet.finish("a", request);
  expect(end.failure).toMatchObject({ code, retryAfterMs: "delayMs" in event ? event.delayMs : 0, shouldRetry: true });
  expect(eventsOf(events, "retry")).toEqual([]);
  expect(fleet.starts("a")).toBe(1);
  expect((await fleet.finish(["a", "b"], request)).result.text).toBe("Instead.");
});

it("a wait that the CLI begins ends also an agent that has used tools, and its text is in the failure", async () => {
  const worked: EventDraft[] = [
    { type: "tool-start", id: "t", name: "Bash" },
    { type: "tool-end", id: "t", output: "ok", isError: false },
    { type: "text-delta", messageId: "message", text: "So far" },
    waits(30_000),
  ];
  const fleet = openFleet({ a: [[{ events: worked }, FOREVER]] });
  const { end } = await fleet.finish("a", { mode: "agent", maxWaitMs: 1_000 });
  expect(end.failure).toMatchObject({ code: "rate-limited", retryAfterMs: 30_000, partialText: "So far" });
});

it.each([
  ["is not longer than maxWaitMs", waits(1_000)],
  ["no service states, because no connection was made", { type: "upstream-retry", attempt: 1, delayMs: 30_000 } as const],
])("a wait that %s is the CLI's own matter", async (_name, event) => {
  const fleet = openFleet({ a: [answers("After a while.", { before: [{ events: [event] }] })] });
  expect((await fleet.finish("a", { maxWaitMs: 1_000 })).result.text).toBe("After a while.");
});

it("the waits of the CLI and of Coxswain count together", async () => {
  const slow = fails("overloaded", {}, [{ events: [waits(800)] }]);
  const policies = { retry: { retries: 9, firstDelayMs: 100, maxWaitMs: 1_000 } };
  const fleet = openFleet({ a: [slow] }, { policies });
  await fleet.finish("a");
  expect(fleet.starts("a")).toBe(2);
});

it("several waits that the CLI begins end the run once they are longer than maxWaitMs together", async () => {
  const events = [waits(400), waits(400), waits(400)];
  const fleet = openFleet({ a: [[{ events }, FOREVER]] });
  const { end } = await fleet.finish("a", { maxWaitMs: 1_000 });
  expect(end.failure).toMatchObject({ code: "rate-limited", retryAfterMs: 400 });
});

it("a cancelled run stays cancelled while the CLI waits", async () => {
  const fleet = openFleet({ a: [[{ events: [waits(500)] }, FOREVER]] });
  const stream = fleet.run("a");
  for await (const event of stream) if (event.type === "upstream-retry") stream.interrupt();
  expect((await stream.outcome()).failure).toMatchObject({ code: "interrupted" });
});
