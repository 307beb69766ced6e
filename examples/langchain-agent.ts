// An agent with one tool: LangChain runs the loop and the tool, an AI CLI is the model.
// Usage: langchain-agent.ts [provider[/model]]
import { RunError, toChatModel } from "coxswain/langchain";
import { createAgent, tool } from "langchain";
import { z } from "zod";

const getWeather = tool(({ city }) => `It is 7 °C and raining in ${city}.`, {
  name: "get_weather",
  description: "The weather in a city, right now",
  schema: z.object({ city: z.string().meta({ examples: ["Oslo"] }) }),
});

const agent = createAgent({
  model: toChatModel(process.argv[2] ?? "claude"),
  tools: [getWeather],
  systemPrompt: "You help people dress for the weather. Look it up; never guess.",
});

try {
  const { messages } = await agent.invoke({ messages: [{ role: "user", content: "Do I need an umbrella in Oslo today?" }] });
  for (const message of messages) {
    if (message.type === "tool") console.log(`→ ${message.name}: ${message.text}`);
    else if (message.text !== "") console.log(`${message.type}: ${message.text}`);
  }
} catch (error) {
  if (!RunError.is(error)) throw error;
  console.error(`${error.failure.message}\n${error.failure.hint}`);
  process.exitCode = 1;
}
