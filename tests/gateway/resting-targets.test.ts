import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { RestingTargets } from "../../src/gateway/resting-targets.ts";
import { createFailure } from "../../src/spec/failure/failure.ts";
import type { FailureCode } from "../../src/spec/failure/failure-codes.ts";
import type { Target } from "../../src/spec/request.ts";
import { openFleet } from "../support/clis/open-fleet.ts";
import { playedCli } from "../support/clis/played-cli.ts";
import { answers, FOREVER, fails, type Play } from "../support/clis/plays.ts";
import { openTestScope } from "../support/test-scope.ts";
import { openGateway } from "./anthropic-gateway.ts";
import { openPlayed } from "./openai-gateway.ts";

const HELLO = { model: "a", max_tokens: 100, messages: [{ role: "user" as const, content: "Hello" }] };

const asking =
  ({ url }: { readonly url: string }) =>
  (model: string): Promise<Response> =>
    fetch(`${url}/v1/messages`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...HELLO, model }),
    });

it.each([
  ["rate-limited", 429, { retryAfterMs: 40_000 }, "40"],
  ["rate-limited", 429, {}, "5"],
  ["quota-exhausted", 429, { retryAfterMs: 40_000 }, "40"],
  ["quota-exhausted", 429, {}, "5"],
  ["not-logged-in", 401, {}, "30"],
] as const)(
  "after %s (%i, %j) no request to the gateway asks the CLI again before its wait",
  async (code, status, stated, wait) => {
    const { url, starts } = await openPlayed([fails(code, stated), answers("Well.")]);
    const ask = (path: string, body: object): Promise<Response> =>
      fetch(`${url}/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ model: "plain", max_tokens: 100, ...body }),
      });
    const messages = [{ role: "user", content: "Hello" }];
    expect((await ask("chat/completions", { messages })).status).toBe(status);
    const others = [
      await ask("chat/completions", { messages }),
      await ask("responses", { input: "Hi" }),
      await ask("messages", { messages }),
    ];
    expect(others.map((response) => response.status)).toEqual([503, 503, expect.any(Number)]);
    for (const response of others) {
      const seconds = Number(response.headers.get("retry-after"));
      expect(seconds).toBeGreaterThan(Number(wait) * 0.5);
      expect(seconds).toBeLessThanOrEqual(Number(wait));
      expect(response.headers.get("x-coxswain-failure")).toBe("cooling-down");
      // Nobody logs in because a client waits.
      expect(response.headers.get("x-should-retry")).toBe(String(status !== 401));
      expect(await response.text()).toContain(`This is ${code}.`);
    }
    expect(starts()).toBe(1);
  },
);

it("a resting target of a chain is skipped, and other models of its CLI are asked", async () => {
  const fleet = openFleet(
    { a: [fails("rate-limited"), answers("Again.")], b: [answers("Well.")] },
    { policies: { retry: false } },
  );
  const { anthropic } = await openGateway(fleet.client);
  const ask = async (model: string): Promise<string> => {
    const { content } = await anthropic.messages.create({ ...HELLO, model });
    return content.map((block) => (block.type === "text" ? block.text : "")).join("");
  };
  expect([await ask("a/one,b"), fleet.starts("a")]).toEqual(["Well.", 1]);
  expect([await ask("a/one,b"), fleet.starts("a")]).toEqual(["Well.", 1]);
  await expect(ask("a/one")).rejects.toThrow("CLI a failed a moment ago");
  expect([await ask("a/two"), fleet.starts("a")]).toEqual(["Again.", 2]);
});

it("a target rests for its own failure, and not for that of a target that was skipped after it", async () => {
  const plays = { a: [fails("rate-limited", { retryAfterMs: 40_000 })], b: [fails("quota-exhausted")] };
  const fleet = openFleet(plays, { policies: { retry: false } });
  const { client } = fleet;
  await client.run("b", { prompt: "Hello" }).outcome();
  expect(client.spentQuotas()).toMatchObject([{ provider: "b" }]);
  const ask = asking(await openGateway(client));
  await ask("a,b");
  const rested = await ask("a");
  expect(await rested.text()).toContain("This is rate-limited.");
  expect(Number(rested.headers.get("retry-after"))).toBeLessThanOrEqual(40);
  expect(fleet.starts("a")).toBe(1);
});

it("a CLI that was stopped because it waits too long for its service rests for that wait, also if another target answers", async () => {
  const waits: Play = [{ events: [{ type: "upstream-retry", attempt: 1, delayMs: 400_000, status: 429 }] }, FOREVER];
  const fleet = openFleet({ a: [waits, answers("Too early.")], b: [answers("Instead.")] });
  const ask = asking(await openGateway(fleet.client));
  expect(await (await ask("a,b")).text()).toContain("Instead.");
  const rested = await ask("a");
  expect(rested.headers.get("x-coxswain-failure")).toBe("cooling-down");
  const seconds = Number(rested.headers.get("retry-after"));
  expect([seconds > 200, seconds <= 400]).toEqual([true, true]);
});

it("requests that wait for a place or a retry when a limit is reported do not ask again", async () => {
  const policies = { limit: { total: 2 }, retry: { retries: 1, firstDelayMs: 5 } };
  const fleet = openFleet({ a: [fails("rate-limited")] }, { policies });
  const { url } = await openGateway(fleet.client);
  const ask = (): Promise<Response> =>
    fetch(`${url}/v1/messages`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(HELLO) });
  const responses = await Promise.all(Array.from({ length: 8 }, ask));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([429, 529, 529, 529, 529, 529, 529, 529]);
  // Two were under way, and one of them has repeated its request.
  expect(fleet.starts("a")).toBe(3);
  // All of it was one report of a limit, so the rest is the first.
  for (const response of responses) expect(Number(response.headers.get("retry-after"))).toBeLessThanOrEqual(5);
});

it("a change of the login file ends the rest of a target", async () => {
  const { directory } = openTestScope();
  const files = { folder: directory, names: ["login.json"], variable: "A_HOME" };
  const changes = { a: { loginStatus: { files } } };
  const fleet = openFleet({ a: [fails("not-logged-in"), answers("Well.")] }, { changes, policies: { retry: false } });
  const { anthropic } = await openGateway(fleet.client, { A_HOME: directory });
  const ask = (): Promise<unknown> => anthropic.messages.create({ ...HELLO, model: "a" });
  await expect(ask()).rejects.toMatchObject({ status: 401 });
  await expect(ask()).rejects.toMatchObject({ status: 529 });
  expect(fleet.starts("a")).toBe(1);
  writeFileSync(join(directory, "login.json"), "{}");
  await expect(ask()).resolves.toMatchObject({ content: [{ text: "Well." }] });
});

it("a rest without a stated wait doubles up to a minute, an answer ends it, and a new login ends that of a failed login", () => {
  const { directory } = openTestScope();
  const provider = {
    ...playedCli,
    id: "plain",
    loginStatus: { files: { variable: "PLAIN_HOME", folder: ".plain", names: ["login.json"] } },
  };
  let now = 0;
  const resting = new RestingTargets({ providers: [provider], spentQuotas: () => [] }, { PLAIN_HOME: directory }, () => now);
  const targets = [{ provider: "plain" }] as const;
  const waitMs = (): number | undefined => {
    const left = resting.withoutResting(targets);
    return "category" in left ? left.retryAfterMs : undefined;
  };
  const note = (code?: FailureCode): void =>
    resting.note(targets[0], code && createFailure(code, "No."), { by: {}, enteredAt: now });
  const waits = Array.from({ length: 6 }, () => {
    note("rate-limited");
    const wait = waitMs();
    now += wait ?? 0;
    expect(waitMs()).toBeUndefined();
    return wait;
  });
  expect(waits).toEqual([5000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  note();
  note("rate-limited");
  expect(waitMs()).toBe(5000);
  note("not-logged-in");
  expect(waitMs()).toBe(30_000);
  const login = join(directory, "login.json");
  writeFileSync(login, "{}");
  expect(waitMs()).toBeUndefined();
  note("not-logged-in");
  expect(waitMs()).toBe(30_000);
  utimesSync(login, 1, 1);
  expect(waitMs()).toBeUndefined();
});

it("the names of models that clients invent do not fill the memory", () => {
  const resting = new RestingTargets({ providers: [playedCli], spentQuotas: () => [] }, {}, () => 0);
  const named = (index: number): readonly [Target] => [{ provider: "plain", model: `model-${index}` }];
  const isResting = (index: number): boolean => "category" in resting.withoutResting(named(index));
  for (let index = 0; index < 1000; index += 1) {
    const [target] = named(index);
    resting.note(target, createFailure("rate-limited", "No."), { by: {}, enteredAt: 0 });
  }
  expect(Array.from({ length: 1000 }, (_, index) => isResting(index)).filter(Boolean)).toHaveLength(256);
  expect(isResting(999)).toBe(true);
});
