// OpenAI's own client with an AI CLI as its model: a gateway in this process answers it, and the client runs the tool.
// Usage: gateway-openai.ts [provider[/model]]
import { randomBytes } from "node:crypto";
import { createClient } from "coxswain";
import { serveGateway } from "coxswain/gateway";
import OpenAI from "openai";

const client = createClient();
const token = randomBytes(24).toString("base64url");
const gateway = await serveGateway({ client, token, port: 0 });
const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: token });

function getWeather({ city }: { readonly city: string }): string {
  const weather = `It is 7 °C and raining in ${city}.`;
  console.log(`→ get_weather: ${weather}`);
  return weather;
}

try {
  const runner = openai.chat.completions.runTools({
    model: process.argv[2] ?? "claude",
    messages: [
      { role: "system", content: "You help people dress for the weather. Look it up; never guess." },
      { role: "user", content: "Do I need an umbrella in Oslo today?" },
    ],
    tools: [
      {
        type: "function",
        function: {
          name: "get_weather",
          description: "The weather in a city, right now",
          parameters: {
            type: "object",
            properties: { city: { type: "string", examples: ["Oslo"] } },
            required: ["city"],
          },
          parse: (text: string): { city: string } => JSON.parse(text),
          function: getWeather,
        },
      },
    ],
  });
  console.log(await runner.finalContent());
} catch (error) {
  if (!(error instanceof OpenAI.APIError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await gateway.close();
  await client.close();
}
