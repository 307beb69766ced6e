import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import type { RunEvent } from "../../../src/spec/wire/events.ts";
import { CUT_CALL, callBlock, charactersOf, OSLO, WEATHER } from "../../support/clis/call-blocks.ts";
import { openCli } from "../../support/clis/open-cli.ts";
import { answers } from "../../support/clis/plays.ts";
import { shownMessages } from "../../support/runs/host-calls.ts";

const request = { prompt: "What is the weather in Oslo?", tools: [WEATHER] } as const;
const WORDS = Array.from({ length: 3_000 }, (_, index) => `word-${index} `);

it("result() alone reads the whole run, over both attempts", async () => {
  const result = await openCli([answers(CUT_CALL), answers(OSLO)])
    .run(request)
    .result();
  expect(result).toMatchObject({ finish: "tool-calls", hostCalls: [{ name: "get_weather" }] });
  expect(result.events).toBeUndefined();
});

it("result() after the events gives the same, each time it is called", async () => {
  const run = await openCli([answers(CUT_CALL), answers(OSLO)]).finish(request);
  const result = await run.stream.result();
  expect(await run.stream.result()).toEqual(result);
});

it("keepEvents keeps the events of both attempts, numbered as one run", async () => {
  const run = await openCli([answers(`Wait.\n\n${CUT_CALL}`), answers(OSLO)]).finish(request, { keepEvents: true });
  expect((await run.stream.result()).events).toEqual(run.events);
});

it("a failed run keeps its events too", async () => {
  const run = await openCli([answers(CUT_CALL), answers(CUT_CALL)]).finish(request, { keepEvents: true });
  const outcome: unknown = await run.stream.result().catch((error: unknown) => error);
  expect(outcome).toMatchObject({ failure: { code: "tool-call-unreadable" }, result: { events: run.events } });
});

it("batches() gives the events of both attempts in order, and no batch is empty", async () => {
  const stream = openCli([answers(`Wait.\n\n${CUT_CALL}`), answers(`Now.\n\n${OSLO}`)]).run(request);
  const events: RunEvent[] = [];
  for await (const batch of stream.batches()) {
    expect(batch.length).toBeGreaterThan(0);
    events.push(...batch);
  }
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  expect([events[0]?.type, events.at(-1)?.type]).toEqual(["run-start", "run-end"]);
  expect(shownMessages(events)).toEqual(["Wait.", "Now."]);
  expect(await stream.result()).toMatchObject({ text: "Now.", hostCalls: [{ name: "get_weather" }] });
});

it("atMs never decreases over the two attempts", async () => {
  const { events } = await openCli([answers(CUT_CALL), answers(OSLO)]).finish(request);
  const times = events.map(({ atMs }) => atMs);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

it("a slow consumer gets everything in order and the calls at the end", async () => {
  const pieces = [...WORDS, "\n\n", OSLO];
  const stream = openCli([answers("", { pieces })]).run(request);
  const events: RunEvent[] = [];
  for await (const event of stream) {
    events.push(event);
    if (events.length % 200 === 0) await delay(20);
  }
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  expect(shownMessages(events)).toEqual([WORDS.join("").trim()]);
  expect(events.slice(-2).map(({ type }) => type)).toEqual(["tool-call", "run-end"]);
});

it("a consumer that starts to read after the CLI has finished gets everything", async () => {
  const cli = openCli([answers(CUT_CALL), answers(`Now.\n\n${OSLO}`)]);
  const stream = cli.run(request);
  await expect.poll(() => cli.starts(), { timeout: 20_000 }).toBe(2);
  await cli.untilQuiet();
  const events: RunEvent[] = [];
  for await (const event of stream) events.push(event);
  expect(events.at(-1)).toMatchObject({ type: "run-end", finish: "tool-calls" });
  expect(shownMessages(events)).toEqual(["Now."]);
});

it("a long argument that arrives byte by byte is read completely, and none of it is shown", async () => {
  const city = 'x\n```json\n"} '.repeat(400);
  const text = `Wait.\n\n${callBlock({ name: "get_weather", args: { city } })}`;
  const run = await openCli([answers("", { pieces: charactersOf(text) })]).finish(request);
  expect((await run.stream.result()).hostCalls).toMatchObject([{ args: { city } }]);
  expect(shownMessages(run.events)).toEqual(["Wait."]);
});

it("the request is not changed and may be used again", async () => {
  const frozen = Object.freeze({ ...request, tools: Object.freeze([Object.freeze({ ...WEATHER })]) });
  const before = JSON.stringify(frozen);
  for (const script of [[answers(OSLO)], [answers(CUT_CALL), answers(OSLO)]])
    expect((await openCli(script).run(frozen).result()).finish).toBe("tool-calls");
  expect(JSON.stringify(frozen)).toBe(before);
});
