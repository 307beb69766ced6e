import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/spec/json.ts";
import { apiError, assistant, counts, init, result, text } from "./lines.ts";
import { eventsOf, replayLines, replayTurn } from "./replay-lines.ts";

const zero = { usage: counts(0, 0, 0, 0) };

function ofModel(input: number, write: number, read: number, output: number): JsonObject {
  return {
    inputTokens: input,
    cacheCreationInputTokens: write,
    cacheReadInputTokens: read,
    outputTokens: output,
    costUSD: 0.1,
    contextWindow: 200_000,
  };
}

function turn(fields: JsonObject): readonly JsonObject[] {
  return [init(), assistant("m1", [text("A")]), result("A", fields)];
}

function turnWithoutAnswer(fields: JsonObject): readonly JsonObject[] {
  return [init(), result("", fields)];
}

const turnScope = { estimated: false, scope: "turn" };

describe("tokens", () => {
  test("are those of the turn, with cache tokens as parts of the input", () => {
    const { usage } = replayTurn(turn({ usage: counts(1, 20, 300, 4000) })).result;
    expect(usage).toStrictEqual({
      inputTokens: 321,
      outputTokens: 4000,
      totalTokens: 4321,
      cacheReadTokens: 300,
      cacheWriteTokens: 20,
      ...turnScope,
    });
  });

  test("of the turn are used although those by model differ", () => {
    const { usage } = replayTurn(turn({ usage: counts(1, 0, 0, 0), modelUsage: { a: ofModel(9, 9, 9, 9) } })).result;
    expect(usage).toStrictEqual({
      inputTokens: 1,
      outputTokens: 0,
      totalTokens: 1,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      ...turnScope,
    });
  });

  test("by model are added up when the turn has none", () => {
    const models = { opus: ofModel(1, 20, 300, 4000), haiku: ofModel(5, 60, 700, 8000), idle: ofModel(0, 0, 0, 0) };
    const { usage, costUsd } = replayTurn(turn({ ...zero, modelUsage: models, total_cost_usd: 0.25 })).result;
    expect(usage).toStrictEqual({
      inputTokens: 1086,
      outputTokens: 12_000,
      totalTokens: 13_086,
      cacheReadTokens: 1000,
      cacheWriteTokens: 80,
      ...turnScope,
    });
    expect(costUsd).toBe(0.25);
  });

  test("by model are also used when the turn failed", () => {
    const { usage } = replayTurn([
      init(),
      apiError("API Error: 500 x", { api_error_status: 500, modelUsage: { a: ofModel(1, 0, 0, 2) } }),
    ]).result;
    expect(usage).toMatchObject({ inputTokens: 1, outputTokens: 2, totalTokens: 3, estimated: false });
  });

  test("by model are totals of the process, so a later turn has the difference", () => {
    const first = turnWithoutAnswer({ usage: counts(1, 0, 0, 2), modelUsage: { a: ofModel(1, 0, 0, 2) } });
    const [, second] = replayLines([...first, ...turnWithoutAnswer({ ...zero, modelUsage: { a: ofModel(3, 0, 0, 4) } })]);
    expect(second?.result.usage).toMatchObject({ inputTokens: 2, outputTokens: 2, totalTokens: 4, ...turnScope });
  });

  test("by model are those of a later turn when the first turn has no counts", () => {
    const [, second] = replayLines([
      ...turnWithoutAnswer(zero),
      ...turnWithoutAnswer({ ...zero, modelUsage: { a: ofModel(3, 0, 0, 4) } }),
    ]);
    expect(second?.result.usage).toMatchObject({ inputTokens: 3, outputTokens: 4, totalTokens: 7, ...turnScope });
  });

  test.for<{ what: string; fields: JsonObject }>([
    { what: "zeros and no model", fields: zero },
    { what: "zeros and a model with zeros", fields: { ...zero, modelUsage: { a: ofModel(0, 0, 0, 0) } } },
    { what: "no usage at all", fields: { usage: null, modelUsage: null } },
  ])("are absent and never zero where the line has $what and no answer", ({ fields }) => {
    const run = replayTurn(turnWithoutAnswer({ total_cost_usd: 0, ...fields }));
    expect(eventsOf(run, "usage")).toStrictEqual([]);
    expect(run.result).not.toHaveProperty("usage");
  });

  test.for<JsonObject>([zero, { usage: null }])("are absent beside the cost of a line with %j", (fields) => {
    const { usage, costUsd } = replayTurn(turnWithoutAnswer({ ...fields, total_cost_usd: 1 })).result;
    expect([usage, costUsd]).toStrictEqual([turnScope, 1]);
    expect(replayTurn(turn({ ...fields, total_cost_usd: 1 })).result).toMatchObject({ costUsd: 1, usage: { estimated: true } });
  });

  test("are never reported as zero for an answer without counts", () => {
    const { usage } = replayTurn(turn(zero)).result;
    expect(usage === undefined || usage.estimated).toBe(true);
    expect(usage?.outputTokens).not.toBe(0);
  });

  test("are reported as far as the line has them", () => {
    const { usage } = replayTurn(turn({ usage: { input_tokens: 5, output_tokens: 2 } })).result;
    expect(usage).toMatchObject({ inputTokens: 5, outputTokens: 2, totalTokens: 7, ...turnScope });
  });
});

describe("cost", () => {
  const costs = (...lines: readonly JsonObject[]) => replayLines(lines).map((run) => Number(run.result.costUsd?.toFixed(9)));

  test("of each turn is the difference to the turn before", () => {
    const lines = [0.0023, 0.0046, 0.0099].flatMap((total) => turn({ total_cost_usd: total }));
    expect(costs(...lines)).toStrictEqual([0.0023, 0.0023, 0.0053]);
  });

  test("spent in a failed turn is not charged to the next", () => {
    const failed = [
      init(),
      apiError("API Error: 500 x", { api_error_status: 500, total_cost_usd: 0.01, usage: counts(1, 0, 0, 1) }),
    ];
    expect(costs(...turn({ total_cost_usd: 0.001 }), ...failed, ...turn({ total_cost_usd: 0.03 }))).toStrictEqual([
      0.001, 0.009, 0.02,
    ]);
  });

  test("spent in a turn that reported no tokens is not charged to the next", () => {
    const [, second] = replayLines([...turnWithoutAnswer({ ...zero, total_cost_usd: 0.01 }), ...turn({ total_cost_usd: 0.03 })]);
    expect(second?.result.costUsd).toBeCloseTo(0.02, 9);
  });

  test("is zero for a later turn that cost nothing more", () => {
    expect(costs(...turn({ total_cost_usd: 0.5 }), ...turn({ total_cost_usd: 0.5 }))).toStrictEqual([0.5, 0]);
  });

  test("is absent when the line does not contain it", () => {
    expect(replayTurn(turn({ total_cost_usd: null })).result).not.toHaveProperty("costUsd");
  });
});
