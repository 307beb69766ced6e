import { expect, it } from "vitest";
import type { Message } from "../../../src/spec/message.ts";
import type { RunRequest } from "../../../src/spec/request.ts";
import { calling, openNativeClient, withResults } from "../../support/clis/native-client.ts";
import { signalProcess } from "../../support/processes/signal-process.ts";
import { openChat, user } from "./conversation-run.ts";

const CONTINUED = [{ transport: "spawn", warm: true }];
const ANEW = [{ transport: "spawn", warm: false }];
const WEATHER_PICTURE = { mediaType: "image/png", data: "iVBORw0KGgo=" };

it("the third message goes to the process that has answered the second, as the next event of its thread", async () => {
  const { say, begin, untilLeft } = openChat();
  const second = await begin({ system: "Be brief." });
  expect(second).toMatchObject({ attempts: ANEW, memory: { prompts: [expect.stringContaining("<thread>")] } });
  const third = await say([...second.messages, user("three </event>")], { system: "Be brief." });
  expect(third.attempts).toEqual(CONTINUED);
  expect(third.memory).toEqual({
    ...second.memory,
    prompts: [
      ...(second.memory?.prompts ?? []),
      '<thread>\n  <event type="human" id="4" iteration="0">three &lt;/event&gt;</event>\n</thread>',
    ],
  });
  expect(third.result).toMatchObject({ finish: "stop", model: "test-model", usage: { inputTokens: 1, outputTokens: 1 } });
  expect(third.result.usage).toEqual(second.result.usage);
  await untilLeft(1);
});

it("once a conversation went on, the next one with the same settings goes on from its first message, word for word", async () => {
  const { say, begin } = openChat();
  await begin();
  const first = await say([user("one")]);
  const second = await say([...first.messages, user("/two @three")]);
  const third = await say([...second.messages, { role: "user", text: "three", images: [WEATHER_PICTURE] }]);
  expect([first.attempts, second.attempts, third.attempts]).toEqual([ANEW, CONTINUED, CONTINUED]);
  expect(second.memory).toEqual({ ...first.memory, prompts: ["one", "/two @three"] });
  expect(third.memory?.pid).toBe(first.memory?.pid);
});

it("lone questions leave no process, and neither does a client that keeps no conversations", async () => {
  const lone = openChat();
  await lone.say([user("one")]);
  await lone.say([user("two")]);
  await lone.untilLeft(0);
  const off = openChat({ conversations: 0 });
  const second = await off.begin();
  await off.untilLeft(0);
  expect((await off.say([...second.messages, user("three")])).attempts).toEqual(ANEW);
});

const next = (messages: readonly Message[]): readonly Message[] => [...messages, user("three")];
const withText = (messages: readonly Message[], index: number, text: (old: string) => string): readonly Message[] =>
  messages.map((message, at) => (at === index ? { ...message, text: text(message.text) } : message));

it.each<[string, (messages: readonly Message[]) => Partial<RunRequest> & { messages: readonly Message[] }]>([
  ["one character of the first message", (said) => ({ messages: next(withText(said, 0, (old) => `${old} `)) })],
  ["one character of the last answer", (said) => ({ messages: next(withText(said, 3, (old) => `${old} `)) })],
  ["a missing message", (said) => ({ messages: next(said.slice(2)) })],
  ["the system prompt", (said) => ({ messages: next(said), system: "Be brief." })],
  ["the model's settings", (said) => ({ messages: next(said), maxOutputTokens: 7 })],
  ["two new messages", (said) => ({ messages: [...next(said), user("four")] })],
  ["a new message of a named speaker", (said) => ({ messages: [...said, { ...user("three"), name: "Ada" }] })],
  ["the encoding of its thread", (said) => ({ messages: next(said), threadEncoding: "xml" })],
  ["a schema", (said) => ({ messages: next(said), outputSchema: { type: "object" } })],
])("a conversation that differs in %s is sent as a whole to another process", async (_what, change) => {
  const { say, begin } = openChat();
  const second = await begin();
  const { messages, ...request } = change(second.messages);
  const other = await say(messages, request);
  expect(other.attempts.every(({ warm }) => !warm)).toBe(true);
  expect(other.memory?.pid).not.toBe(second.memory?.pid);
  expect(other.memory?.prompts).toHaveLength(1);
  // The conversation itself still waits.
  expect((await say(next(second.messages))).attempts).toEqual(CONTINUED);
});

it("a message is taken once: the same request again and a fork of the conversation go to other processes", async () => {
  const { say, begin } = openChat();
  const second = await begin();
  const third = await say(next(second.messages));
  const [again, fork] = [await say(next(second.messages)), await say([...second.messages, user("three, or not")])];
  expect([third.attempts, again.attempts, fork.attempts]).toEqual([CONTINUED, ANEW, ANEW]);
  for (const { memory } of [again, fork]) expect(memory?.prompts).toHaveLength(1);
});

it("conversations at the same time keep to their own processes", async () => {
  const { say, begin } = openChat({ conversations: 8 });
  await begin();
  const chats = await Promise.all(["a", "b", "c"].map((word) => say([user(word)])));
  const seconds = await Promise.all(chats.map(({ messages }, index) => say([...messages, user(`more ${index}`)])));
  for (const [index, { attempts, memory }] of seconds.entries()) {
    expect(attempts).toEqual(CONTINUED);
    expect(memory).toEqual({ ...chats[index]?.memory, prompts: [["a", "b", "c"][index], `more ${index}`] });
  }
});

