import { join } from "node:path";
import type Anthropic from "@anthropic-ai/sdk";
import { betaZodTool } from "@anthropic-ai/sdk/helpers/beta/zod";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { createClient } from "../../src/index.ts";
import { callBlock, OSLO } from "../support/clis/call-blocks.ts";
import { calling } from "../support/clis/native-client.ts";
import { openCli } from "../support/clis/open-cli.ts";
import { answers } from "../support/clis/plays.ts";
import { createClientInScope } from "../support/clis/rehearsal-client.ts";
import { rememberingProvider } from "../support/clis/remembering-provider.ts";
import { openTestScope } from "../support/test-scope.ts";
import { openGateway } from "./anthropic-gateway.ts";

const WEATHER: Anthropic.Tool = {
  name: "get_weather",
  description: "Weather of a city",
  input_schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};
const ASK = {
  model: "plain",
  max_tokens: 1000,
  tools: [WEATHER],
  messages: [{ role: "user" as const, content: "What is the weather in Oslo?" }],
} satisfies Anthropic.MessageCreateParamsNonStreaming;
const CALL = { type: "tool_use", id: "call_1", name: "get_weather", input: { city: "Oslo" } };
const BOTH = callBlock(
  { name: "get_weather", args: { city: "Oslo" }, id: "call_1" },
  { name: "get_weather", args: { city: "Moss" }, id: "call_2" },
);

it("a call is a tool_use block behind the text, and its result continues the conversation", async () => {
  const cli = openCli([answers(`I will look.\n\n${OSLO}`), answers("It rains.")]);
  const { anthropic } = await openGateway(cli.client);
  const asked = await anthropic.messages.create(ASK);
  expect(asked.stop_reason).toBe("tool_use");
  expect(asked.content).toMatchObject([{ type: "text", text: "I will look." }, CALL]);
  const told = await anthropic.messages.create({
    ...ASK,
    messages: [
      ...ASK.messages,
      { role: "assistant", content: asked.content },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", is_error: true, content: "No such city." }] },
    ],
  });
  expect(told.content).toMatchObject([{ type: "text", text: "It rains." }]);
  const [, second] = await cli.calls();
  for (const words of ["I will look.", 'call_id="call_1"', "No such city.", 'status="error"'])
    expect(second?.prompt).toContain(words);
});

it("calls in a stream are blocks of their own with the whole input", async () => {
  const { client } = openCli([answers(BOTH)]);
  const { anthropic, streams } = await openGateway(client);
  const message = await anthropic.messages.stream(ASK).finalMessage();
  expect(message.stop_reason).toBe("tool_use");
  expect(message.content).toMatchObject([CALL, { ...CALL, id: "call_2", input: { city: "Moss" } }]);
  expect(await streams()).toEqual(["complete"]);
});

it.each([
  [{ type: "any" }, "must call"],
  [{ type: "tool", name: "get_weather" }, "get_weather"],
  [{ type: "none" }, "not call"],
] as const)("the choice %o reaches the CLI", async (choice, words) => {
  const cli = openCli([answers(choice.type === "none" ? "It rains." : OSLO)]);
  const { anthropic } = await openGateway(cli.client);
  await anthropic.messages.create({ ...ASK, tool_choice: choice });
  expect((await cli.calls())[0]?.prompt).toContain(words);
});

it("a call that stays wrong after its correction goes to the client, which can answer it", async () => {
  const wrong = answers(callBlock({ name: "get_weather", args: { town: "Oslo" } }));
  const { client } = openCli([wrong, wrong]);
  const { anthropic } = await openGateway(client);
  const { content, stop_reason: reason } = await anthropic.messages.create(ASK);
  expect(reason).toBe("tool_use");
  expect(content).toMatchObject([{ type: "tool_use", name: "get_weather", input: { town: "Oslo" } }]);
});

it("deferred tools are offered when the conversation has loaded them", async () => {
  const cli = openCli([answers("None."), answers("One.")]);
  const { anthropic } = await openGateway(cli.client);
  const tools = [
    { ...WEATHER, name: "ToolSearch" },
    { ...WEATHER, name: "WebFetch", defer_loading: true },
    { ...WEATHER, name: "CronList", defer_loading: true },
  ];
  await anthropic.messages.create({ ...ASK, tools });
  await anthropic.messages.create({
    ...ASK,
    tools,
    messages: [
      ...ASK.messages,
      { role: "assistant", content: [{ type: "tool_use", id: "call_1", name: "ToolSearch", input: { city: "web" } }] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "call_1", content: [{ type: "tool_reference", tool_name: "WebFetch" }] }],
      },
    ],
  });
  const [first, second] = await cli.calls();
  expect(first?.prompt).not.toMatch(/WebFetch|CronList/);
  expect(second?.prompt).toContain("WebFetch");
  expect(second?.prompt).not.toContain("CronList");
});

it.each([false, true])("the official tool runner loops over the rehearsal CLI (stream: %s)", async (stream) => {
  const { anthropic } = await openGateway(createClientInScope());
  const made: string[] = [];
  const weather = betaZodTool({
    name: "get_weather",
    description: "Weather of a city",
    inputSchema: z.object({ city: z.enum(["Oslo"]) }),
    run: ({ city }) => {
      made.push(city);
      return `rain in ${city}`;
    },
  });
  const request = { ...ASK, model: "rehearsal/tool-caller", tools: [weather] };
  const final = stream
    ? await anthropic.beta.messages.toolRunner({ ...request, stream: true }).runUntilDone()
    : await anthropic.beta.messages.toolRunner(request).runUntilDone();
  expect(made).toEqual(["Oslo"]);
  expect(final.content).toMatchObject([{ type: "text", text: "The tool said: rain in Oslo" }]);
});

it("a loop goes on in the parked turn of one process, because every message is read to the same value again", async () => {
  const { directory, env } = openTestScope();
  const client = createClient({
    policies: false,
    providers: [rememberingProvider("calls-host-tools")],
    env: { ...env, NOTE_FILE: join(directory, "note") },
  });
  onTestFinished(() => client.close());
  const { anthropic } = await openGateway(client);
  const look: Anthropic.Tool = {
    name: "look",
    description: "Looks at a place",
    input_schema: { type: "object", properties: { place: { type: "string" }, floor: { type: "number", default: 1 } } },
  };
  const prompt = calling([{ place: "attic" }], [{ place: "cellar", floor: 0 }, { place: "hall" }]);
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: prompt }];
  const warm: (string | null)[] = [];
  let text = "";
  for (let step = 0; step < 3; step += 1) {
    // Claude Code writes the first message as blocks, moves its marks for the cache, and streams.
    const marked = [{ type: "text", text: prompt, cache_control: { type: "ephemeral" } }] as const;
    const first: Anthropic.MessageParam = { role: "user", content: step === 0 ? [...marked] : prompt };
    const stream = anthropic.messages.stream({ ...ASK, model: "bad", tools: [look], messages: [first, ...messages.slice(1)] });
    const message = await stream.finalMessage();
    warm.push((await stream.withResponse()).response.headers.get("x-coxswain-warm"));
    messages.push({ role: "assistant", content: message.content });
    const calls = message.content.flatMap((block) => (block.type === "tool_use" ? [block] : []));
    messages.push({
      role: "user",
      content: calls.map(({ id, input }) => ({ type: "tool_result", tool_use_id: id, content: `seen ${JSON.stringify(input)}` })),
    });
    text = message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
  }
  expect(warm).toEqual(["false", "true", "true"]);
  expect(text).toContain('seen {\\"place\\":\\"hall\\",\\"floor\\":1}');
});
