import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import type { Failure, SpentQuota } from "../../../src/index.ts";
import { type Fleet, openFleet } from "../../support/clis/open-fleet.ts";
import { answers, answersWhenTold, fails } from "../../support/clis/plays.ts";
import { eventsOf } from "../../support/runs/read-run.ts";

const HOUR_MS = 3_600_000;
const NOW = Date.now();
const IN_AN_HOUR = new Date(NOW + HOUR_MS).toISOString();
const spent = fails("quota-exhausted", { resetAt: IN_AN_HOUR, message: "The weekly limit is reached." });

it("while a quota is used up a run ends at once and nothing is started", async () => {
  const fleet = openFleet({ a: [spent, answers("Too early.")] }, { now: () => NOW });
  expect((await fleet.finish("a")).end.failure).toMatchObject({ code: "quota-exhausted", resetAt: IN_AN_HOUR });
  const { end } = await fleet.finish("a");
  expect(end.failure).toMatchObject({ category: "quota", code: "quota-exhausted", resetAt: IN_AN_HOUR });
  expect(fleet.starts("a")).toBe(1);
  expect(fleet.client.spentQuotas()).toEqual([
    { provider: "a", resetAt: IN_AN_HOUR, seenAt: new Date(NOW).toISOString(), message: expect.stringContaining("weekly limit") },
  ]);
});

it("after the reset time a run starts, and the entry is gone", async () => {
  let now = NOW;
  const fleet = openFleet({ a: [spent, answers("Open.")] }, { now: () => now });
  await fleet.finish("a");
  now = NOW + HOUR_MS - 1;
  expect((await fleet.finish("a")).end.failure).toMatchObject({ code: "quota-exhausted" });
  now = NOW + HOUR_MS + 1;
  expect(fleet.client.spentQuotas()).toEqual([]);
  expect((await fleet.finish("a")).result.text).toBe("Open.");
});

it("a reset time in the past has no effect", async () => {
  const past = fails("quota-exhausted", { resetAt: new Date(NOW - HOUR_MS).toISOString() });
  const fleet = openFleet({ a: [past, answers("Open.")] }, { now: () => NOW });
  await fleet.finish("a");
  expect(fleet.client.spentQuotas()).toEqual([]);
  expect((await fleet.finish("a")).result.text).toBe("Open.");
});

it("another client knows it, and clearing it in one clears it in both", async () => {
  const fleet = openFleet({ a: [spent, answers("Open.")] }, { now: () => NOW });
  const other = fleet.another({ now: () => NOW });
  await fleet.finish("a");
  expect(other.spentQuotas()).toEqual(fleet.client.spentQuotas());
  expect((await other.run("a", { prompt: "Hello" }).outcome()).failure).toMatchObject({ resetAt: IN_AN_HOUR });
  expect(fleet.starts("a")).toBe(1);
  expect(other.forgetQuotas()).toMatchObject([{ provider: "a", resetAt: IN_AN_HOUR }]);
  expect(fleet.client.spentQuotas()).toEqual([]);
  expect((await fleet.finish("a")).result.text).toBe("Open.");
});

it("forgetQuotas of one provider leaves the others", async () => {
  const fleet = openFleet(
    { a: [spent, answers("Open.")], b: [spent] },
    { now: () => NOW, changes: { a: { aliases: ["first"] } } },
  );
  await fleet.finish("a");
  await fleet.finish("b");
  expect(fleet.client.forgetQuotas("nobody")).toEqual([]);
  expect(fleet.client.forgetQuotas("first")).toMatchObject([{ provider: "a" }]);
  expect(fleet.client.spentQuotas()).toMatchObject([{ provider: "b" }]);
  expect((await fleet.finish("b")).end.failure).toMatchObject({ code: "quota-exhausted" });
  expect((await fleet.finish("a")).result.text).toBe("Open.");
});

