import { describe, expect, it } from "vitest";
import { createAgent } from "../../src/agent/index.ts";
import type { Budget } from "../../src/index.ts";
import type { FakeAnswer } from "../../src/testing/index.ts";
import { agentRequest, agentTargetOf, shellCall } from "../support/real-clis/agent-request.ts";
import type { CliName, TransportName } from "../support/real-clis/real-cli.ts";
import { keepingClient } from "./caller-loop.ts";
import { type OpenRealCli, openRealCli, type RealRun } from "./open-real-cli.ts";

/** Every answer of the model uses 1,100 tokens, and claude says that it costs $0.006. */
const USED = { usage: { inputTokens: 1_000, outputTokens: 100 } };
const STEP_USD = 0.006;
const DONE: FakeAnswer = { kind: "text", text: "Done.", ...USED };

async function openLoop(name: CliName, toAnswers = (step: FakeAnswer) => [step, step, step, step, DONE]): Promise<OpenRealCli> {
  return openRealCli(name, toAnswers({ kind: "tool-calls", calls: [shellCall(name, "echo printed")], ...USED }));
}

function runLoop(cli: OpenRealCli, budget: Budget, transport: TransportName = "spawn"): Promise<RealRun> {
  const target = { ...toTarget(agentTargetOf(cli.name)), transport };
  return cli.run(agentRequest(cli, { permissions: { mode: "bypass" }, budget }), { target });
}

function toTarget(target: string): { provider: string; model?: string } {
  const [provider = "", ...model] = target.split("/");
  return model.length === 0 ? { provider } : { provider, model: model.join("/") };
}

describe("a budget inside one run of an agent", () => {
  it("claude gets a limit in USD and ends by it; a complete answer that passes it is kept, and the result says so", async () => {
    const cli = await openLoop("claude");
    const { result, failure } = await runLoop(cli, { usd: 0.009 });
    expect(failure).toMatchObject({ code: "budget-spent", message: expect.stringContaining("$0.009 is used up ($0.0120)") });
    expect(result).toMatchObject({ costUsd: 2 * STEP_USD, usage: { totalTokens: 2_200, scope: "turn" } });
    expect(cli.api.modelRequests).toHaveLength(2);
    cli.api.answerWith(DONE);
    const whole = await runLoop(cli, { usd: STEP_USD / 2 });
    expect(whole.result).toMatchObject({ text: "Done.", costUsd: STEP_USD, warnings: [{ code: "budget-used-up" }] });
  });

  it.each<[CliName, TransportName]>([
    ["claude", "spawn"],
    ["qwen", "spawn"],
    ["codex", "resident"],
    ["opencode", "spawn"],
  ])("%s (%s) is stopped when its steps have used the tokens", async (name, transport) => {
    // The third request may leave before the CLI is stopped, and an answer to it would be counted. Codex was not stopped while it waited for one.
    const cli = name === "codex" ? await openLoop(name) : await openLoop(name, (step) => [step, step, { kind: "stall" }]);
    const { result, failure } = await runLoop(cli, { tokens: 1_500 }, transport);
    expect(failure).toMatchObject({ code: "budget-spent" });
    expect(result.usage).toMatchObject({ totalTokens: 2_200, scope: "turn" });
    expect(cli.api.modelRequests.length).toBeLessThanOrEqual(3);
  });

  it("codex exec reports at its end: the run goes on, with a warning", async () => {
    const cli = await openLoop("codex");
    const { result } = await runLoop(cli, { tokens: 1_500 });
    expect(result.text).toBe("Done.");
    expect(result.warnings.map(({ code }) => code)).toEqual(["budget-between-runs", "budget-used-up"]);
  });

  it("an agent of this package stops after the step that spent its budget in USD, although its CLI keeps calls open", async () => {
    const call = '{"mark":"{{mark}}","tool_calls":[{"name":"look","args":{},"id":"call_1"}]}';
    const cli = await openRealCli("claude", ({ rawBody }, index): FakeAnswer => {
      if (index > 3) return DONE;
      const isNative = /"name":"look","description"/.test(rawBody);
      return isNative
        ? { kind: "tool-calls", calls: [{ name: "look", input: {} }], ...USED }
        : { kind: "text", text: call, ...USED };
    });
    const tools = [{ name: "look", description: "Looks.", run: () => "Nothing." }];
    const agent = createAgent({ model: "cli:claude", client: keepingClient(cli), tools, budget: { usd: 1.5 * STEP_USD } });
    const { failure, costUsd } = await agent.ask("Look.").outcome();
    expect([failure?.code, costUsd, cli.api.modelRequests.length]).toEqual(["budget-spent", 2 * STEP_USD, 2]);
  });
});
