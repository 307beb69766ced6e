import { expect, it } from "vitest";
import type { PolicyOptions } from "../../../src/index.ts";
import type { RunStream } from "../../../src/spec/stream.ts";
import { openFleet } from "../../support/clis/open-fleet.ts";
import { answers, fails } from "../../support/clis/plays.ts";

const IN_AN_HOUR = new Date(Date.now() + 3_600_000).toISOString();

/** Other policies that must not make a difference. */
const SURROUNDINGS: readonly (readonly [string, PolicyOptions])[] = [
  ["beside all others", {}],
  ["beside none of the others", { retry: false, fallback: false, limit: false, cooldown: false }],
];

it.each(SURROUNDINGS)("a used-up quota is stored when run-end is read, %s", async (_name, others) => {
  const plays = { a: [fails("quota-exhausted", { resetAt: IN_AN_HOUR }), answers("Too early.")] };
  const fleet = openFleet(plays, { policies: { ...others, cooldown: {} } });
  const next = await atItsEnd(fleet.run("a"), () => fleet.run("a"));
  expect((await next.outcome()).failure).toMatchObject({ code: "quota-exhausted", resetAt: IN_AN_HOUR });
  expect(fleet.starts("a")).toBe(1);
});

it.each(SURROUNDINGS)("a failure is counted by the breaker when run-end is read, %s", async (_name, others) => {
  const policies = { ...others, retry: false, cooldown: { failures: 1 } } as const;
  const fleet = openFleet({ a: [fails("overloaded"), answers("Too early.")] }, { policies });
  const next = await atItsEnd(fleet.run("a"), () => fleet.run("a"));
  expect((await next.outcome()).failure).toMatchObject({ code: "cooling-down" });
});

it.each(SURROUNDINGS)("a place is free when run-end is read, %s", async (_name, others) => {
  const fleet = openFleet({ a: [answers("Here.")] }, { policies: { ...others, limit: { total: 1, queue: 0 } } });
  const next = await atItsEnd(fleet.run("a"), () => fleet.run("a"));
  expect((await next.outcome()).text).toBe("Here.");
});

it.each(SURROUNDINGS)("the spending is counted when run-end is read, %s", async (_name, others) => {
  const fleet = openFleet({ a: [answers("Here.")] }, { policies: { ...others, budget: { tokens: 13 } } });
  const next = await atItsEnd(fleet.run("a"), () => fleet.run("a"));
  expect((await next.outcome()).failure).toMatchObject({ code: "budget-spent" });
  expect(fleet.starts("a")).toBe(1);
});

it("all of it is done as well when result() resolves", async () => {
  const fleet = openFleet({ a: [answers("Here.")] }, { policies: { limit: { total: 1, queue: 0 }, budget: { tokens: 14 } } });
  expect((await fleet.run("a").result()).text).toBe("Here.");
  expect((await fleet.run("a").result()).text).toBe("Here.");
  expect((await fleet.run("a").outcome()).failure).toMatchObject({ code: "budget-spent" });
});

/** Starts the next run as soon as the end of the first is read. */
async function atItsEnd(stream: RunStream, start: () => RunStream): Promise<RunStream> {
  let next: RunStream | undefined;
  for await (const event of stream) if (event.type === "run-end") next = start();
  if (next === undefined) throw new Error("the run had no end");
  return next;
}

it("the warnings of a result name the MCP server and the setting that they are about", async () => {
  const given = [
    { code: "mcp-server-unavailable", message: 'MCP server "notes" is failed.', server: "notes" },
    { code: "setting-ignored", message: "The effort was left out.", setting: "effort" },
  ];
  const fleet = openFleet({ a: [answers("Good.", { before: [{ events: given.map((one) => ({ type: "warning", ...one })) }] })] });
  expect((await fleet.run("a").result()).warnings).toEqual(given);
});
