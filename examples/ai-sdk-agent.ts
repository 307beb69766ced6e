// An agent with one tool: the AI SDK runs the loop and the tool, an AI CLI is the model.
// Usage: ai-sdk-agent.ts [provider[/model]]
import { isStepCount, streamText, tool } from "ai";
import { coxswain, RunError } from "coxswain/ai-sdk";
import { z } from "zod";

const getWeather = tool({
  description: "The weather in a city, right now",
  inputSchema: z.object({ city: z.string().meta({ examples: ["Oslo"] }) }),
  execute: ({ city }) => `It is 7 °C and raining in ${city}.`,
});

let failure: unknown;
const { fullStream } = streamText({
  model: coxswain(process.argv[2] ?? "claude"),
  tools: { get_weather: getWeather },
  system: "You help people dress for the weather. Look it up; never guess.",
  prompt: "Do I need an umbrella in Oslo today?",
  stopWhen: isStepCount(5),
  onError: ({ error }) => {
    failure = error;
  },
});

for await (const part of fullStream) {
  if (part.type === "tool-result") console.log(`→ ${part.toolName}: ${part.output}`);
  else if (part.type === "text-delta") process.stdout.write(part.text);
}
if (failure === undefined) console.log();
else {
  const known = RunError.from(failure)?.failure;
  console.error(known === undefined ? failure : `${known.message}\n${known.hint}`);
  process.exitCode = 1;
}
