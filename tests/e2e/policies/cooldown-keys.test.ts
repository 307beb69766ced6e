import { join } from "node:path";
import { expect, it } from "vitest";
import type { RunRequest, Target } from "../../../src/spec/request.ts";
import { type Fleet, openFleet } from "../../support/clis/open-fleet.ts";
import { answers, fails, type Play } from "../../support/clis/plays.ts";

const NOW = Date.now();
const IN_AN_HOUR = new Date(NOW + 3_600_000).toISOString();

it("without a reset time only this client remembers it, for quotaMs", async () => {
  let now = NOW;
  const fleet = openFleet(
    { a: [fails("quota-exhausted"), answers("Other client."), answers("Open.")] },
    { now: () => now, policies: { cooldown: { quotaMs: 1000 } } },
  );
  await fleet.finish("a");
  const resetAt = new Date(NOW + 1000).toISOString();
  expect(fleet.client.spentQuotas()).toMatchObject([{ provider: "a", isPresumed: true, resetAt }]);
  expect((await fleet.finish("a")).end.failure).toMatchObject({ code: "quota-exhausted" });
  expect(fleet.starts("a")).toBe(1);
  const other = fleet.another({ now: () => now });
  expect(other.spentQuotas()).toEqual([]);
  expect((await other.run("a", { prompt: "Hello" }).outcome()).text).toBe("Other client.");
  now = NOW + 999;
  expect((await fleet.finish("a")).end.failure).toMatchObject({ code: "quota-exhausted" });
  now = NOW + 1001;
  expect((await fleet.finish("a")).result.text).toBe("Open.");
});

it("quotaMs is five minutes by default, and a presumed quota can be cleared", async () => {
  const fleet = openFleet({ a: [fails("quota-exhausted"), answers("Open.")] }, { now: () => NOW });
  await fleet.finish("a");
  expect(fleet.client.forgetQuotas("a")).toMatchObject([{ isPresumed: true, resetAt: new Date(NOW + 300_000).toISOString() }]);
  expect((await fleet.finish("a")).result.text).toBe("Open.");
});

it("each profile has a separate entry", async () => {
  const fleet = openClosed(fails("quota-exhausted", { resetAt: IN_AN_HOUR }));
  const [one, two] = ["one", "two"].map((name) => join(fleet.scope.directory, name));
  expect(await ask(fleet, { profile: one ?? "" })).toBe("quota-exhausted");
  expect(fleet.client.spentQuotas()).toMatchObject([{ provider: "a", profile: one }]);
  expect(await ask(fleet, { profile: one ?? "" })).toBe("quota-exhausted");
  expect(fleet.starts("a")).toBe(1);
  expect(await ask(fleet, { profile: two ?? "" })).toBe("Open.");
  expect(await ask(fleet, {})).toBe("Open.");
  expect(await ask(fleet, { profile: one ?? "" })).toBe("quota-exhausted");
});

it("a used-up quota of the default login does not affect the profiles", async () => {
  const fleet = openClosed(fails("quota-exhausted", { resetAt: IN_AN_HOUR }));
  expect(await ask(fleet, {})).toBe("quota-exhausted");
  expect(await ask(fleet, { profile: join(fleet.scope.directory, "one") })).toBe("Open.");
  expect(await ask(fleet, {})).toBe("quota-exhausted");
  expect(fleet.starts("a")).toBe(2);
});

it("an alias of a provider is that provider", async () => {
  const plays = { a: [fails("quota-exhausted", { resetAt: IN_AN_HOUR }), answers("Open.")] };
  const fleet = openFleet(plays, { now: () => NOW, changes: { a: { aliases: ["first"] } } });
  expect(await ask(fleet, { provider: "first" })).toBe("quota-exhausted");
  expect(fleet.client.spentQuotas()).toMatchObject([{ provider: "a" }]);
  expect(await ask(fleet, { provider: "a" })).toBe("quota-exhausted");
  expect(fleet.starts("a")).toBe(1);
});

