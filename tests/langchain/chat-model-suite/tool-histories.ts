import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { readThread, type ThreadEvent } from "../../support/runs/read-thread.ts";
import { CALLS, createExampleTools, RESULTS } from "./example-tools.ts";
import type { ModelAnswer, Subject } from "./subject.ts";

const SCRIPT: readonly ModelAnswer[] = [
  { kind: "text", text: `The tool said: ${RESULTS.weather}` },
  { kind: "calls", calls: [CALLS.weather] },
];
const CALL = { ...CALLS.weather, id: "call_1", type: "tool_call" as const };
const ASKED = new HumanMessage("Use get_weather.");
const RESULT = new ToolMessage({ tool_call_id: "call_1", name: CALLS.weather.name, content: RESULTS.weather });

/** Conversations in which tools were called before. */
export function describeToolHistories(subject: Subject): void {
  const { name } = subject;

  async function tell(messages: BaseMessage[]): Promise<{ readonly text: string; readonly events: readonly ThreadEvent[] }> {
    const { model, told } = await subject.open(SCRIPT);
    const { weather, time } = createExampleTools();
    const message = await model.bindTools([weather, time]).invoke(messages);
    expect(told()).toHaveLength(1);
    expect(message.tool_calls).toEqual([]);
    return { text: message.text, events: readThread(told()[0] ?? "") };
  }

  describe(`tool histories of a chat model on ${name}`, () => {
    it(`a call and its result reach ${name} as such, and the model answers with them`, async () => {
      const { text, events } = await tell([ASKED, new AIMessage({ content: "", tool_calls: [CALL] }), RESULT]);
      expect(text).toContain(RESULTS.weather);
      expect(events.filter((event) => event.type !== "ai")).toMatchObject([
        { type: "human", text: ASKED.text },
        { type: "tool_input", name: "get_weather", callId: "call_1" },
        { type: "tool_output", name: "get_weather", callId: "call_1", status: "success", text: RESULTS.weather },
      ]);
      expect(JSON.parse(events.find((event) => event.type === "tool_input")?.text ?? "")).toEqual(CALLS.weather.args);
    });

    it(`a history in lists of blocks, with Anthropic's tool_use among them, reaches ${name} once`, async () => {
      const content = [
        { type: "text" as const, text: "I look it up." },
        { type: "tool_use" as const, id: "call_1", name: CALLS.weather.name, input: CALLS.weather.args },
      ];
      const result = new ToolMessage({ tool_call_id: "call_1", content: [{ type: "text", text: RESULTS.weather }] });
      const { events } = await tell([ASKED, new AIMessage({ content, tool_calls: [CALL] }), result]);
      expect(events).toMatchObject([
        { type: "human" },
        { type: "ai", text: "I look it up." },
        { type: "tool_input", name: "get_weather", callId: "call_1" },
        { type: "tool_output", name: "get_weather", callId: "call_1", text: RESULTS.weather },
      ]);
    });

    it(`a call that stands only in the content of a message reaches ${name} as a call`, async () => {
      const content = [{ type: "tool_use" as const, id: "call_1", name: CALLS.weather.name, input: CALLS.weather.args }];
      const { events } = await tell([ASKED, new AIMessage({ content }), RESULT]);
      expect(events.filter((event) => event.type === "tool_input")).toMatchObject([{ name: "get_weather", callId: "call_1" }]);
    });

    it(`the result of a tool that failed reaches ${name} as an error`, async () => {
      const failed = new ToolMessage({ tool_call_id: "call_1", content: "no such city: <Oslo>", status: "error" });
      const { events } = await tell([ASKED, new AIMessage({ content: "", tool_calls: [CALL] }), failed]);
      expect(events.at(-1)).toMatchObject({
        type: "tool_output",
        callId: "call_1",
        status: "error",
        text: "no such city: <Oslo>",
      });
    });

    it(`examples of calls in a history reach ${name} in order, parallel ones included`, async () => {
      const calls = [CALL, { ...CALLS.time, id: "call_2", type: "tool_call" as const }];
      const { events } = await tell([
        new HumanMessage("Use get_weather and get_time."),
        new AIMessage({ content: "", tool_calls: calls }),
        RESULT,
        new ToolMessage({ tool_call_id: "call_2", content: RESULTS.time }),
        new AIMessage("Seven degrees at noon."),
        new HumanMessage("And again: get_weather."),
        new AIMessage({ content: "", tool_calls: [{ ...CALL, id: "call_3" }] }),
        new ToolMessage({ tool_call_id: "call_3", content: RESULTS.weather }),
      ]);
      expect(events.flatMap(({ type, callId }) => (callId === undefined ? [] : [`${type} ${callId}`]))).toEqual([
        "tool_input call_1",
        "tool_input call_2",
        "tool_output call_1",
        "tool_output call_2",
        "tool_input call_3",
        "tool_output call_3",
      ]);
      expect(events.map((event) => event.id)).toEqual(events.map((_, index) => String(index)));
    });

    it(`a new call of ${name} never has the id of an earlier one`, async () => {
      const { model } = await subject.open([{ kind: "calls", calls: [CALLS.weather] }]);
      const { weather } = createExampleTools();
      const first = await model.bindTools([weather]).invoke([ASKED]);
      const [call] = first.tool_calls ?? [];
      const result = new ToolMessage({ tool_call_id: call?.id ?? "", content: RESULTS.weather });
      const second = await model.bindTools([weather]).invoke([ASKED, first, result, new HumanMessage("get_weather again.")]);
      expect([first, second].map((message) => message.tool_calls?.length)).toEqual([1, 1]);
      expect(second.tool_calls?.[0]?.id).not.toBe(call?.id);
    });
  });
}
