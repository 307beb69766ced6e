import { describe, expect, it } from "vitest";
import type { ToolDefinition } from "../../src/spec/tool.ts";
import { openRealCli } from "./open-real-cli.ts";

const WEATHER: ToolDefinition = {
  name: "get_weather",
  description: "Weather of a city",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};

describe.each(["claude", "codex"] as const)("host tools as tools of real %s", (name) => {
  it(`a function runs in the caller, and its result reaches ${name}'s model as a tool result`, async () => {
    const cli = await openRealCli(name, [
      { kind: "tool-calls", text: "Let me look.", calls: [{ name: "get_weather", input: { city: "Oslo" } }] },
      { kind: "text", text: "It rains in Oslo." },
    ]);
    const made: unknown[] = [];
    const run = await cli.run(
      { prompt: "Weather in Oslo?", tools: [WEATHER] },
      {
        context: {
          callTool: ({ name: tool, args }) => {
            made.push({ tool, args });
            return { rain: true };
          },
        },
      },
    );
    console.log(JSON.stringify(run.events, null, 1), JSON.stringify(cli.api.modelRequests.map((r) => r.body)).slice(0, 6000));
    expect(made).toEqual([{ tool: "get_weather", args: { city: "Oslo" } }]);
    expect(run.result.text).toBe("It rains in Oslo.");
  });
});
