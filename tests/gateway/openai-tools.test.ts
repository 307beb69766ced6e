import { zodFunction, zodResponseFormat } from "openai/helpers/zod";
import type { ChatCompletionMessageParam, ChatCompletionTool } from "openai/resources/chat/completions";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { callBlock } from "../support/clis/call-blocks.ts";
import { calling, LOOK } from "../support/clis/native-client.ts";
import { answers, type Play, says } from "../support/clis/plays.ts";
import { rememberingProvider } from "../support/clis/remembering-provider.ts";
import { openTestScope } from "../support/test-scope.ts";
import { openGateway, openPlayed } from "./openai-gateway.ts";

const user = (content: string): ChatCompletionMessageParam => ({ role: "user", content });
const calls = (...cities: readonly string[]): Play =>
  answers(callBlock(...cities.map((city, index) => ({ name: "get_weather", args: { city }, id: `call_${index + 1}` }))));
const WEATHER: ChatCompletionTool = {
  type: "function",
  function: {
    name: "get_weather",
    strict: true,
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"], additionalProperties: false },
  },
};

describe("tools of the client, by text", () => {
  it("runTools of the official client makes parallel calls and ends with the answer", async () => {
    const { openai, calls: starts } = await openPlayed([calls("Oslo", "Bergen"), answers("It rains.")]);
    const made: unknown[] = [];
    const runner = openai.chat.completions.runTools({
      model: "plain",
      messages: [user("What is the weather?")],
      tools: [
        zodFunction({
          name: "get_weather",
          parameters: z.object({ city: z.string() }),
          function: ({ city }) => {
            made.push(city);
            return { rain: city };
          },
        }),
      ],
    });
    expect(await runner.finalContent()).toBe("It rains.");
    expect(made).toEqual(["Oslo", "Bergen"]);
    expect(starts()[1]?.prompt).toContain("{&quot;rain&quot;:&quot;Bergen&quot;}");
  });

  it.each([true, false])("a forced choice shows the text of one answer (stream: %s)", async (isStream) => {
    const { openai, starts } = await openPlayed([answers("It is cold."), [says("Let me look.\n\n"), ...calls("Oslo")]]);
    const asked = { model: "plain", messages: [user("Weather?")], tools: [WEATHER], tool_choice: "required" as const };
    const { choices } = isStream
      ? await openai.chat.completions.stream(asked).finalChatCompletion()
      : await openai.chat.completions.create(asked);
    expect(starts()).toBe(2);
    expect(choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: { content: "Let me look.", tool_calls: [{ function: { name: "get_weather" } }] },
    });
  });

  it("a stream has id and name of a call before its arguments", async () => {
    const { openai } = await openPlayed([calls("Oslo", "Bergen")]);
    const stream = openai.chat.completions.stream({ model: "plain", messages: [user("Weather?")], tools: [WEATHER] });
    const deltas: unknown[] = [];
    for await (const chunk of stream) deltas.push(...(chunk.choices[0]?.delta.tool_calls ?? []));
    expect(deltas).toEqual([
      { index: 0, id: expect.any(String), type: "function", function: { name: "get_weather", arguments: "" } },
      { index: 0, function: { arguments: '{"city":"Oslo"}' } },
      { index: 1, id: expect.any(String), type: "function", function: { name: "get_weather", arguments: "" } },
      { index: 1, function: { arguments: '{"city":"Bergen"}' } },
    ]);
    const { choices } = await stream.finalChatCompletion();
    expect(choices[0]).toMatchObject({ finish_reason: "tool_calls", message: { tool_calls: [{}, {}] } });
  });

  it("a call with wrong arguments, also after its correction, reaches the client as the model wrote it", async () => {
    const wrong = answers(callBlock({ name: "get_weather", args: { town: "Oslo" }, id: "call_1" }));
    const { openai, starts } = await openPlayed([wrong, wrong]);
    const { choices } = await openai.chat.completions.create({ model: "plain", messages: [user("Weather?")], tools: [WEATHER] });
    expect(starts()).toBe(2);
    expect(choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: { tool_calls: [{ type: "function", function: { name: "get_weather", arguments: '{"town":"Oslo"}' } }] },
    });
  });

  it("a custom tool takes and gives free text", async () => {
    const input = '*** Begin Patch\n+ "one"\n*** End Patch';
    const { openai, calls: starts } = await openPlayed([
      answers(callBlock({ name: "patch", args: { input }, id: "call_1" })),
      answers("Done."),
    ]);
    const tools: ChatCompletionTool[] = [
      {
        type: "custom",
        custom: { name: "patch", format: { type: "grammar", grammar: { syntax: "lark", definition: "start: WORD" } } },
      },
    ];
    const first = await openai.chat.completions.create({ model: "plain", messages: [user("Patch it.")], tools });
    const message = first.choices[0]?.message;
    expect(message?.tool_calls).toEqual([{ id: expect.any(String), type: "custom", custom: { name: "patch", input } }]);
    expect(starts()[0]?.prompt).toContain("start: WORD");
    const [call] = message?.tool_calls ?? [];
    const result = { role: "tool", tool_call_id: call?.id ?? "", content: "patched" } as const;
    const messages = [user("Patch it."), message as ChatCompletionMessageParam, result];
    const second = await openai.chat.completions.create({ model: "plain", messages, tools });
    expect(second.choices[0]?.message.content).toBe("Done.");
  });

  it("tool_choice chooses, forbids and restricts", async () => {
    const { openai, calls: starts } = await openPlayed([calls("Oslo"), answers("Rain."), answers("Rain.")]);
    const base = { model: "plain", messages: [user("Weather?")] };
    const clock: ChatCompletionTool = { type: "function", function: { name: "now" } };
    const chosen = { type: "function", function: { name: "get_weather" } } as const;
    const forced = await openai.chat.completions.create({ ...base, tools: [WEATHER, clock], tool_choice: chosen });
    expect(forced.choices[0]?.finish_reason).toBe("tool_calls");
    await openai.chat.completions.create({ ...base, tools: [WEATHER], tool_choice: "none" });
    const allowed = { mode: "auto", tools: [{ type: "function", function: { name: "now" } }] } as const;
    await openai.chat.completions.create({
      ...base,
      tools: [WEATHER, clock],
      tool_choice: { type: "allowed_tools", allowed_tools: { ...allowed, tools: [...allowed.tools] } },
    });
    const [first, second, third] = starts().map(({ prompt }) => prompt);
    expect(first).toContain("get_weather");
    expect(second).not.toBe(first);
    expect(third).toContain('"now"');
    expect(third).not.toContain("get_weather");
  });
});

