import { describe, expect, it } from "vitest";
import { AGENT_TARGETS, agentRequest, DONE, shellCall } from "../support/real-clis/agent-request.ts";
import { eventsOf, openRealCli } from "./open-real-cli.ts";

const SPENT = { inputTokens: 1_000, cacheReadTokens: 300, cacheWriteTokens: 200, outputTokens: 50, reasoningTokens: 10 };

describe.each(["claude", "codex"] as const)("the usage of real %s", (name) => {
  it(`the tokens that ${name}'s model reports are those of the run, with cache tokens as parts of the input`, async () => {
    const cli = await openRealCli(name, { kind: "text", text: "Yes.", usage: SPENT });
    const run = await cli.run({ prompt: "Is it so?" });
    const { reasoningTokens, ...counts } = SPENT;
    const usage = { ...counts, totalTokens: 1_050, estimated: false, scope: "turn" };
    expect(run.result.usage).toEqual(name === "claude" ? usage : { ...usage, reasoningTokens });
    expect(eventsOf(run, "usage")).toHaveLength(1);
  });

  it(`the tokens of ${name}'s run with a tool are the sum of its requests`, async () => {
    const call = {
      kind: "tool-calls",
      calls: [shellCall(name, "echo one")],
      usage: { inputTokens: 400, outputTokens: 30 },
    } as const;
    const cli = await openRealCli(name, [
      call,
      { ...DONE, kind: "text", text: "Done.", usage: { inputTokens: 500, outputTokens: 7 } },
    ]);
    const { result } = await cli.run(agentRequest(cli, { permissions: { mode: "bypass" } }), { target: AGENT_TARGETS[name] });
    expect(result.usage).toMatchObject({ inputTokens: 900, outputTokens: 37, totalTokens: 937, estimated: false, scope: "turn" });
  });
});

it("claude reports the cost of a run, and twice the tokens cost twice as much", async () => {
  const cli = await openRealCli("claude", { kind: "text", text: "Yes.", usage: { inputTokens: 1_000, outputTokens: 100 } });
  const once = await cli.run({ prompt: "Is it so?" });
  cli.api.answerWith({ kind: "text", text: "Yes.", usage: { inputTokens: 2_000, outputTokens: 200 } });
  const twice = await cli.run({ prompt: "Is it so?" });
  expect(once.result.costUsd).toBeGreaterThan(0);
  expect(twice.result.costUsd).toBeCloseTo(2 * (once.result.costUsd ?? Number.NaN), 10);
});

it("codex does not report the cost of a run, and none is estimated", async () => {
  const cli = await openRealCli("codex");
  expect((await cli.run({ prompt: "Is it so?" })).result).not.toHaveProperty("costUsd");
});
