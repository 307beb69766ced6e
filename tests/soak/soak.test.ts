import { expect, it } from "vitest";
import { runSoak } from "./run-soak.ts";

const CALLS = 240;

it("real clients on failing processes match the predictions of the policy model and leave nothing behind", async () => {
  const { tally, leftovers } = await runSoak({ calls: CALLS, seed: 7 });
  expect(tally.disagreements).toEqual([]);
  expect(leftovers).toEqual([]);
  expect(tally.calls + tally.skipped).toBe(CALLS);
  expect([...tally.ends.keys()]).toEqual(
    expect.arrayContaining(["answer", "interrupted", "server-error", "quota-exhausted", "budget-spent"]),
  );
}, 300_000);