it("the account of an API key has a separate entry, whether the key was requested or only inherited", async () => {
  const fleet = openClosed(fails("quota-exhausted", { resetAt: IN_AN_HOUR }));
  const withKey: Partial<RunRequest> = { auth: "api-key" };
  expect(await ask(fleet, {}, withKey)).toBe("quota-exhausted");
  expect(fleet.client.spentQuotas()).toMatchObject([{ provider: "a", account: expect.any(String) }]);
  expect(await ask(fleet, {}, withKey)).toBe("quota-exhausted");
  expect(fleet.starts("a")).toBe(1);
  expect(await ask(fleet, {}, { auth: "subscription" })).toBe("Open.");
  expect(await ask(fleet, {}, { env: { PLAYED_KEY: "another-key-of-a-test" } })).toBe("Open.");
  expect(await ask(fleet, {})).toBe("quota-exhausted");
  expect(await ask(fleet, {}, withKey)).toBe("quota-exhausted");
  expect(JSON.stringify(fleet.client.spentQuotas())).not.toContain("key-of-a-test");
});

it.each([
  ["on this model", "You have reached your limit on this model."],
  ["its name", "The weekly limit of big-model is reached."],
])("a message with %s applies to that model only", async (_name, message) => {
  const fleet = openClosed(fails("quota-exhausted", { resetAt: IN_AN_HOUR, message }));
  expect(await ask(fleet, { model: "big-model" })).toBe("quota-exhausted");
  expect(fleet.client.spentQuotas()).toMatchObject([{ provider: "a", model: "big-model" }]);
  expect(await ask(fleet, { model: "big-model" })).toBe("quota-exhausted");
  expect(fleet.starts("a")).toBe(1);
  expect(await ask(fleet, { model: "small-model" })).toBe("Open.");
  expect(await ask(fleet, { model: "big-model" })).toBe("quota-exhausted");
});

it("an answer of one model does not clear the entry of another", async () => {
  const message = "You have reached your limit on this model.";
  const fleet = openClosed(fails("quota-exhausted", { resetAt: IN_AN_HOUR, message }));
  await ask(fleet, { model: "big-model" });
  expect(await ask(fleet, { model: "small-model" })).toBe("Open.");
  expect(fleet.client.spentQuotas()).toMatchObject([{ model: "big-model" }]);
});

it("any other message applies to every model", async () => {
  const fleet = openClosed(fails("quota-exhausted", { resetAt: IN_AN_HOUR, message: "The weekly limit is reached." }));
  expect(await ask(fleet, { model: "big-model" })).toBe("quota-exhausted");
  expect(await ask(fleet, { model: "small-model" })).toBe("quota-exhausted");
  expect(await ask(fleet, {})).toBe("quota-exhausted");
  expect(fleet.starts("a")).toBe(1);
  expect(fleet.client.spentQuotas()[0]?.model).toBeUndefined();
});

it("ids with any characters have separate entries", async () => {
  const plays = { a: [fails("quota-exhausted", { resetAt: IN_AN_HOUR }), answers("Open.")] };
  const fleet = openFleet(plays, { now: () => NOW });
  const profiles = ["x/y", "x_y", "x%2Fy", "x y", "../x", "X/Y"].map((name) => join(fleet.scope.directory, "p", name));
  expect(await ask(fleet, { profile: profiles[0] ?? "" })).toBe("quota-exhausted");
  for (const profile of profiles.slice(1)) expect(await ask(fleet, { profile })).toBe("Open.");
  expect(fleet.client.spentQuotas()).toMatchObject([{ profile: profiles[0] }]);
});

function openClosed(first: Play): Fleet {
  return openFleet({ a: [first, answers("Open.")] }, { now: () => NOW, env: { PLAYED_KEY: "key-of-a-test" } });
}

async function ask(fleet: Fleet, target: Partial<Target>, request: Partial<RunRequest> = {}): Promise<string> {
  const { result } = await fleet.finish({ provider: "a", ...target }, request);
  return result.failure?.code ?? result.text;
}
