import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { describe, expect, it, onTestFinished } from "vitest";
import { ChatCli } from "../../src/adapters/langchain/index.ts";
import { createAgent } from "../../src/agent/index.ts";
import { createClient } from "../../src/index.ts";
import type { FakeAnswer } from "../../src/testing/index.ts";
import { AGENT_TARGETS, agentRequest, shellCalls } from "../support/real-clis/agent-request.ts";
import { modelRequestsOf } from "../support/real-clis/model-request.ts";
import { eventsOf } from "../support/runs/read-run.ts";
import { createLoopTools, LOOP_ANSWER, LOOP_STEPS } from "./langchain-loop-script.ts";
import { describeTenSteps } from "./matrix/describe-ten-steps.ts";
import { openRealCli } from "./open-real-cli.ts";

const QUESTION = "Read the five pages and add what you can.";

/** The tools that LangChain's callbacks were told about. */
class ToolNames extends BaseCallbackHandler {
  override name = "tool-names";
  override awaitHandlers = true;
  readonly told: string[] = [];

  override handleToolStart(...[, , , , , , name]: Parameters<NonNullable<BaseCallbackHandler["handleToolStart"]>>): void {
    this.told.push(`start ${name}`);
  }

  override handleToolEnd({ name, content }: { readonly name: string; readonly content: string }): void {
    this.told.push(`end ${name}: ${content.trim()}`);
  }
}

describe.each(["claude", "codex"] as const)("createAgent on real %s", (name) => {
  // nightly/agent.test.ts has that of Claude Code, which starts a process for each step.
  if (name === "codex") describeTenSteps(name);

  it(`ten steps of the agent by native tools of ${name} are one conversation upstream`, async () => {
    const cli = await openRealCli(name, [
      ...LOOP_STEPS.map(
        ({ calls }): FakeAnswer => ({ kind: "tool-calls", calls: calls.map((call) => ({ name: call.name, input: call.args })) }),
      ),
      { kind: "text", text: LOOP_ANSWER },
    ]);
    const client = createClient({ policies: false, env: cli.env, providers: [cli.provider] });
    onTestFinished(() => client.close());
    const { tools, executed } = createLoopTools();
    const { text } = await createAgent({ model: `cli:${name}`, client, tools })
      .ask(QUESTION)
      .result();
    expect(text).toBe(LOOP_ANSWER);
    expect(executed).toEqual(LOOP_STEPS.flatMap(({ calls }) => calls));
    const requests = modelRequestsOf(cli);
    expect(requests).toHaveLength(LOOP_STEPS.length + 1);
    expect(new Set(requests.map(({ user }) => user[0]))).toEqual(new Set([QUESTION]));
  });

  it(`a tool that ${name} runs itself has the same events as a host tool, and callbacks are told about it`, async () => {
    const cli = await openRealCli(name, shellCalls(name, "echo printed"));
    const { prompt = "", ...request } = agentRequest(cli, { permissions: { mode: "bypass" } });
    const model = new ChatCli({ provider: AGENT_TARGETS[name], client: cli.client, request });
    const handler = new ToolNames();
    const { events = [], text } = await createAgent({ model, callbacks: [handler] })
      .ask(prompt, { keepEvents: true })
      .result();
    const tool = name === "claude" ? "Bash" : "command_execution";
    const about = { id: expect.stringMatching(/./), name: tool, step: 1, model: expect.stringMatching(/./) };
    expect(eventsOf(events, "tool-start")).toMatchObject([about]);
    expect(eventsOf(events, "tool-call")).toMatchObject([{ ...about, executor: "cli" }]);
    expect(eventsOf(events, "tool-end")).toMatchObject([{ ...about, isError: false, durationMs: expect.any(Number) }]);
    expect(handler.told).toEqual([`start ${tool}`, `end ${tool}: printed`]);
    expect(text).toContain("Done.");
  });
});