it("another process knows it, and entries of another process are known here", async () => {
  const resetAt = new Date(Date.now() + HOUR_MS).toISOString();
  const plays = [fails("quota-exhausted", { resetAt }), answers("Too early.")];
  const fleet = openFleet({ a: plays, b: plays });
  await fleet.finish("a");
  expect(await askElsewhere(fleet, "a")).toMatchObject({ failure: { code: "quota-exhausted", resetAt } });
  expect(fleet.starts("a")).toBe(1);
  const learnt = await askElsewhere(fleet, "b");
  expect(learnt.spent.map(({ provider }) => provider).sort()).toEqual(["a", "b"]);
  expect((await fleet.finish("b")).end.failure).toMatchObject({ code: "quota-exhausted", resetAt });
  expect(fleet.starts("b")).toBe(1);
});

it("each key has a separate file, and no temporary file is left", async () => {
  const fleet = openFleet({ a: [spent], b: [spent] }, { now: () => NOW });
  await Promise.all(["a", "b", "a", "b", "a", "b"].map((id) => fleet.finish(id)));
  expect(filesAbout(fleet, IN_AN_HOUR)).toHaveLength(2);
  fleet.client.forgetQuotas("a");
  expect(filesAbout(fleet, IN_AN_HOUR)).toHaveLength(1);
  fleet.client.forgetQuotas();
  expect(filesAbout(fleet, IN_AN_HOUR)).toEqual([]);
});

it("a refused run does not change the memory", async () => {
  let now = NOW;
  const fleet = openFleet({ a: [spent] }, { now: () => now });
  await fleet.finish("a");
  const before = fleet.client.spentQuotas();
  now += 1000;
  await fleet.finish("a");
  expect(fleet.client.spentQuotas()).toEqual(before);
});

it("an answer of the provider clears the entry", async () => {
  const fleet = openFleet({ a: [answersWhenTold("go"), spent, answers("Open.")] }, { now: () => NOW });
  const slow = fleet.finish("a");
  await expect.poll(() => fleet.starts("a"), { timeout: 20_000 }).toBe(1);
  await fleet.finish("a");
  expect(fleet.client.spentQuotas()).toHaveLength(1);
  fleet.tell("a", "go");
  expect((await slow).result.text).toBe("Told.");
  expect(fleet.client.spentQuotas()).toEqual([]);
  expect((await fleet.finish("a")).result.text).toBe("Open.");
});

it("a chain skips a provider with a used-up quota without starting it", async () => {
  const fleet = openFleet({ a: [spent], b: [answers("From b.")] }, { now: () => NOW });
  await fleet.finish(["a", "b"]);
  const { events, result } = await fleet.finish(["a", "b"]);
  expect(result.text).toBe("From b.");
  expect(eventsOf(events, "fallback")).toMatchObject([{ from: "a", to: "b", failure: { code: "quota-exhausted" } }]);
  expect(fleet.starts("a")).toBe(1);
});

it("with cooldown: false the quota memory is neither written nor read", async () => {
  const fleet = openFleet({ a: [spent, spent, answers("Open.")] }, { now: () => NOW });
  await fleet.finish("a");
  const careless = fleet.another({ now: () => NOW, policies: { cooldown: false } });
  expect((await careless.run("a", { prompt: "Hello" }).outcome()).failure).toMatchObject({ code: "quota-exhausted" });
  expect(fleet.starts("a")).toBe(2);
  fleet.client.forgetQuotas();
  expect((await careless.run("a", { prompt: "Hello" }).outcome()).text).toBe("Open.");
  expect(fleet.client.spentQuotas()).toEqual([]);
});

function filesAbout({ scope }: Fleet, words: string): readonly string[] {
  const entries = readdirSync(join(scope.directory, "state"), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return files.filter((file) => readFileSync(file, "utf8").includes(words));
}

type Elsewhere = { readonly text: string; readonly failure?: Failure; readonly spent: readonly SpentQuota[] };

async function askElsewhere(fleet: Fleet, id: string): Promise<Elsewhere> {
  const provider = fleet.providers.find((one) => one.id === id);
  const program = fileURLToPath(new URL("../hosts/asks-once.mjs", import.meta.url));
  const env = { ...fleet.scope.env, ASKED: JSON.stringify({ id, env: provider?.env }) };
  const { stdout } = await promisify(execFile)(process.execPath, [program], { env });
  return JSON.parse(stdout) as Elsewhere;
}
