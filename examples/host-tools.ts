// Your function as a tool, without a framework: the model asks for a call, your program makes it and sends the result back.
// Usage: host-tools.ts [provider[/model]]
import { createClient, defineTool, type Message, RunError } from "coxswain";
import { z } from "zod";

const Place = z.object({ city: z.string().meta({ examples: ["Oslo"] }) });
const tools = [defineTool({ name: "get_weather", description: "The weather in a city, right now", schema: Place })];

const client = createClient();
const target = process.argv[2] ?? "claude";
const messages: Message[] = [{ role: "user", text: "Do I need an umbrella in Oslo today?" }];

try {
  for (let step = 0; step < 5; step += 1) {
    const { text, hostCalls = [] } = await client.run(target, { messages, tools }).result();
    if (text !== "") console.log(text);
    if (hostCalls.length === 0) break;
    messages.push({ role: "assistant", text, toolCalls: hostCalls });
    for (const { id, name, args } of hostCalls) {
      const result = `It is 7 °C and raining in ${Place.parse(args).city}.`;
      console.log(`→ ${name}: ${result}`);
      messages.push({ role: "tool", callId: id, text: result });
    }
  }
} catch (error) {
  if (!RunError.is(error)) throw error;
  console.error(`${error.failure.message}\n${error.failure.hint}`);
  process.exitCode = 1;
}
