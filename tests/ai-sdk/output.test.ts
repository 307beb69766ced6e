import { generateText, isStepCount, NoObjectGeneratedError, Output, streamText, tool } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { callBlock } from "../support/clis/call-blocks.ts";
import { answers, says } from "../support/clis/plays.ts";
import { openPlayed, openRehearsal, readAll } from "./open-models.ts";

const city = z.object({ name: z.string(), people: z.number(), boats: z.array(z.string()) });
const OSLO = { name: "Oslo, the capital of Norway", people: 700_000, boats: ["Fram", "Gjøa"] };

describe("structured output for the AI SDK", () => {
  it("Output.object gives the value, from the text of a CLI and from one with its own option", async () => {
    const { model } = openPlayed([answers(`Here it is:\n\`\`\`json\n${JSON.stringify(OSLO)}\n\`\`\``)]);
    expect((await generateText({ model, prompt: "Oslo?", output: Output.object({ schema: city }) })).output).toEqual(OSLO);
    const rehearsed = await generateText({
      model: openRehearsal("friendly"),
      prompt: "Oslo?",
      output: Output.object({ schema: city }),
    });
    expect(rehearsed.output).toEqual({ name: "name", people: 0, boats: [] });
  });

  it("streamText shows the value while it is written", async () => {
    const text = JSON.stringify(OSLO);
    const pieces = [text.slice(0, 20), text.slice(20, 45), text.slice(45)];
    const steps = pieces.flatMap((piece, index) => [says(piece), ...(index < 2 ? [{ until: `seen ${index}` }] : [])]);
    const { model, fleet } = openPlayed([answers("", { before: steps })]);
    const result = streamText({ model, prompt: "Oslo?", output: Output.object({ schema: city }) });
    const partials: unknown[] = [];
    for await (const partial of result.partialOutputStream) {
      // The CLI goes on only when the value so far has been seen.
      if (partials.length < 2) fleet.tell("one", `seen ${partials.length}`);
      partials.push(partial);
    }
    expect(partials[0]).toEqual({ name: "Oslo, the c" });
    expect(partials.at(-1)).toEqual(OSLO);
    expect(await result.output).toEqual(OSLO);
    expect(await result.text).toBe(text);
  });

  it("a value is corrected once, unless a part of it was shown", async () => {
    const wrong = JSON.stringify({ name: "Bergen", people: "many", boats: [] });
    const right = JSON.stringify(OSLO);
    const whole = openPlayed([answers(wrong), answers(right)]);
    expect((await generateText({ model: whole.model, prompt: "?", output: Output.object({ schema: city }) })).output).toEqual(
      OSLO,
    );
    const { model } = openPlayed([
      answers("", { before: [says(wrong.slice(0, 20)), { do: "wait", ms: 300 }, says(wrong.slice(20))] }),
      answers(right),
    ]);
    const parts = await readAll(
      streamText({ model, prompt: "?", output: Output.object({ schema: city }), onError: () => {} }).fullStream,
    );
    expect(parts.find(({ type }) => type === "error")).toMatchObject({ error: { data: { code: "stream-diverged" } } });
  });

  it("Output.json, Output.array and Output.choice are values too", async () => {
    const { model } = openPlayed([answers("[1, 2]"), answers('{"elements":["a","b"]}'), answers('{"result":"no"}')]);
    expect((await generateText({ model, prompt: "?", output: Output.json() })).output).toEqual([1, 2]);
    expect((await generateText({ model, prompt: "?", output: Output.array({ element: z.string() }) })).output).toEqual([
      "a",
      "b",
    ]);
    expect((await generateText({ model, prompt: "?", output: Output.choice({ options: ["yes", "no"] }) })).output).toBe("no");
  });

  it("a value that never matches fails with the failure of the run", async () => {
    const { model } = openPlayed([answers("no value"), answers("no value")]);
    const failed = generateText({ model, prompt: "?", output: Output.object({ schema: city }) });
    await expect(failed).rejects.toMatchObject({ name: "AI_APICallError", statusCode: 502, data: { code: "schema-mismatch" } });
    await failed.catch((error) => expect(NoObjectGeneratedError.isInstance(error)).toBe(false));
  });

  it("tools come before the value", async () => {
    const look = tool({ inputSchema: z.object({}), execute: () => "eight boats" });
    const { model } = openPlayed([answers(callBlock({ name: "look", args: {} })), answers(JSON.stringify(OSLO))]);
    const asked = { model, tools: { look }, prompt: "?", output: Output.object({ schema: city }), stopWhen: isStepCount(4) };
    const { output, steps } = await generateText(asked);
    expect(output).toEqual(OSLO);
    expect(steps).toHaveLength(2);
  });
});
