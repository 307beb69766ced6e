import { expect, it } from "vitest";
import type { EventDraft } from "../../../src/spec/wire/events.ts";
import { openFleet } from "../../support/clis/open-fleet.ts";
import { answers, fails, says } from "../../support/clis/plays.ts";
import { eventsOf } from "../../support/runs/read-run.ts";

const SHOWN: readonly (readonly [string, EventDraft])[] = [
  ["text", { type: "text-delta", messageId: "message", text: "Half" }],
  ["reasoning", { type: "reasoning-delta", messageId: "message", text: "Hm" }],
  ["a piece of the object", { type: "object-delta", object: { half: true } }],
];

const DONE: readonly (readonly [string, readonly EventDraft[]])[] = [
  ["tool-start", [{ type: "tool-start", id: "t", name: "Bash" }]],
  ["tool-call", [{ type: "tool-call", id: "t", name: "Bash", input: {}, executor: "cli" }]],
  [
    "tool-end",
    [
      { type: "tool-start", id: "t", name: "Bash" },
      { type: "tool-end", id: "t", output: "ok", isError: false },
    ],
  ],
  ["file-change", [{ type: "file-change", path: "a.txt", kind: "update" }]],
  ["permission-request", [{ type: "permission-request", requestId: "q", name: "Bash", input: {} }]],
];

it.each(SHOWN)("after %s that was read there is no retry", async (_name, event) => {
  const fleet = openFleet({ a: [fails("overloaded", {}, [{ events: [event] }]), answers("Again.")] });
  const { end } = await fleet.finish("a");
  expect(end.failure).toMatchObject({ code: "overloaded" });
  expect(fleet.starts("a")).toBe(1);
});

it("shown text is in the failure of the run that was not retried", async () => {
  const fleet = openFleet({ a: [fails("overloaded", {}, [says("Half")])] });
  const { end, events } = await fleet.finish("a");
  expect(end.failure).toMatchObject({ code: "overloaded", partialText: "Half" });
  expect(eventsOf(events, "text-reset")).toEqual([]);
});

it.each(SHOWN.flatMap(([name, event]) => [[name, "result", event] as const, [name, "outcome", event] as const]))(
  "after %s that was not read there is a retry for %s()",
  async (_name, way, event) => {
    const fleet = openFleet({ a: [fails("overloaded", {}, [{ events: [event] }]), answers("Again.")] });
    const result = await fleet.run("a")[way]();
    expect(result).toMatchObject({ text: "Again.", attempts: [{ failure: { code: "overloaded" } }, {}] });
    expect(result.object).toBeUndefined();
    expect(fleet.starts("a")).toBe(2);
  },
);

it("events that are read beside outcome() count as read", async () => {
  const fleet = openFleet({ a: [fails("overloaded", {}, [says("Half")]), answers("Again.")] });
  const stream = fleet.run("a");
  const outcome = stream.outcome();
  for await (const event of stream) expect(event.type).not.toBe("text-reset");
  expect((await outcome).failure).toMatchObject({ code: "overloaded", partialText: "Half" });
});

it("reading batches counts as reading events", async () => {
  const fleet = openFleet({ a: [fails("overloaded", {}, [says("Half")]), answers("Again.")] });
  const stream = fleet.run("a");
  for await (const batch of stream.batches()) expect(batch.length).toBeGreaterThan(0);
  expect((await stream.outcome()).failure).toMatchObject({ code: "overloaded" });
  expect(fleet.starts("a")).toBe(1);
});

it("commit first-event applies also when only the result is read", async () => {
  const fleet = openFleet({ a: [fails("overloaded", {}, [says("Half")]), answers("Again.")] });
  const error: unknown = await fleet
    .run("a", {}, { commit: "first-event" })
    .result()
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ failure: { code: "overloaded", partialText: "Half" } });
  expect(fleet.starts("a")).toBe(1);
});

it("with commit first-event an attempt that showed nothing is retried", async () => {
  const fleet = openFleet({ a: [fails("overloaded"), answers("Again.")] });
  expect(await fleet.run("a", {}, { commit: "first-event" }).result()).toMatchObject({ text: "Again." });
});

