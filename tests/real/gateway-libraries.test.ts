import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import type * as Zod from "zod";
import { openGateway } from "../gateway/anthropic-gateway.ts";
import { callBlock } from "../support/clis/call-blocks.ts";
import { openCli } from "../support/clis/open-cli.ts";
import { answers } from "../support/clis/plays.ts";
import { REAL_CLIS } from "../support/real-clis/real-cli.ts";

const installed = createRequire(join(REAL_CLIS, "programs/package.json"));

/** Loads a module of the pinned programs; their types are not installed. */
// biome-ignore lint/suspicious/noExplicitAny: the packages are installed after the types are checked
async function load(name: string): Promise<any> {
  return await import(pathToFileURL(installed.resolve(name)).href);
}

const WEATHER = { name: "get_weather", args: { city: "Oslo" } };

it("@openai/agents calls a function twice by Responses", async () => {
  const { Agent, run, setDefaultOpenAIClient, setTracingDisabled, tool } = await load("@openai/agents");
  const { default: OpenAI } = await load("openai");
  const { z } = (await load("zod")) as typeof Zod;
  const cli = openCli([answers(callBlock(WEATHER)), answers(callBlock(WEATHER)), answers("Take an umbrella.")]);
  const { url, requests } = await openGateway(cli.client);
  setDefaultOpenAIClient(new OpenAI({ baseURL: `${url}/v1`, apiKey: "none", maxRetries: 0 }));
  setTracingDisabled(true);
  const asked: string[] = [];
  const weather = tool({
    name: WEATHER.name,
    description: "The weather in a city",
    parameters: z.object({ city: z.string() }),
    execute: ({ city }: { city: string }) => {
      asked.push(city);
      return `It rains in ${city}.`;
    },
  });
  const agent = new Agent({ name: "Weather", instructions: "Answer.", model: "plain", tools: [weather] });
  const { finalOutput } = await run(agent, "Do I need an umbrella?");
  expect(finalOutput).toBe("Take an umbrella.");
  expect(asked).toEqual(["Oslo", "Oslo"]);
  expect(requests.map(({ line, status }) => `${line} ${status}`)).toEqual(Array(3).fill("POST /v1/responses 200"));
  expect((await cli.calls())[2]?.prompt).toContain("It rains in Oslo.");
});

it("instructor gets an object of its schema by a forced tool", async () => {
  const { default: createInstructor } = await load("@instructor-ai/instructor");
  const { default: OpenAI } = await load("openai");
  const { z } = await load("zod/v3");
  const person = { name: "Ada", born: 1815 };
  const cli = openCli([answers(callBlock({ name: "Person", args: person }))]);
  const { url, requests } = await openGateway(cli.client);
  const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: "none", maxRetries: 0 });
  const instructor = createInstructor({ client: openai, mode: "TOOLS" });
  const answer = await instructor.chat.completions.create({
    model: "plain",
    messages: [{ role: "user", content: "Ada Lovelace, born 1815" }],
    response_model: { name: "Person", schema: z.object({ name: z.string(), born: z.number() }) },
  });
  expect(answer).toMatchObject(person);
  expect(requests.map(({ line, status }) => `${line} ${status}`)).toEqual(["POST /v1/chat/completions 200"]);
});
