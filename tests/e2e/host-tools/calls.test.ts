import { expect, it } from "vitest";
import { CLOCK, callBlock, charactersOf, OSLO, WEATHER } from "../../support/clis/call-blocks.ts";
import { openCli } from "../../support/clis/open-cli.ts";
import { answers, emit, FOREVER, USAGE } from "../../support/clis/plays.ts";
import { createClientInScope } from "../../support/clis/rehearsal-client.ts";
import { expectCalls, shownMessages } from "../../support/runs/host-calls.ts";
import { eventsOf, finishRun } from "../../support/runs/read-run.ts";
import { expectAnswer, expectNothingLeft } from "../../support/runs/run-expectations.ts";

const tools = [WEATHER, CLOCK];
const messages = [{ role: "user", text: "What is the weather in Oslo?" }] as const;

it("a call comes back as an event of the host and in the result, and ends the run with tool-calls", async () => {
  const run = await openCli([answers(OSLO)]).finish({ messages, tools });
  const result = await expectCalls(run);
  expect(result.hostCalls).toEqual([{ id: "call_1", name: "get_weather", args: { city: "Oslo" } }]);
  expect(result).toMatchObject({ text: "", usage: USAGE, warnings: [] });
  expect(shownMessages(run.events)).toEqual([]);
  await expectNothingLeft(run.runId);
});

it("the text outside the blocks is shown and is the text of the result", async () => {
  const text = `I will look.\n\n${OSLO}\n\nOne moment.\n\n${callBlock({ name: "now", id: "call_2" })}\n`;
  const run = await openCli([answers(text, { pieces: charactersOf(text) })]).finish({ messages, tools });
  const result = await expectCalls(run);
  expect(result.text).toBe("I will look.\n\nOne moment.");
  expect(result.hostCalls?.map(({ name }) => name)).toEqual(["get_weather", "now"]);
  expect(shownMessages(run.events)).toEqual(["I will look.\n\nOne moment."]);
  const answerIds = eventsOf(run.events, "text-delta").map(({ messageId }) => messageId);
  expect(new Set(answerIds)).toEqual(new Set([run.end.answerId]));
});

it("each message that was shown is ended once, before the calls", async () => {
  const run = await openCli([answers(`I will look.\n\n${OSLO}`)]).finish({ messages, tools });
  const types = run.events.map(({ type }) => type);
  expect(types.filter((type) => type === "text-end")).toHaveLength(1);
  expect(types.indexOf("text-end")).toBeGreaterThan(types.lastIndexOf("text-delta"));
  expect(types.indexOf("tool-call")).toBeGreaterThan(types.indexOf("text-end"));
});

it("text outside the blocks is shown while the CLI is still speaking", async () => {
  const cli = openCli([answers("", { pieces: ["I will look.\n\n", "```json\n"], after: [FOREVER] })]);
  let shown = "";
  for await (const event of cli.run({ messages, tools })) {
    if (event.type === "text-delta") shown += event.text;
    if (shown === "I will look.") break;
  }
  expect(shown).toBe("I will look.");
  await cli.untilQuiet();
});

it("an answer without a call is shown while the CLI is still speaking", async () => {
  const cli = openCli([answers("", { pieces: ["It is ", "cold ", "in Oslo. "], after: [FOREVER] })]);
  let shown = "";
  for await (const event of cli.run({ messages, tools })) {
    if (event.type === "text-delta") shown += event.text;
    if (shown === "It is cold in Oslo.") break;
  }
  expect(shown).toBe("It is cold in Oslo.");
  await cli.untilQuiet();
});

it("two equal calls are two calls with different ids, and ids of the conversation are not used again", async () => {
  const earlier = { id: "call_1", name: "get_weather", args: { city: "Bergen" } };
  const call = { name: "get_weather", args: { city: "Oslo" }, id: "call_1" };
  const run = await openCli([answers(callBlock(call, call))]).finish({
    messages: [
      { role: "user", text: "And in Bergen?" },
      { role: "assistant", text: "", toolCalls: [earlier] },
      { role: "tool", callId: "call_1", text: "7 degrees" },
      ...messages,
    ],
    tools,
  });
  const { hostCalls = [] } = await expectCalls(run);
  expect(hostCalls.map(({ name, args }) => ({ name, args }))).toEqual([
    { name: "get_weather", args: { city: "Oslo" } },
    { name: "get_weather", args: { city: "Oslo" } },
  ]);
  expect(new Set(["call_1", ...hostCalls.map(({ id }) => id)]).size).toBe(3);
});