it("with commit end an attempt is retried after its text was read, and each message is reset first", async () => {
  const said = [says("One", "m1"), { events: [{ type: "text-end", messageId: "m1" }] } as const, says("Two", "m2")];
  const fleet = openFleet({ a: [fails("overloaded", {}, said), answers("Again.")] });
  const { events, end, result } = await fleet.finish("a", {}, { commit: "end" });
  expect(fleet.starts("a")).toBe(2);
  const shown = [...new Set(eventsOf(events, "text-delta").map(({ messageId }) => messageId))];
  expect(shown).toHaveLength(3);
  expect(eventsOf(events, "text-reset").map(({ messageId }) => messageId)).toEqual(shown.slice(0, 2));
  expect(end).toMatchObject({ finish: "stop", answerId: shown[2] });
  expect(result.text).toBe("Again.");
});

it("a message that the CLI itself reset is not reset again", async () => {
  const said = [says("One", "m1"), { events: [{ type: "text-reset", messageId: "m1" }] } as const, says("Two", "m2")];
  const fleet = openFleet({ a: [fails("overloaded", {}, said), answers("Again.")] });
  const { events } = await fleet.finish("a", {}, { commit: "end" });
  expect(eventsOf(events, "text-reset").map(({ messageId }) => messageId)).toEqual(
    [...new Set(eventsOf(events, "text-delta").map(({ messageId }) => messageId))].slice(0, 2),
  );
});

it("equal message ids of a program in each attempt become different ids", async () => {
  const fleet = openFleet({
    a: [fails("overloaded", {}, [says("One")]), fails("overloaded", {}, [says("Two")]), answers("Three.")],
  });
  const { events, end, result } = await fleet.finish("a", {}, { commit: "end" });
  const ids = eventsOf(events, "text-delta").map(({ messageId }) => messageId);
  expect(new Set(ids).size).toBe(3);
  expect(end.answerId).toBe(ids[2]);
  expect(result.text).toBe("Three.");
});

it("the text of an attempt that was retried is not the partial text of the next", async () => {
  const fleet = openFleet({ a: [fails("overloaded", {}, [says("Half")]), fails("not-logged-in")] });
  const { end, result } = await fleet.finish("a", {}, { commit: "end" });
  expect(end.failure).toMatchObject({ code: "not-logged-in" });
  expect(end.failure?.partialText).toBeUndefined();
  expect(result.text).toBe("");
});

it.each<[string, EventDraft]>([
  ["a report of usage", { type: "usage", usage: { inputTokens: 1, estimated: false, scope: "turn" } }],
  ["a warning", { type: "warning", code: "cli-warning", message: "Careful." }],
  ["a retry of the CLI itself", { type: "upstream-retry", attempt: 1 }],
  ["unknown output", { type: "native", text: "Hm." }],
])("%s shows nothing: the attempt is retried", async (_name, event) => {
  const fleet = openFleet({ a: [fails("overloaded", {}, [{ events: [event] }]), answers("Again.")] });
  const { result } = await fleet.finish("a");
  expect(result.text).toBe("Again.");
});

it.each(DONE)("after %s no policy starts another attempt", async (_name, events) => {
  const plays = { a: [fails("overloaded", {}, [{ events }]), answers("Again.")], b: [answers("Instead.")] };
  const fleet = openFleet(plays);
  expect((await fleet.run(["a", "b"], { mode: "agent" }).outcome()).failure).toMatchObject({ code: "overloaded" });
  expect([fleet.starts("a"), fleet.starts("b")]).toEqual([1, 0]);
});

it.each(DONE)("after %s no policy starts another attempt, also with commit end", async (_name, events) => {
  const plays = { a: [fails("overloaded", {}, [{ events }]), answers("Again.")], b: [answers("Instead.")] };
  const fleet = openFleet(plays);
  const { end } = await fleet.finish(["a", "b"], { mode: "agent" }, { commit: "end" });
  expect(end.failure).toMatchObject({ code: "overloaded" });
  expect([fleet.starts("a"), fleet.starts("b")]).toEqual([1, 0]);
});
