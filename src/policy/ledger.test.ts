import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { tokensOf } from "../run/known-totals.ts";
import type { Budget } from "../spec/client-options.ts";
import { Ledger } from "./budget.ts";

it.each<[Budget, { usd: number; tokens: number }, boolean]>([
  [{ usd: 1 }, { usd: 0.999, tokens: 1e9 }, false],
  [{ usd: 1 }, { usd: 1, tokens: 0 }, true],
  [{ tokens: 10 }, { usd: 1e9, tokens: 9 }, false],
  [{ tokens: 10 }, { usd: 0, tokens: 10 }, true],
  [{ tokens: 10, usd: 1 }, { usd: 1, tokens: 1 }, true],
  [{ usd: 0 }, { usd: 0, tokens: 0 }, true],
  [{ tokens: 0 }, { usd: 0, tokens: 0 }, true],
  [{}, { usd: 1e9, tokens: 1e9 }, false],
])("the budget %j is used up by %j: %s", (budget, spending, isSpent) => {
  const ledger = new Ledger(budget, "of this test");
  ledger.spend(spending);
  expect(ledger.failure()?.code).toBe(isSpent ? "budget-spent" : undefined);
});

it("spending adds up, and the message names the budget and its amount", () => {
  const ledger = new Ledger({ tokens: 30 }, "of this test");
  for (let time = 0; time < 3; time += 1) {
    expect(ledger.failure()).toBeUndefined();
    ledger.spend({ usd: 0, tokens: 10 });
  }
  expect(ledger.failure()?.message).toMatch(/of this test .*\b30\b/);
});

it("ten times ten cents are exactly a dollar", () => {
  const ledger = new Ledger({ usd: 1 }, "of this test");
  for (let time = 0; time < 10; time += 1) ledger.spend({ usd: 0.1, tokens: 0 });
  expect(ledger.failure()?.code).toBe("budget-spent");
});

it("time counts from the creation of the ledger, and only with wallMs", async () => {
  const ledger = new Ledger({ wallMs: 30 }, "of this test");
  expect(ledger.msLeft()).toBeLessThanOrEqual(30);
  await sleep(40);
  expect(ledger.msLeft()).toBeLessThanOrEqual(0);
  expect(ledger.failure()).toMatchObject({ code: "budget-spent", message: expect.stringContaining("30 ms") });
  expect(new Ledger({ usd: 1 }, "of this test").msLeft()).toBeUndefined();
});

it("tokens are input plus output; an absent count is 0", () => {
  const kind = { estimated: false, scope: "turn" } as const;
  expect(tokensOf({ ...kind, inputTokens: 3, outputTokens: 4 })).toBe(7);
  expect(tokensOf({ ...kind, inputTokens: 3, outputTokens: 4, totalTokens: 7, cacheReadTokens: 2 })).toBe(7);
  expect(tokensOf({ ...kind, outputTokens: 4 })).toBe(4);
  expect(tokensOf(kind)).toBe(0);
});
