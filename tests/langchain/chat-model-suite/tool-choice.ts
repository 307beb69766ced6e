import { describe, expect, it } from "vitest";
import { CALLS, callsOf, createExampleTools } from "./example-tools.ts";
import type { ModelAnswer, Subject } from "./subject.ts";

const ASK_WEATHER = "Use get_weather.";
const WEATHER_CALL: ModelAnswer = { kind: "calls", calls: [CALLS.weather] };
const OPENAI_CHOICE = { type: "function", function: { name: CALLS.weather.name } };
const ANTHROPIC_CHOICE = { type: "tool", name: CALLS.weather.name };

/** Whether the model may, must or must not call a tool. */
export function describeToolChoice(subject: Subject): void {
  const { name } = subject;
  describe(`the tool choice of a chat model on ${name}`, () => {
    it.each(["any", "auto", "get_weather", OPENAI_CHOICE, ANTHROPIC_CHOICE])(
      `with the choice %j the model of ${name} calls the tool`,
      async (choice) => {
        const { model } = await subject.open([WEATHER_CALL]);
        const { weather, time } = createExampleTools();
        const message = await model.bindTools([weather, time], { tool_choice: choice }).invoke(ASK_WEATHER);
        expect(callsOf(message)).toEqual([CALLS.weather]);
      },
    );

    it(`with the choice none an answer of ${name} that looks like a call is only text`, async () => {
      const { model } = await subject.open([WEATHER_CALL]);
      const message = await model.bindTools([createExampleTools().weather], { tool_choice: "none" }).invoke(ASK_WEATHER);
      expect(message.tool_calls).toEqual([]);
      expect(message.text).toContain("tool_calls");
      expect(message.response_metadata).toMatchObject({ finish_reason: "stop" });
    });
  });
}
