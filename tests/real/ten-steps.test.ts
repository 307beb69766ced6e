import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { createAgent } from "langchain";
import { describe, expect, it, onTestFinished } from "vitest";
import { ChatCli } from "../../src/adapters/langchain/index.ts";
import { createClient } from "../../src/index.ts";
import type { JsonObject } from "../../src/spec/json.ts";
import type { ToolDefinition } from "../../src/spec/message.ts";
import type { FakeAnswer } from "../../src/testing/index.ts";
import { callsOf } from "../langchain/chat-model-suite/example-tools.ts";
import type { PlannedCall } from "../langchain/chat-model-suite/subject.ts";
import { modelRequestsOf } from "../support/real-clis/model-request.ts";
import { createLoopTools, LOOP_ANSWER, LOOP_STEPS } from "./langchain-loop-script.ts";
import { openRealCli } from "./open-real-cli.ts";

const QUESTION = "Read the five pages and add what you can.";
const CALLS = LOOP_STEPS.flatMap((step) => step.calls);
const RESULTS = LOOP_STEPS.flatMap((step) => step.results);
/** The same steps as by text (langchain-tool-loop.test.ts), but the model calls its own tools. */
const ANSWERS: readonly FakeAnswer[] = [
  ...LOOP_STEPS.map(
    ({ calls }): FakeAnswer => ({ kind: "tool-calls", calls: calls.map(({ name, args }) => ({ name, input: args })) }),
  ),
  { kind: "text", text: LOOP_ANSWER },
];

describe.each(["claude", "codex"] as const)("ten steps with native tools on real %s", (name) => {
  it(`LangChain's agent on ${name} makes the same calls as by text, in one process, and the model gets the same results`, async () => {
    const cli = await openRealCli(name, ANSWERS);
    const client = createClient({ policies: false, env: cli.env, providers: [cli.provider] });
    onTestFinished(() => client.close());
    const { tools, executed } = createLoopTools();
    const model = new ChatCli({ provider: name, client });
    const agent = createAgent({ model, tools: [...tools], systemPrompt: "Work step by step." });
    const { messages } = await agent.invoke({ messages: [{ role: "user", content: QUESTION }] }, { recursionLimit: 60 });
    expect(inOrder(executed)).toEqual(inOrder(CALLS));
    const answers = messages.filter((message) => AIMessage.isInstance(message));
    expect(answers.map(callsOf)).toEqual([...LOOP_STEPS.map((step) => step.calls), []]);
    expect(messages.filter((message) => ToolMessage.isInstance(message)).map(({ text, status }) => ({ text, status }))).toEqual(
      RESULTS,
    );
    expect(answers.at(-1)?.text).toBe(LOOP_ANSWER);
    const requests = modelRequestsOf(cli);
    expect(requests).toHaveLength(ANSWERS.length);
    // The results come as messages of their own: as a thread in text the first message would change with every step.
    expect(requests.at(-1)?.user.slice(-RESULTS.length)).toEqual(RESULTS.map(({ text }) => text));
    expect(new Set(requests.map(({ user }) => user[0]))).toEqual(new Set([QUESTION]));
  });

  it(`functions of the caller on ${name} get the same calls, and the model the same results`, async () => {
    const cli = await openRealCli(name, ANSWERS);
    const { tools, executed } = createLoopTools();
    const definitions = tools.map((tool): ToolDefinition => {
      const { name: toolName, description = "", parameters = {} } = convertToOpenAITool(tool).function;
      return { name: toolName, description, parameters: parameters as JsonObject };
    });
    const run = await cli.run(
      { prompt: QUESTION, system: "Work step by step.", tools: definitions },
      { context: { callTool: ({ name: called, args }) => tools.find((tool) => tool.name === called)?.invoke(args) } },
    );
    // Calls of one step run at the same time, in any order.
    expect(inOrder(executed)).toEqual(inOrder(CALLS));
    expect(run.result.text).toBe(LOOP_ANSWER);
    expect(run.result.toolCalls.filter(({ isError }) => isError)).toHaveLength(1);
    const told = modelRequestsOf(cli).at(-1)?.user ?? [];
    for (const { text, status } of RESULTS) if (status === "success") expect(told).toContain(text);
  });
});

function inOrder(calls: readonly PlannedCall[]): readonly string[] {
  return calls.map((call) => JSON.stringify(call)).toSorted();
}
