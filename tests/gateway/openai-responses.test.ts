import { ResponsesToolRunner } from "openai/helpers/responses-tool-runner";
import { zodTextFormat } from "openai/helpers/zod";
import type { FunctionTool, ResponseInput, ResponseStreamEvent, Tool } from "openai/resources/responses/responses";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { callBlock } from "../support/clis/call-blocks.ts";
import { calling, LOOK } from "../support/clis/native-client.ts";
import { answers, FOREVER, fails, type Play, says, spends, tokens } from "../support/clis/plays.ts";
import { rememberingProvider } from "../support/clis/remembering-provider.ts";
import { openTestScope } from "../support/test-scope.ts";
import { openGateway, openPlayed } from "./openai-gateway.ts";
import { findProblems } from "./response-event-rules.ts";

const ASK = { model: "plain", input: "How deep is the fjord?" } as const;
const USAGE = { ...tokens(100, 20), cacheReadTokens: 60, cacheWriteTokens: 5, reasoningTokens: 8 };

/** Reasons, then answers in two pieces. */
const THOUGHTFUL: Play = [
  { events: [{ type: "reasoning-delta", messageId: "message", text: "Fjords are deep." }] },
  says("It is "),
  { events: [{ type: "text-delta", messageId: "message", text: "1,308 m deep." }, spends({ usage: USAGE })] },
  { end: { finish: "stop", answerId: "message" } },
];
const LOOK_TOOL: Tool = { type: "function", name: "look", strict: false, parameters: { ...LOOK.parameters } };

async function read(stream: AsyncIterable<ResponseStreamEvent>): Promise<readonly ResponseStreamEvent[]> {
  const events: ResponseStreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

describe("a whole response", () => {
  it("has reasoning, text and usage, and repeats the settings of the request", async () => {
    const { openai, calls } = await openPlayed([THOUGHTFUL]);
    const response = await openai.responses.create({ ...ASK, instructions: "Be brief.", metadata: { a: "b" }, store: true });
    expect(response.output_text).toBe("It is 1,308 m deep.");
    expect(response).toMatchObject({
      id: expect.stringMatching(/^resp_[0-9a-f]{32}$/),
      object: "response",
      status: "completed",
      error: null,
      incomplete_details: null,
      instructions: "Be brief.",
      metadata: { a: "b" },
      model: "plain",
      store: true,
      output: [
        { type: "reasoning", summary: [{ type: "summary_text", text: "Fjords are deep." }] },
        { type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", annotations: [] }] },
      ],
      usage: {
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 60, cache_write_tokens: 5 },
        output_tokens: 20,
        output_tokens_details: { reasoning_tokens: 8 },
        total_tokens: 120,
      },
    });
    expect(calls()[0]).toMatchObject({ prompt: ASK.input, told: { system: "Be brief." } });
  });

  it("is incomplete at the output limit and after a refusal", async () => {
    const cut: Play = [says("It is 1,3"), { end: { finish: "length", answerId: "message" } }];
    const filtered: Play = [says("I cannot say."), { end: { finish: "content-filter", answerId: "message" } }];
    const { openai } = await openPlayed([cut, filtered]);
    for (const reason of ["max_output_tokens", "content_filter"])
      expect(await openai.responses.create(ASK)).toMatchObject({
        status: "incomplete",
        incomplete_details: { reason },
        output: [{ type: "message", status: "incomplete" }],
      });
  });

  it("parse of the official client gets a value that matches its schema", async () => {
    const object = { name: "Fram", length: 39 };
    const { openai, calls } = await openPlayed([[{ events: [{ type: "object-delta", object }] }, { end: { finish: "stop" } }]]);
    const format = zodTextFormat(z.object({ name: z.string(), length: z.number() }), "boat");
    const { output_parsed: parsed } = await openai.responses.parse({ ...ASK, text: { format } });
    expect(parsed).toEqual(object);
    expect(calls()[0]?.told.outputSchema).toMatchObject({ required: ["name", "length"] });
  });
});

describe("a stream of events", () => {
  it("is in order and ends with the response, of an answer with reasoning, text and calls of each kind", async () => {
    const block = callBlock({ name: "look", args: { place: "Oslo" } }, { name: "patch", args: { input: "free\ntext" } });
    const play: Play = [
      { events: [{ type: "reasoning-delta", messageId: "message", text: "Let me look." }] },
      ...answers(`I look.\n\n${block}`),
    ];
    const { openai } = await openPlayed([THOUGHTFUL, play]);
    const plain = await read(await openai.responses.create({ ...ASK, stream: true }));
    expect(findProblems(plain)).toEqual([]);
    const tools: Tool[] = [LOOK_TOOL, { type: "custom", name: "patch" }];
    const called = await read(await openai.responses.create({ ...ASK, tools, stream: true }));
    expect(findProblems(called)).toEqual([]);
    const last = called.at(-1);
    expect(last?.type === "response.completed" ? last.response.output : last).toMatchObject([
      { type: "reasoning" },
      { type: "message" },
      { type: "function_call", name: "look", arguments: '{"place":"Oslo","floor":1}', call_id: expect.any(String) },
      { type: "custom_tool_call", name: "patch", input: "free\ntext" },
    ]);
  });

  it("is read by the client's own helper, which puts the response together", async () => {
    const { openai } = await openPlayed([THOUGHTFUL]);
    const stream = openai.responses.stream(ASK);
    const said: string[] = [];
    stream.on("response.output_text.delta", ({ delta }) => said.push(delta));
    const response = await stream.finalResponse();
    expect(response.output_text).toBe("It is 1,308 m deep.");
    expect(said.join("")).toBe(response.output_text);
  });

  it("throws in the client if the run fails after its first text; the last event is response.failed", async () => {
    const play: Play = [says("It is "), ...fails("server-error")];
    const { openai, url } = await openPlayed([play, play]);
    await expect(openai.responses.create({ ...ASK, stream: true }).then(read)).rejects.toMatchObject({
      code: "server_error",
      message: expect.stringContaining("This is server-error."),
    });
    const reply = await fetch(`${url}/responses`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...ASK, stream: true }),
    });
    const events = (await reply.text()).split("\n\n").flatMap((frame) => {
      const data = frame.split("\ndata: ")[1];
      return data === undefined ? [] : [JSON.parse(data) as ResponseStreamEvent];
    });
    expect(findProblems(events)).toEqual([]);
    expect(events.at(-1)).toMatchObject({
      type: "response.failed",
      response: { status: "failed", error: { code: "server_error" }, output: [{ status: "incomplete" }] },
    });
  });

  it("that the client aborts cancels the run", async () => {
    const { openai, untilQuiet } = await openPlayed([[says("It is "), FOREVER]]);
    for await (const event of await openai.responses.create({ ...ASK, stream: true }))
      if (event.type === "response.output_text.delta") break;
    await untilQuiet();
  });
});

