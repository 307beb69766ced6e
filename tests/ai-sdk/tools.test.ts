import { generateText, isStepCount, NoSuchToolError, stepCountIs, streamText, ToolLoopAgent, tool } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { callBlock } from "../support/clis/call-blocks.ts";
import { answers } from "../support/clis/plays.ts";
import { openPlayed, openRehearsal, readAll } from "./open-models.ts";

const weather = tool({
  description: "The weather of a city",
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => `It rains in ${city}.`,
});
const boats = tool({
  description: "Counts boats",
  inputSchema: z.object({ harbour: z.string() }),
  execute: ({ harbour }) => ({ harbour, boats: 8 }),
});
const tools = { weather, boats };

describe("tools of the AI SDK", () => {
  it("generateText runs the calls of several steps, two at once in the first, and the CLI gets their results", async () => {
    const { model, fleet } = openPlayed([
      answers(callBlock({ name: "weather", args: { city: "Oslo" } }, { name: "boats", args: { harbour: "Bergen" } })),
      answers(callBlock({ name: "weather", args: { city: "Bodø" } })),
      answers("All done."),
    ]);
    const { text, steps } = await generateText({ model, tools, prompt: "Look around.", stopWhen: isStepCount(5) });
    expect(text).toBe("All done.");
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(["tool-calls", "tool-calls", "stop"]);
    expect(steps[0]?.toolResults.map(({ toolName, output }) => [toolName, output])).toEqual([
      ["weather", "It rains in Oslo."],
      ["boats", { harbour: "Bergen", boats: 8 }],
    ]);
    const told = fleet.calls("one").at(-1)?.prompt ?? "";
    for (const words of ["It rains in Oslo.", "&quot;boats&quot;:8", "It rains in Bodø."]) expect(told).toContain(words);
  });

  it("streamText streams the calls, and its steps are those of generateText", async () => {
    const model = openRehearsal("tool-caller");
    const result = streamText({ model, tools, prompt: "Call weather and boats.", stopWhen: stepCountIs(5) });
    const parts = await readAll(result.fullStream);
    const types = parts.map(({ type }) => type).filter((type) => type.startsWith("tool-"));
    expect(types.slice(0, 4)).toEqual(["tool-input-start", "tool-input-delta", "tool-input-end", "tool-call"]);
    expect(types.filter((type) => type === "tool-result")).toHaveLength(2);
    expect(await result.text).toContain("The tools said:");
    expect(await result.steps).toHaveLength(2);
  });

  it("an agent of the AI SDK works with a CLI", async () => {
    const agent = new ToolLoopAgent({ model: openRehearsal("tool-caller"), tools: { weather }, instructions: "Be brief." });
    const { text, steps } = await agent.generate({ prompt: "Do I need an umbrella?" });
    expect(steps).toHaveLength(2);
    expect(text).toBe("The tool said: It rains in city.");
    const streamed = await agent.stream({ prompt: "Do I need an umbrella?" });
    expect((await readAll(streamed.textStream)).join("")).toBe("The tool said: It rains in city.");
  });

  it("the error of a tool is told to the model", async () => {
    const { model, fleet } = openPlayed([answers(callBlock({ name: "fails", args: {} })), answers("A pity.")]);
    const broken = tool({
      inputSchema: z.object({}),
      execute: (): string => {
        throw new Error("the harbour is closed");
      },
    });
    const { text } = await generateText({ model, tools: { fails: broken }, prompt: "Try.", stopWhen: isStepCount(3) });
    expect(text).toBe("A pity.");
    expect(fleet.calls("one").at(-1)?.prompt).toMatch(
      /<event type="tool_output"[^>]*status="error"[^>]*>Error: the harbour is closed/,
    );
  });

  it("toolChoice reaches the model, and a tool of a vendor is a warning", async () => {
    const { model, fleet } = openPlayed([answers(callBlock({ name: "boats", args: { harbour: "Bergen" } })), answers("None.")]);
    const chosen = await generateText({ model, tools, prompt: "Go.", toolChoice: { type: "tool", toolName: "boats" } });
    expect(chosen.toolCalls).toMatchObject([{ toolName: "boats", input: { harbour: "Bergen" } }]);
    expect(fleet.calls("one")[0]?.prompt).toMatch(/must call (?:the tool )?"?boats/i);
    const search = { type: "provider", id: "openai.web_search", name: "web_search", args: {} } as const;
    const result = await model.doGenerate({
      prompt: [{ role: "user", content: [{ type: "text", text: "Go." }] }],
      tools: [search],
    });
    expect(result.warnings).toMatchObject([{ type: "unsupported", feature: "provider-defined tool openai.web_search" }]);
  });

  it("a call that stays invalid is left to the AI SDK, which repairs it or tells the model", async () => {
    const wrong = answers(callBlock({ name: "weather", args: { town: "Oslo" } }));
    const repaired = await generateText({
      model: openPlayed([wrong, wrong, answers("Repaired.")]).model,
      tools,
      prompt: "Go.",
      stopWhen: isStepCount(3),
      repairToolCall: async ({ toolCall, error }) => {
        expect(NoSuchToolError.isInstance(error)).toBe(false);
        return { ...toolCall, input: JSON.stringify({ city: JSON.parse(toolCall.input).town }) };
      },
    });
    expect(repaired.steps[0]?.toolResults).toMatchObject([{ output: "It rains in Oslo." }]);
    expect(repaired.text).toBe("Repaired.");
    const { model, fleet } = openPlayed([wrong, wrong, answers("Sorry.")]);
    const told = await generateText({ model, tools, prompt: "Go.", stopWhen: isStepCount(3) });
    expect(told.steps[0]).toMatchObject({ finishReason: "tool-calls", toolCalls: [{ invalid: true, input: { town: "Oslo" } }] });
    expect(told.text).toBe("Sorry.");
    expect(fleet.calls("one").at(-1)?.prompt).toMatch(/status="error"/);
  });
});