it("an answer without a call is the answer, with white space at its ends removed and no host calls", async () => {
  const text = 'Look: `{"tool_calls":[]}` is how one calls nothing.';
  const run = await openCli([answers(`\n${text}\n\n`)]).finish({ messages, tools });
  await expectAnswer(run, text);
  expect((await run.stream.result()).hostCalls ?? []).toEqual([]);
  expect(eventsOf(run.events, "tool-call")).toEqual([]);
});

it("without tools an envelope is text, to the last byte", async () => {
  const text = `\n ${OSLO}\n\n`;
  await expectAnswer(await openCli([answers(text)]).finish({ messages }), text);
});

it("an empty list of tools is the same as none", async () => {
  const cli = openCli([answers(OSLO)]);
  await expectAnswer(await cli.finish({ messages, tools: [] }), OSLO);
  expect((await cli.calls())[0]?.prompt).toBe(messages[0].text);
});

it("other events of the CLI are delivered beside a call", async () => {
  const before = [
    emit({ type: "reasoning-delta", messageId: "thought", text: "The tool knows." }),
    emit({ type: "warning", code: "model-fallback", message: "Another model answers." }),
    { do: "write", text: "not JSON\n" } as const,
  ];
  const run = await openCli([answers(OSLO, { before, costUsd: 0.25 })]).finish({ messages, tools });
  const result = await expectCalls(run);
  expect(eventsOf(run.events, "reasoning-delta")).toMatchObject([{ text: "The tool knows." }]);
  expect(eventsOf(run.events, "native")).toMatchObject([{ text: "not JSON" }]);
  expect(result.warnings).toEqual([{ code: "model-fallback", message: "Another model answers." }]);
  expect(result).toMatchObject({ costUsd: 0.25, model: "played" });
});

it("commentary before the answer stays a message of its own", async () => {
  const before = [
    emit({ type: "text-delta", messageId: "first", text: "Thinking aloud." }),
    emit({ type: "text-end", messageId: "first" }),
  ];
  const run = await openCli([answers(`I will look.\n\n${OSLO}`, { before, messageId: "second" })]).finish({ messages, tools });
  const result = await expectCalls(run);
  expect(shownMessages(run.events)).toEqual(["Thinking aloud.", "I will look."]);
  expect(result.text).toBe("I will look.");
});

it("a call in a message that the CLI reset is not returned", async () => {
  const before = [
    emit({ type: "text-delta", messageId: "first", text: `I will look.\n\n${OSLO}` }),
    emit({ type: "text-reset", messageId: "first" }),
  ];
  const run = await openCli([answers("It is cold.", { before, messageId: "second" })]).finish({ messages, tools });
  await expectAnswer(run, "It is cold.");
  expect(shownMessages(run.events)).toEqual(["It is cold."]);
});

it("the built-in CLI calls a tool, gets its result and says it", async () => {
  const client = createClientInScope();
  const question = { role: "user", text: "Ask get_weather, please." } as const;
  const asked = await expectCalls(await finishRun(client.run("rehearsal/tool-caller", { messages: [question], tools })));
  expect(asked.hostCalls).toMatchObject([{ name: "get_weather", args: { city: "city" } }]);
  const { text, hostCalls: toolCalls = [] } = asked;
  const result = { role: "tool", callId: toolCalls[0]?.id ?? "", text: "3 degrees & <rain>" } as const;
  const thread = [question, { role: "assistant", text, toolCalls } as const, result];
  const run = await finishRun(client.run("rehearsal/tool-caller", { messages: thread, tools }));
  await expectAnswer(run, "The tool said: 3 degrees & <rain>");
});
