import { describe, expect, it } from "vitest";
import { RunError } from "../../../src/spec/failure/run-error.ts";
import { callBlock } from "../../support/clis/call-blocks.ts";
import { CALLS, callsOf, createExampleTools } from "./example-tools.ts";
import { type ModelAnswer, type ModelScript, QUESTION, type Subject } from "./subject.ts";

const WEATHER: ModelAnswer = { kind: "calls", calls: [CALLS.weather] };
const CUT = callBlock(CALLS.weather).slice(0, -12);

/** Calls that are invalid at first, and text that only looks like a call; for scripted models. */
export function describeCorrectedCalls(subject: Subject): void {
  const { name } = subject;
  const tools = createExampleTools();

  async function askForWeather(
    script: ModelScript,
    choice?: string,
  ): Promise<{ readonly calls: unknown; readonly told: readonly string[] }> {
    const { model, told } = await subject.open(script);
    const bound = model.bindTools([tools.weather, tools.time], choice === undefined ? {} : { tool_choice: choice });
    const message = await bound.invoke(QUESTION);
    return { calls: callsOf(message), told: told() };
  }

  describe(`calls by a chat model on ${name} that cannot be made`, () => {
    it(`a call of ${name} that is cut off is corrected once, and the usage of both attempts counts`, async () => {
      const { model, told } = await subject.open([
        { kind: "text", text: CUT },
        { kind: "calls", calls: [CALLS.weather] },
      ]);
      const message = await model.bindTools([tools.weather]).invoke(QUESTION);
      expect(callsOf(message)).toEqual([CALLS.weather]);
      expect(told()).toHaveLength(2);
      expect(told()[1]).toContain("get_weather&quot;");
      expect(message.usage_metadata).toMatchObject({ input_tokens: 200, output_tokens: 40, total_tokens: 240 });
    });

    it(`a call of ${name} that cannot be parsed twice fails, and no call is returned`, async () => {
      const { model, told } = await subject.open([{ kind: "text", text: CUT }]);
      const failed = await model
        .bindTools([tools.weather])
        .invoke(QUESTION)
        .catch((error: unknown) => error);
      expect(RunError.is(failed) && failed.failure).toMatchObject({ category: "invalid_response", code: "tool-call-unreadable" });
      expect(told()).toHaveLength(2);
    });

    it.each([
      ["of an unknown tool", callBlock({ name: "get_whether", args: { city: "Oslo" } })],
      ["with arguments that do not fit", callBlock({ name: "get_weather", args: { city: 7 } })],
    ])(`a call %s goes back to ${name}`, async (_what, text) => {
      const { calls, told } = await askForWeather([{ kind: "text", text }, WEATHER]);
      expect(calls).toEqual([CALLS.weather]);
      expect(told).toHaveLength(2);
    });

    it(`if ${name} must call a tool, an answer without a call is corrected`, async () => {
      const { calls, told } = await askForWeather([{ kind: "text", text: "It is cold." }, WEATHER], "any");
      expect(calls).toEqual([CALLS.weather]);
      expect(told).toHaveLength(2);
    });

    it(`if ${name} must call one tool, a call of another is corrected`, async () => {
      const { calls, told } = await askForWeather([{ kind: "calls", calls: [CALLS.time] }, WEATHER], "get_weather");
      expect(calls).toEqual([CALLS.weather]);
      expect(told).toHaveLength(2);
    });

    it(`a call that ${name} only quotes is text`, async () => {
      const text = `One calls it so:\n\n> ${callBlock(CALLS.weather).replace("{{mark}}", "mark").replaceAll("\n", "\n> ")}`;
      const { model } = await subject.open([{ kind: "text", text }]);
      expect(await model.bindTools([tools.weather]).invoke(QUESTION)).toMatchObject({ content: text, tool_calls: [] });
    });
  });
}
