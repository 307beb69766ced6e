import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { CALLS, callsOf, createExampleTools, RESULTS } from "./example-tools.ts";
import { type ModelScript, QUESTION, quoted, quoting, type Subject } from "./subject.ts";

const ASKED = [{ role: "user" as const, content: "Use get_weather." }];
const LOOP: ModelScript = [
  { kind: "calls", calls: [CALLS.weather] },
  { kind: "text", text: `The tool said: ${RESULTS.weather}` },
];

/** Agents of LangChain and graphs of LangGraph. */
export function describeAgents(subject: Subject): void {
  const { name } = subject;
  describe(`agents on ${name}`, () => {
    it(`an agent on ${name} runs the tool that the model calls and answers with its result`, async () => {
      const { model, told } = await subject.open(LOOP);
      const { weather, time, executed } = createExampleTools();
      const agent = createAgent({ model, tools: [weather, time], systemPrompt: "Be a weatherman." });
      const { messages } = await agent.invoke({ messages: ASKED });
      expect(messages.map((message) => message.type)).toEqual(["human", "ai", "tool", "ai"]);
      expect(callsOf(messages[1])).toEqual([CALLS.weather]);
      expect(messages[2]).toMatchObject({ tool_call_id: idOf(messages[1]), content: RESULTS.weather, status: "success" });
      expect(messages[3]?.text).toContain(RESULTS.weather);
      expect(executed).toEqual([CALLS.weather]);
      expect(told()).toEqual([expect.stringContaining("Be a weatherman."), expect.stringContaining(RESULTS.weather)]);
    });

    it(`an agent on ${name} without tools only answers`, async () => {
      const { model } = await subject.open([quoting(QUESTION)]);
      const { messages } = await createAgent({ model, tools: [] }).invoke({ messages: [{ role: "user", content: QUESTION }] });
      expect(messages.at(-1)?.text).toContain(quoted(QUESTION));
      expect(messages).toHaveLength(2);
    });

    it(`a tool that throws in an agent on ${name} is an error that reaches the model`, async () => {
      const { model, told } = await subject.open([
        { kind: "calls", calls: [CALLS.gate] },
        { kind: "text", text: "It is stuck." },
      ]);
      const { gate, executed } = createExampleTools();
      const { messages } = await createAgent({ model, tools: [gate] }).invoke({
        messages: [{ role: "user", content: "Use open_gate." }],
      });
      expect(executed).toEqual([CALLS.gate]);
      expect(messages[2]).toMatchObject({ status: "error", text: expect.stringContaining('the gate is <stuck> & "shut"') });
      expect(told()[1]).toContain("the gate is &lt;stuck&gt; &amp; ");
      expect(messages).toHaveLength(4);
    });

    it(`a graph with a model on ${name} and a tool node runs to its end`, async () => {
      const { model } = await subject.open(LOOP);
      const { weather, executed } = createExampleTools();
      const bound = model.bindTools([weather]);
      const graph = new StateGraph(MessagesAnnotation)
        .addNode("model", async ({ messages }) => ({ messages: [await bound.invoke(messages)] }))
        .addNode("tools", new ToolNode([weather]))
        .addEdge(START, "model")
        .addConditionalEdges("model", toolsCondition, ["tools", END])
        .addEdge("tools", "model")
        .compile();
      const { messages } = await graph.invoke({ messages: ASKED });
      expect(messages.map((message) => message.type)).toEqual(["human", "ai", "tool", "ai"]);
      expect(messages.at(-1)?.text).toContain(RESULTS.weather);
      expect(executed).toEqual([CALLS.weather]);
    });
  });
}

function idOf(message: BaseMessage | undefined): string | undefined {
  return AIMessage.isInstance(message) ? message.tool_calls?.[0]?.id : undefined;
}
