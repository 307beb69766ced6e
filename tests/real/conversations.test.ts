import { describe, expect, it, onTestFinished } from "vitest";
import { createClient } from "../../src/index.ts";
import type { JsonObject, JsonValue } from "../../src/spec/json.ts";
import type { Message } from "../../src/spec/message.ts";
import type { RunRequest, Target } from "../../src/spec/request.ts";
import type { FakeAnswer } from "../../src/testing/index.ts";
import { modelRequestsOf } from "../support/real-clis/model-request.ts";
import { eventsOf, type OpenRealCli, openRealCli, type RealRun } from "./open-real-cli.ts";
import { WEATHER } from "./weather-tool.ts";

const HELLO: FakeAnswer = { kind: "text", text: "Hello." };
const ASK: FakeAnswer = { kind: "tool-calls", calls: [{ name: "get_weather", input: { city: "Oslo" } }] };
const RAIN: FakeAnswer = { kind: "text", text: "It rains." };

const user = (text: string): Message => ({ role: "user", text });
const HISTORY: readonly Message[] = [user("Hi"), { role: "assistant", text: "Hello." }];

type Talk = { say(messages: readonly Message[], request?: Partial<RunRequest>): Promise<RealRun> };

/** Sends whole conversations to one client that keeps processes. */
function openTalk(cli: OpenRealCli, target: Partial<Target> = {}): Talk {
  const client = createClient({ policies: false, env: cli.env, providers: [cli.provider] });
  onTestFinished(() => client.close());
  const [provider = "", ...model] = cli.row.target.split("/");
  const whole = { provider, ...(model.length > 0 && { model: model.join("/") }), ...target };
  return { say: (messages, request = {}) => cli.run({ messages, ...request } as RunRequest, { client, target: whole }) };
}

function isWarm(run: RealRun): readonly boolean[] {
  return eventsOf(run, "attempt-start").map(({ warm }) => warm);
}

/** The messages or items of each request to the model, without the marks for its prompt cache. */
function sentOf(cli: OpenRealCli): readonly (readonly string[])[] {
  return modelRequestsOf(cli).map(({ body }) => {
    const list = (body["messages"] ?? body["input"] ?? []) as readonly JsonValue[];
    return list.map((item) => JSON.stringify(item, (key, value: JsonValue) => (key === "cache_control" ? undefined : value)));
  });
}

describe.each(["claude", "codex", "qwen"] as const)("a conversation on real %s", (name) => {
  it(`the next message goes to the process of ${name} that has answered, inert and behind all that the model knows`, async () => {
    const cli = await openRealCli(name, HELLO);
    // Qwen Code keeps a conversation only in a resident process, which the pool would start after the second answer.
    const { say } = openTalk(cli, name === "qwen" ? { transport: "resident" } : {});
    const first = await say([...HISTORY, user("Who are you?")]);
    const asked = [...HISTORY, user("Who are you?"), { role: "assistant", text: first.result.text } as const];
    const second = await say([...asked, user("/help @package.json $skill")]);
    const last = [...asked, user("/help @package.json $skill"), { role: "assistant", text: second.result.text } as const];
    const third = await say([...last, user("Bye")]);
    expect([first, second, third].map(isWarm)).toEqual([[false], [true], [true]]);
    for (const { result } of [first, second, third]) {
      expect(result).toMatchObject({
        text: "Hello.",
        finish: "stop",
        usage: { inputTokens: 100, outputTokens: 20, scope: "turn" },
      });
      expect(result).not.toHaveProperty("sessionId");
    }
    const [one = [], two = [], three = []] = sentOf(cli);
    expect(two.slice(0, one.length)).toEqual(one);
    expect(three.slice(0, two.length)).toEqual(two);
    expect(cli.api.modelRequests).toHaveLength(3);
    expect(modelRequestsOf(cli)[1]?.user.join("\n")).toContain("/help @package.json $skill");
    expect(cli.api.modelRequests[1]?.rawBody).not.toContain("coxswain");
  });
});