it("a conversation that does not go on in time ends with its process", async () => {
  const { say, begin, untilLeft } = openChat({ conversationMs: 100 });
  const second = await begin();
  await untilLeft(0);
  expect((await say(next(second.messages))).attempts).toEqual(ANEW);
});

it("the oldest conversation ends when there are too many, and all end when their memory is too large", async () => {
  const { say, begin, untilLeft } = openChat({ conversations: 1 });
  const [old, young] = [await begin(), await begin({ system: "Be brief." })];
  await untilLeft(1);
  expect((await say(next(old.messages))).attempts).toEqual(ANEW);
  expect((await say(next(young.messages), { system: "Be brief." })).attempts).toEqual(ANEW);
  for (const bound of ["processBytes", "totalBytes"]) {
    const small = openChat({ [bound]: 1 });
    await small.begin();
    await small.untilLeft(0);
  }
});

it("a lost process is replaced before anything is shown: another one gets the whole conversation", async () => {
  const { say, begin, untilLeft } = openChat();
  const second = await begin();
  signalProcess(second.memory?.pid, "SIGKILL");
  await untilLeft(0);
  expect((await say(next(second.messages))).attempts).toEqual(ANEW);
  const chat = openChat();
  const waiting = await chat.begin();
  expect(await chat.say([...waiting.messages, user("die")])).toMatchObject({
    attempts: [...CONTINUED, ...ANEW],
    memory: { prompts: [expect.stringContaining("die")] },
  });
});

it("after a failure the conversation is not continued, and its next request is sent as a whole", async () => {
  const { say, begin, untilLeft } = openChat();
  await begin();
  const first = await say([user("one")]);
  const failed = await say([...first.messages, user("fail")]);
  expect(failed).toMatchObject({ attempts: CONTINUED, result: { failure: { category: "server" } } });
  await untilLeft(1);
  expect((await say([...first.messages, user("two")])).attempts).toEqual(ANEW);
});

it("an abort before and during a continued turn cancels the run, and its conversation is not continued", async () => {
  const { say, begin } = openChat();
  const second = await begin();
  const early = await say(next(second.messages), {}, { signal: AbortSignal.abort() });
  expect(early.result.finish).toBe("cancelled");
  const first = await say([user("one")]);
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 300);
  const late = await say([...first.messages, user("hang")], {}, { signal: abort.signal });
  expect(late).toMatchObject({ attempts: CONTINUED, result: { finish: "cancelled" } });
  expect((await say([...first.messages, user("two")])).attempts).toEqual(ANEW);
});

it("a replaced login counts: the process of the old one takes no further message", async () => {
  const { say, begin, replaceLogin } = openChat();
  const second = await begin();
  replaceLogin();
  const third = await say(next(second.messages));
  expect(third.attempts).toEqual(ANEW);
  expect(third.memory?.pid).not.toBe(second.memory?.pid);
});

it("closing the client ends the processes of its conversations", async () => {
  const { client, begin, untilLeft } = openChat();
  await begin();
  await untilLeft(1);
  await client.close();
  await untilLeft(0);
});

it("processes of conversations take no place of those that wait for new ones", async () => {
  const { say, begin, client } = openChat({ processes: 1, conversations: 3 });
  await begin();
  const pids = new Set<number | undefined>();
  for (const word of ["a", "b", "c"]) {
    await expect.poll(() => client.warmProcesses().some(({ turns }) => turns === 0), { timeout: 10_000 }).toBe(true);
    const first = await say([user(word)]);
    expect(first.attempts).toEqual([{ transport: "resident", warm: true }]);
    pids.add(first.memory?.pid);
  }
  expect(pids.size).toBe(3);
});

it("a conversation with calls, results, an answer and a next message goes on in one process", async () => {
  const native = openNativeClient({ processes: 0 });
  const start: readonly Message[] = [user(calling([{ place: "door" }]))];
  const loop = async (messages: readonly Message[]): Promise<readonly Message[]> => {
    const first = await native.run({ messages });
    const results = withResults(messages, first.result);
    const { result } = await native.run({ messages: results });
    return [...results, { role: "assistant", text: result.text }];
  };
  // The first conversation shows that conversations with these settings go on.
  await native.run({ messages: [...(await loop(start)), user("Go on.")] });
  const answered = await loop(start);
  const asked = [...answered, user(calling([{ place: "hall" }]))];
  const called = await native.run({ messages: asked });
  expect([called.attempts, called.result.finish]).toEqual([CONTINUED, "tool-calls"]);
  const last = await native.run({ messages: withResults(asked, called.result) });
  expect(last.attempts).toEqual(CONTINUED);
  expect(JSON.parse(last.result.text)).toEqual({
    pid: JSON.parse(answered.at(-1)?.text ?? "").pid,
    results: ['seen: {"place":"door","floor":1}', 'seen: {"place":"hall","floor":1}'],
  });
  expect(last.result.usage).toMatchObject({ inputTokens: 10, outputTokens: 5 });
});