it("a loop of calls goes on in one process of the CLI, with reasoning and calls as the client sends them back", async () => {
  const { directory } = openTestScope();
  const provider = rememberingProvider("calls-host-tools");
  const { openai } = await openGateway({ policies: false, providers: [provider], env: { NOTE_FILE: `${directory}/note` } });
  const said = JSON.stringify({
    ...JSON.parse(calling([{ place: "Oslo", floor: 2.5 }, { place: "Moss" }], [{ place: "attic" }])),
    says: ["One.", "Two."],
  });
  const input: ResponseInput = [{ role: "user", content: said }];
  const warm: unknown[] = [];
  for (;;) {
    const asked = openai.responses.create({ model: "bad", input, tools: [LOOK_TOOL], store: false });
    const { data, response } = await asked.withResponse();
    warm.push(response.headers.get("x-coxswain-warm"));
    const calls = data.output.flatMap((item) => (item.type === "function_call" ? [item] : []));
    if (calls.length === 0) {
      expect(JSON.parse(data.output_text).results).toEqual([
        '{"place":"Oslo","floor":2.5}',
        '{"place":"Moss","floor":1}',
        '{"place":"attic","floor":1}',
      ]);
      break;
    }
    input.push(...(data.output as ResponseInput));
    for (const call of calls) input.push({ type: "function_call_output", call_id: call.call_id, output: call.arguments });
  }
  expect(warm).toEqual(["false", "true", "true"]);
});

it("tools in a namespace keep their names, and Codex's offer of a web search is named as ignored", async () => {
  const block = callBlock({ name: "agents__close", args: { target: "a" }, id: "call_1" });
  const { openai, calls } = await openPlayed([answers(block), answers("Closed.")]);
  const tools: Tool[] = [
    {
      type: "namespace",
      name: "agents",
      description: "Agents",
      tools: [{ type: "function", name: "close", parameters: { type: "object", properties: { target: { type: "string" } } } }],
    },
    { type: "web_search" },
  ];
  const { data, response } = await openai.responses.create({ ...ASK, tools }).withResponse();
  expect(response.headers.get("x-coxswain-ignored")).toBe("tools.web_search");
  const [call] = data.output;
  expect(call).toMatchObject({ type: "function_call", namespace: "agents", name: "close", arguments: '{"target":"a"}' });
  const result = { type: "function_call_output", call_id: Reflect.get(call ?? {}, "call_id"), output: "gone" } as const;
  const second = await openai.responses.create({
    model: "plain",
    input: [{ role: "user", content: "Close." }, ...(data.output as ResponseInput), result],
    tools,
  });
  expect(second.output_text).toBe("Closed.");
  expect(calls()[1]?.prompt).toContain("agents__close");
});

it.each([false, true])("the client's own runner of tools for Responses makes the calls, with stream %s", async (stream) => {
  const block = callBlock({ name: "look", args: { place: "Oslo" } }, { name: "look", args: { place: "Moss", floor: 2 } });
  const { openai } = await openPlayed([
    [{ events: [{ type: "reasoning-delta", messageId: "message", text: "Hm." }] }, ...answers(block)],
    THOUGHTFUL,
  ]);
  const made: unknown[] = [];
  const look = { tool: LOOK_TOOL as FunctionTool, execute: (args: object) => `seen ${made.push(args)}` };
  const runner = new ResponsesToolRunner({ functions: [look] });
  const response = await runner.run(openai, ASK, { stream });
  expect(response.output_text).toBe("It is 1,308 m deep.");
  expect(made).toEqual([
    { place: "Oslo", floor: 1 },
    { place: "Moss", floor: 2 },
  ]);
});
