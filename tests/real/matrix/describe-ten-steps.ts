import { expect, it } from "vitest";
import { createAgent } from "../../../src/agent/index.ts";
import type { DeepCliName } from "../../support/real-clis/real-cli.ts";
import { createLoopTools, LOOP_ANSWER, LOOP_SCRIPT, LOOP_STEPS } from "../langchain-loop-script.ts";
import { realSubject } from "../langchain-subject.ts";

/** A long loop of the agent whose tools are called by text. */
export function describeTenSteps(name: DeepCliName): void {
  it(`ten steps of the agent on ${name} make every call once and give the last answer`, async () => {
    const { model, told, running, close } = await realSubject(name).open(LOOP_SCRIPT);
    const { tools, executed } = createLoopTools();
    const agent = createAgent({ model, tools, instructions: "Work step by step." });
    const { text, toolCalls, usage } = await agent.ask("Read the five pages and add what you can.").result();
    expect(text).toBe(LOOP_ANSWER);
    expect(executed).toEqual(LOOP_STEPS.flatMap(({ calls }) => calls));
    expect(toolCalls.map(({ isError }) => isError)).toEqual(
      LOOP_STEPS.flatMap(({ results }) => results.map(({ status }) => status === "error")),
    );
    expect(told()).toHaveLength(LOOP_SCRIPT.length);
    expect(usage?.outputTokens).toBe(LOOP_SCRIPT.length * 20);
    await close();
    expect(await running()).toEqual([]);
  });
}
