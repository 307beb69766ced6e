import { expect, it } from "vitest";
import type { Budget } from "../../../src/index.ts";
import type { JsonObject } from "../../../src/spec/json.ts";
import { openFleet } from "../../support/clis/open-fleet.ts";
import { openSpoken } from "../../support/clis/open-spoken.ts";
import { answers, FOREVER, fails, type Play, prints, spends, tokens } from "../../support/clis/plays.ts";

const AGENT = { mode: "agent" } as const;

function openCodeStep(number: number, reason: string): readonly JsonObject[] {
  const about = { sessionID: "ses_1", messageID: `msg_${number}` };
  const state = { status: "completed", input: { command: "ls" }, output: "boats", title: "ls", metadata: {} };
  const counts = { total: 120, input: 100, output: 20, reasoning: 0, cache: { write: 0, read: 0 } };
  return [
    { type: "step_start", sessionID: "ses_1", part: { ...about, type: "step-start" } },
    { type: "tool_use", sessionID: "ses_1", part: { ...about, type: "tool", tool: "bash", callID: `call_${number}`, state } },
    { type: "step_finish", sessionID: "ses_1", part: { ...about, type: "step-finish", reason, cost: 0.01, tokens: counts } },
  ];
}

it.each<Budget>([{ tokens: 200 }, { usd: 0.015 }])("opencode is stopped after the step that spent %j", async (budget) => {
  const loop: Play = [...prints(...openCodeStep(1, "tool-calls"), ...openCodeStep(2, "tool-calls")), FOREVER];
  const fleet = openSpoken("opencode", [loop]);
  const { result } = await fleet.finish("opencode", { ...AGENT, budget });
  expect(result).toMatchObject({ failure: { code: "budget-spent" }, usage: { totalTokens: 240 }, costUsd: 0.02, warnings: [] });
});

it("each attempt gets what is left of the budgets of its run and of its client", async () => {
  const dear = fails("overloaded", {}, [{ events: [spends({ usage: tokens(10, 3), costUsd: 0.5 })] }]);
  const fleet = openFleet({ a: [dear, answers("Here.")] }, { policies: { budget: { usd: 4, tokens: 100 } } });
  await fleet.finish("a", { budget: { usd: 1 } });
  await fleet.finish("a");
  expect(fleet.calls("a").map(({ told }) => told.budget)).toEqual([
    { usd: 1, tokens: 100 },
    { usd: 0.5, tokens: 87 },
    { usd: 3.5, tokens: 74 },
  ]);
});

it.each<[Budget, readonly string[]]>([
  [{ tokens: 100 }, ["budget-between-runs"]],
  [{ usd: 1 }, ["budget-between-runs"]],
  [{ wallMs: 60_000 }, []],
])("an agent on a CLI that reports at its end has a warning about %j", async (budget, codes) => {
  const fleet = openFleet({ a: [answers("Here.", { costUsd: 0.1 })] });
  const warnings = async (mode: "agent" | "completion"): Promise<readonly string[]> =>
    (await fleet.finish("a", { mode, budget })).result.warnings.map(({ code }) => code);
  expect([await warnings("agent"), await warnings("completion")]).toEqual([codes, []]);
});

it("a complete answer that used up the budget is kept, and its result says so", async () => {
  const fleet = openFleet({ a: [answers("Here.", { costUsd: 0.1 })] });
  const { result } = await fleet.finish("a", { budget: { usd: 0.05 } });
  expect(result).toMatchObject({ text: "Here.", warnings: [{ code: "budget-used-up" }] });
});

it("totals of a session are not counted, and the result says so", async () => {
  const usage = { ...tokens(300, 60), scope: "thread" } as const;
  const fleet = openFleet({ a: [answers("All.", { usage })] }, { policies: { budget: { tokens: 50 } } });
  for (let run = 0; run < 2; run += 1)
    expect((await fleet.finish("a")).result).toMatchObject({ text: "All.", warnings: [{ code: "budget-uncounted" }] });
});
