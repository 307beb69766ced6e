import { describe, expect, it, onTestFinished } from "vitest";
import { createClient } from "../../src/index.ts";
import type { Message } from "../../src/spec/message.ts";
import type { ToolDefinition } from "../../src/spec/tool.ts";
import { modelRequestsOf } from "./model-request.ts";
import { type OpenRealCli, openRealCli } from "./open-real-cli.ts";

const WEATHER: ToolDefinition = {
  name: "get_weather",
  description: "Weather of a city",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};
const PROMPT = { role: "user", text: "Weather in Oslo?" } as const;

function keepingClient(cli: OpenRealCli): ReturnType<typeof createClient> {
  const client = createClient({ policies: false, env: cli.env, providers: [cli.provider] });
  onTestFinished(() => client.close());
  return client;
}

describe.each(["claude", "codex"] as const)("parked calls of real %s", (name) => {
  it(`three steps of ${name} go on in one process`, async () => {
    const cli = await openRealCli(name, [
      { kind: "tool-calls", text: "Let me look.", calls: [{ name: "get_weather", input: { city: "Oslo" } }] },
      { kind: "tool-calls", calls: [{ name: "get_weather", input: { city: "Bergen" } }, { name: "get_weather", input: { city: "Moss" } }] },
      { kind: "text", text: "It rains." },
    ]);
    const client = keepingClient(cli);
    const messages: Message[] = [PROMPT];
    for (let step = 0; step < 3; step += 1) {
      const run = await cli.run({ messages, tools: [WEATHER] }, { client });
      console.log(name, step, JSON.stringify(run.result), JSON.stringify(run.events.map(({ type, atMs }) => `${type} ${atMs}`)));
      const { text, hostCalls = [] } = run.result;
      if (hostCalls.length === 0) break;
      messages.push({ role: "assistant", text, toolCalls: hostCalls });
      for (const { id, args } of hostCalls) messages.push({ role: "tool", callId: id, text: `rain in ${args["city"]}` });
    }
    console.log(JSON.stringify(modelRequestsOf(cli)));
    expect(cli.api.modelRequests).toHaveLength(3);
  });
});
