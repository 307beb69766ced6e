// An agent of Coxswain with two tools. It looks things up by itself and asks before it changes something.
// Usage: agent.ts [provider[/model]]
import { createInterface } from "node:readline/promises";
import { agentTool, createAgent, RunError } from "coxswain/agent";
import { z } from "zod";

const bookings: string[] = [];
const Trip = z.object({ city: z.string().meta({ examples: ["Oslo"] }) });

const getWeather = agentTool({
  name: "get_weather",
  description: "The weather in a city, right now",
  parameters: Trip,
  readOnly: true,
  run: ({ city }) => `It is 7 °C and raining in ${city}.`,
});

const bookTrip = agentTool({
  name: "book_trip",
  description: "Books a trip to a city",
  parameters: Trip,
  run: ({ city }) => {
    bookings.push(city);
    return `The trip to ${city} is booked.`;
  },
});

const agent = createAgent({
  model: `cli:${process.argv[2] ?? "claude"}`,
  tools: [getWeather, bookTrip],
  approval: "approve",
  instructions: "Look the weather up; never guess.",
  maxSteps: 10,
});

async function isAllowed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} (y/n) `);
  terminal.close();
  return answer.trim().toLowerCase() === "y";
}

const run = agent.ask("Do I need an umbrella in Oslo today?", {
  onPermission: async ({ name, input }) =>
    (await isAllowed(`May ${name} run with ${JSON.stringify(input)}?`))
      ? { behavior: "allow" }
      : { behavior: "deny", message: "The person said no." },
});
for await (const event of run) {
  if (event.type === "tool-end") console.log(`→ ${event.name}: ${event.output}`);
}

try {
  const { text } = await run.result();
  console.log(text);
} catch (error) {
  if (!RunError.is(error)) throw error;
  console.error(`${error.failure.message}\n${error.failure.hint}`);
  process.exitCode = 1;
}
