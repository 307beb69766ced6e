import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { Message } from "../../../src/spec/message.ts";
import { withSpawn } from "../../../src/spec/provider/provider.ts";
import type { RunRequest, SessionChoice } from "../../../src/spec/request.ts";
import { CUT_CALL, OSLO, WEATHER } from "../../support/clis/call-blocks.ts";
import { openFleet } from "../../support/clis/open-fleet.ts";
import { playedCli } from "../../support/clis/played-cli.ts";
import { answers, fails, SESSION } from "../../support/clis/plays.ts";
import { eventsOf } from "../../support/runs/read-run.ts";

const MISSING = { names: ["no-such-program-anywhere"] };

it("a CLI that is not installed is skipped", async () => {
  const fleet = openFleet({ a: [], b: [answers("From b.")] }, { changes: { a: { binary: MISSING } } });
  const { events, result } = await fleet.finish(["a", "b"]);
  expect(result.text).toBe("From b.");
  expect(eventsOf(events, "fallback")).toMatchObject([{ from: "a", to: "b", failure: { code: "cli-missing" } }]);
});

it("an unknown provider ends the run", async () => {
  const fleet = openFleet({ b: [answers("From b.")] });
  const { end } = await fleet.finish(["nobody", "b"]);
  expect(end.failure).toMatchObject({ code: "provider-unknown" });
  expect(fleet.starts("b")).toBe(0);
});

it("a request that no target could take is refused by the first", async () => {
  const fleet = openFleet({ a: [answers("From a.")], b: [answers("From b.")] });
  const { end } = await fleet.finish(["a", "b"], { prompt: "  " });
  expect(end.failure).toMatchObject({ code: "prompt-blank" });
  expect([fleet.starts("a"), fleet.starts("b")]).toEqual([0, 0]);
});

it.each<[string, Partial<RunRequest>, string]>([
  ["does not take images", { images: [{ mediaType: "image/png", data: "AAAA" }] }, "option-unsupported"],
  ["takes shorter prompts only", { prompt: "x".repeat(200) }, "prompt-too-large"],
])("a target that %s is skipped and not started", async (_name, request, code) => {
  const options = [...playedCli.options, "images" as const];
  const changes = {
    a: { transports: withSpawn(playedCli, { limits: { promptBytes: 100 } }).transports },
    b: { options },
  };
  const fleet = openFleet({ a: [answers("From a.")], b: [answers("From b.")] }, { changes });
  const { events, result } = await fleet.finish(["a", "b"], request);
  expect(result.text).toBe("From b.");
  expect(eventsOf(events, "fallback")).toMatchObject([{ failure: { code } }]);
  expect(fleet.starts("a")).toBe(0);
});

it.each<[string, SessionChoice]>([
  ["resumes", { resume: SESSION }],
  ["branches", { fork: randomUUID() }],
])("a request that %s a session stays with its CLI", async (_name, session) => {
  const fleet = openFleet({ a: [fails("quota-exhausted")], b: [answers("From b.")] });
  const { events, end } = await fleet.finish(["a", "b"], { session });
  expect(end.failure).toMatchObject({ code: "quota-exhausted" });
  expect(eventsOf(events, "fallback")).toEqual([]);
  expect(fleet.starts("b")).toBe(0);
});

it("a chosen session id becomes a kept session on the next target, with a warning", async () => {
  const id = randomUUID();
  const fleet = openFleet({ a: [fails("quota-exhausted")], b: [fails("overloaded"), answers("From b.")] });
  const { result } = await fleet.finish(["a", "b"], { session: { id } });
  expect(fleet.calls("a").map(({ told }) => told.session)).toEqual([{ id }]);
  expect(fleet.calls("b").map(({ told }) => told.session)).toEqual([{ keep: true }, { keep: true }]);
  expect(result.warnings.map(({ code }) => code)).toEqual(["session-changed"]);
});

it("a kept session is kept on the next target without a warning", async () => {
  const fleet = openFleet({ a: [fails("quota-exhausted")], b: [answers("From b.")] });
  const { result } = await fleet.finish(["a", "b"], { session: { keep: true } });
  expect(fleet.calls("b").map(({ told }) => told.session)).toEqual([{ keep: true }]);
  expect(result.warnings).toEqual([]);
});

it("the next target gets the same conversation", async () => {
  const messages: readonly Message[] = [
    { role: "system", text: "Be brief." },
    { role: "user", text: "Hello" },
    { role: "assistant", text: "Hi." },
    { role: "user", text: "Where is the cox?" },
  ];
  const fleet = openFleet({ a: [fails("quota-exhausted")], b: [answers("In the stern.")] });
  expect((await fleet.finish(["a", "b"], { messages })).result.text).toBe("In the stern.");
  const [first] = fleet.calls("a");
  expect(first?.prompt).toContain("Where is the cox?");
  expect(fleet.calls("b")).toEqual([first]);
});

it("the next target gets the host tools, and its call is returned", async () => {
  const offered = openFleet({ a: [fails("quota-exhausted")], b: [answers(OSLO)] });
  const { events, result } = await offered.finish(["a", "b"], { prompt: "Weather in Oslo?", tools: [WEATHER] });
  expect(result).toMatchObject({ finish: "tool-calls", hostCalls: [{ name: "get_weather", args: { city: "Oslo" } }] });
  expect(eventsOf(events, "tool-call")).toMatchObject([{ executor: "host", name: "get_weather" }]);
  expect(offered.calls("b")[0]?.prompt).toContain("get_weather");
});

it("a target whose calls cannot be parsed is followed by the next target", async () => {
  const fleet = openFleet({ a: [answers(CUT_CALL)], b: [answers(OSLO)] }, { policies: { retry: false } });
  const result = await fleet.run(["a", "b"], { prompt: "Weather?", tools: [WEATHER], toolChoice: "required" }).result();
  expect(result).toMatchObject({ finish: "tool-calls", hostCalls: [{ name: "get_weather", args: { city: "Oslo" } }] });
  // The correction of the first target was an attempt too.
  expect(result.attempts).toMatchObject([
    { provider: "a" },
    { provider: "a", failure: { code: "tool-call-unreadable" } },
    { provider: "b" },
  ]);
});

it("the next target gets the output schema, and its object is the object of the run", async () => {
  const outputSchema = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] };
  const fleet = openFleet({ a: [answers('{"ok":"perhaps"}')], b: [answers('{"ok":true}')] }, { policies: { retry: false } });
  const result = await fleet.run(["a", "b"], { prompt: "Are you well?", outputSchema }).result();
  expect(result.object).toEqual({ ok: true });
  // The correction of the first target was an attempt too.
  expect(result.attempts).toMatchObject([
    { provider: "a" },
    { provider: "a", failure: { code: "schema-mismatch" } },
    { provider: "b" },
  ]);
});