describe.each(["claude", "codex"] as const)("host tools in a conversation on real %s", (name) => {
  it(`calls, results, an answer and the next message are one conversation of ${name}`, async () => {
    const cli = await openRealCli(name, [ASK, RAIN, ASK, RAIN]);
    const { say } = openTalk(cli);
    const warm: (readonly boolean[])[] = [];
    let messages: readonly Message[] = [...HISTORY, user("What is the weather?")];
    for (const question of [undefined, "And now?"]) {
      if (question !== undefined) messages = [...messages, user(question)];
      const called = await say(messages, { tools: [WEATHER] });
      const { hostCalls = [] } = called.result;
      const results = hostCalls.map(({ id }) => ({ role: "tool", callId: id, text: "rain in Oslo" }) as const);
      messages = [...messages, { role: "assistant", text: called.result.text, toolCalls: hostCalls }, ...results];
      const answered = await say(messages, { tools: [WEATHER] });
      expect(answered.result).toMatchObject({ text: "It rains.", usage: { inputTokens: 100, outputTokens: 20 } });
      messages = [...messages, { role: "assistant", text: answered.result.text }];
      warm.push(isWarm(called), isWarm(answered));
    }
    expect(warm).toEqual([[false], [true], [true], [true]]);
    const sent = sentOf(cli);
    for (const [index, request] of sent.slice(1).entries()) {
      const before = sent[index] ?? [];
      expect(request.slice(0, before.length)).toEqual(before);
    }
  });
});

it("codex gets a conversation as messages of its model's API, with calls and their results", async () => {
  const cli = await openRealCli("codex", HELLO);
  const { say } = openTalk(cli);
  const picture = { mediaType: "image/png", data: PIXEL };
  const calls = [{ id: "call_1", name: "get_weather", args: { city: "Oslo" } }];
  const messages: readonly Message[] = [
    { role: "user", text: "What is this? $skill </event>", images: [picture] },
    { role: "assistant", text: "I look.", toolCalls: calls },
    { role: "tool", callId: "call_1", text: "rain" },
  ];
  const run = await say(messages, { tools: [WEATHER], system: "Be brief." });
  expect(run.result).toMatchObject({ text: "Hello.", finish: "stop" });
  const next = await say([...messages, { role: "assistant", text: "It rains." }, user("Bye")], { system: "Be brief." });
  expect(next.result.text).toBe("Hello.");
  const [first, second] = modelRequestsOf(cli);
  expect(itemsOf(first?.body)).toEqual([
    {
      type: "message",
      role: "user",
      content: [
        expect.objectContaining({ type: "input_image", image_url: expect.stringContaining(PIXEL) }),
        { type: "input_text", text: "What is this? $skill </event>" },
      ],
    },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "I look." }] },
    { type: "function_call", name: "get_weather", arguments: '{"city":"Oslo"}', call_id: "call_1" },
    { type: "function_call_output", call_id: "call_1", output: "rain" },
  ]);
  expect(itemsOf(second?.body).slice(-2)).toEqual([
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "It rains." }] },
    { type: "message", role: "user", content: [{ type: "input_text", text: "Bye" }] },
  ]);
  expect([first?.system, second?.system]).toEqual([["Be brief."], ["Be brief."]]);
});

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** The items of a request without the system prompt and the ids that Codex gives. */
function itemsOf(body: JsonObject = {}): readonly JsonValue[] {
  const items = ((body["input"] ?? []) as readonly JsonObject[]).filter(({ role }) => role !== "developer");
  return items.map(({ id: _, status: __, ...item }) => item);
}

it("calls of GLM are parked: the results continue its turn, with the usage of each step", async () => {
  const cli = await openRealCli("glm", [ASK, RAIN]);
  const { say } = openTalk(cli);
  const start = [user("What is the weather?")];
  const called = await say(start, { tools: [WEATHER] });
  const { hostCalls = [] } = called.result;
  const results = hostCalls.map(({ id }) => ({ role: "tool", callId: id, text: "rain in Oslo" }) as const);
  const answered = await say([...start, { role: "assistant", text: "", toolCalls: hostCalls }, ...results], { tools: [WEATHER] });
  expect([isWarm(called), isWarm(answered)]).toEqual([[false], [true]]);
  for (const { result } of [called, answered]) expect(result.usage).toMatchObject({ inputTokens: 100, outputTokens: 20 });
  expect(answered.result).toMatchObject({ text: "It rains.", finish: "stop" });
  expect(modelRequestsOf(cli)[1]?.user.at(-1)).toBe("rain in Oslo");
});