describe("tools of the client, as tools of the CLI", () => {
  it("a loop of runTools goes on in one process, because the conversation comes back as it was sent", async () => {
    const { directory } = openTestScope();
    const warm: unknown[] = [];
    const fetchNoted: typeof fetch = async (...request) => {
      const response = await fetch(...request);
      warm.push(response.headers.get("x-coxswain-warm"));
      return response;
    };
    const provider = rememberingProvider("calls-host-tools");
    const env = { NOTE_FILE: `${directory}/note` };
    const { openai } = await openGateway({ policies: false, providers: [provider], env }, { fetch: fetchNoted });
    const made: unknown[] = [];
    const called = {
      name: "look",
      description: "Looks at a place",
      parameters: { ...LOOK.parameters },
      parse: JSON.parse,
      function: (args: object) => `seen ${made.push(args)}`,
    };
    const content = calling([{ place: "Oslo", floor: 2.5 }, { place: "Moß “x”" }], [{ place: "attic" }]);
    const runner = openai.chat.completions.runTools({
      model: "bad",
      messages: [user(content)],
      tools: [{ type: "function", function: called }],
    });
    const { results } = JSON.parse((await runner.finalContent()) ?? "{}");
    expect(results).toEqual(["seen 1", "seen 2", "seen 3"]);
    expect(warm).toEqual(["false", "true", "true"]);
    expect(made).toEqual([
      { place: "Oslo", floor: 2.5 },
      { place: "Moß “x”", floor: 1 },
      { place: "attic", floor: 1 },
    ]);
  });
});

describe("structured output", () => {
  const Boat = z.object({ name: z.string(), length: z.number() });

  it("parse of the official client gets a value that matches its schema", async () => {
    const object = { name: "Fram", length: 39 };
    const made: Play = [{ events: [{ type: "object-delta", object }] }, { end: { finish: "stop" } }];
    const { openai, calls: starts } = await openPlayed([made]);
    const parsed = await openai.chat.completions.parse({
      model: "plain",
      messages: [user("Which boat?")],
      response_format: zodResponseFormat(Boat, "boat"),
    });
    expect(parsed.choices[0]?.message.parsed).toEqual(object);
    expect(starts()[0]?.told.outputSchema).toMatchObject({ type: "object", required: ["name", "length"] });
  });

  it("json_object asks for an object with any fields", async () => {
    const made: Play = [{ events: [{ type: "object-delta", object: { any: 1 } }] }, { end: { finish: "stop" } }];
    const { openai, calls: starts } = await openPlayed([made]);
    const format = { type: "json_object" } as const;
    const { choices } = await openai.chat.completions.create({
      model: "plain",
      messages: [user("JSON")],
      response_format: format,
    });
    expect(choices[0]?.message.content).toBe('{"any":1}');
    expect(starts()[0]?.told.outputSchema).toEqual({ type: "object" });
  });
});
