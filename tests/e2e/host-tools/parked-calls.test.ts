import { expect, it } from "vitest";
import type { Message } from "../../../src/spec/message.ts";
import type { RunRequest } from "../../../src/spec/request.ts";
import {
  calling,
  callingWith,
  LOOK,
  type NativeClient,
  openNativeClient,
  withResults,
} from "../../support/clis/native-client.ts";

const CONTINUED = [{ transport: "spawn", warm: true }];
const ANEW = [{ transport: "spawn", warm: false }];

const START: readonly Message[] = [{ role: "user", text: calling([{ place: "door" }], [{ place: "hall" }, { place: "yard" }]) }];

/** Makes the first run; returns the conversation with its results. */
async function firstStep({ run }: NativeClient, request: Partial<RunRequest> = {}): Promise<readonly Message[]> {
  const { result } = await run({ messages: START, ...request });
  expect(result).toMatchObject({ finish: "tool-calls", hostCalls: [{ name: "look", args: { place: "door", floor: 1 } }] });
  return withResults(START, result);
}

it("a loop of the caller goes on in one process, with the usage of each step, and leaves nothing", async () => {
  const native = openNativeClient();
  const messages = await firstStep(native);
  const second = await native.run({ messages });
  expect(second.attempts).toEqual(CONTINUED);
  expect(second.result).toMatchObject({ finish: "tool-calls", usage: { inputTokens: 10, outputTokens: 5 }, model: "test-model" });
  const third = await native.run({ messages: withResults(messages, second.result) });
  expect(third.attempts).toEqual(CONTINUED);
  expect(third.result).toMatchObject({ finish: "stop", usage: { inputTokens: 10, outputTokens: 5 } });
  expect(JSON.parse(third.result.text).results).toEqual([
    'seen: {"place":"door","floor":1}',
    'seen: {"place":"hall","floor":1}',
    'seen: {"place":"yard","floor":1}',
  ]);
  await native.untilLeft(0);
});

it("a rebuilt message with its keys in another order is the same conversation", async () => {
  const native = openNativeClient();
  const [user, answer, result] = await firstStep(native);
  const rebuilt = Object.fromEntries(Object.entries(answer ?? {}).toReversed()) as Message;
  expect((await native.run({ messages: [user, rebuilt, result] as Message[] })).attempts).toEqual(CONTINUED);
});

const other = (text: string): Message => ({ role: "user", text });
it.each<[string, (messages: readonly Message[]) => Partial<RunRequest>]>([
  ["one character of the first message", ([first, ...rest]) => ({ messages: [other(`${first?.text} `), ...rest] })],
  ["a message after the results", (messages) => ({ messages: [...messages, other("And now?")] })],
  [
    "the id of a result",
    ([user, answer]) => ({ messages: [user, answer, { role: "tool", callId: "else", text: "x" }] as Message[] }),
  ],
  ["a second result for a call", (messages) => ({ messages: [...messages, messages.at(-1) as Message] })],
  ["the arguments of the call", ([user, answer, result]) => ({ messages: [user, withPlace(answer), result] as Message[] })],
  ["the system prompt", (messages) => ({ messages, system: "Be brief." })],
  ["the tools", (messages) => ({ messages, tools: [LOOK, { ...LOOK, name: "listen" }] })],
])("a conversation that differs in %s begins a process of its own", async (_what, change) => {
  const native = openNativeClient();
  const { attempts, result } = await native.run(change(await firstStep(native)));
  expect(attempts).toEqual(ANEW);
  expect(JSON.parse(result.text).results).toEqual([]);
});

function withPlace(answer: Message | undefined): Message {
  const [call] = answer?.role === "assistant" ? (answer.toolCalls ?? []) : [];
  return { ...answer, toolCalls: [{ ...call, args: { place: "gate" } }] } as Message;
}

it("the results of a step are taken once; the same request again begins a process of its own", async () => {
  const native = openNativeClient();
  const messages = await firstStep(native);
  expect((await native.run({ messages })).attempts).toEqual(CONTINUED);
  expect((await native.run({ messages })).attempts).toEqual(ANEW);
});

it("loops at the same time keep to their own processes", async () => {
  const native = openNativeClient();
  const loops = await Promise.all([1, 2, 3].map(() => firstStep(native)));
  const pids = await Promise.all(
    loops.map(async (messages) => {
      const second = await native.run({ messages });
      const third = await native.run({ messages: withResults(messages, second.result) });
      expect([second.attempts, third.attempts]).toEqual([CONTINUED, CONTINUED]);
      return JSON.parse(third.result.text).pid;
    }),
  );
  expect(new Set(pids).size).toBe(3);
});

it("a turn that is not continued in time is interrupted, and its model is not asked again", async () => {
  const native = openNativeClient({ parkedMs: 100 });
  const messages = await firstStep(native);
  await native.untilLeft(0);
  expect(native.notes()).toEqual(["answer", "interrupted"]);
  expect((await native.run({ messages })).attempts).toEqual(ANEW);
});

it("the oldest turn ends when there are too many", async () => {
  const native = openNativeClient({ parked: 1, processes: 0 });
  const [first, second] = [await firstStep(native), await firstStep(native, { system: "Be brief." })];
  await native.untilLeft(1);
  expect((await native.run({ messages: first })).attempts).toEqual(ANEW);
  expect((await native.run({ messages: second, system: "Be brief." })).attempts).toEqual(CONTINUED);
});

it.each([
  ["keeps no processes", false],
  ["parks no turns", { parked: 0 }],
] as const)("a client that %s sends the tools by text", async (_what, warm) => {
  const { client, run } = openNativeClient(warm);
  const { result } = await run({ messages: START, hostTools: "native" });
  expect(result.failure).toMatchObject({ code: "option-unsupported", message: expect.stringContaining("keeps no") });
  const plan = client.plan("bad", { messages: START, tools: [LOOK] });
  expect("plan" in plan && plan.plan.stdin.text).toContain("[Available Tools]");
});

it("closing the client interrupts its parked turns and ends their processes", async () => {
  const native = openNativeClient();
  await firstStep(native);
  await native.client.close();
  await native.untilLeft(0);
  expect(native.notes().filter((note) => note === "answer")).toHaveLength(1);
});

it("a lost process is replaced: another one, which the plan has shown before, gets the whole conversation", async () => {
  const native = openNativeClient();
  const messages = await firstStep(native);
  const plan = () => native.client.plan("bad", { messages, tools: [LOOK] });
  const planned = plan();
  expect(planned).toMatchObject({ plan: ANEW[0] });
  const [call] = messages[1]?.role === "assistant" ? (messages[1].toolCalls ?? []) : [];
  process.kill(Number(call?.id.split("_")[1]), "SIGKILL");
  await native.untilLeft(0);
  expect(plan()).toEqual(planned);
  const { attempts, result } = await native.run({ messages });
  // The process has ended, but the client may hear of it only when it writes to it; then that attempt comes first.
  expect(attempts.slice(-1)).toEqual(ANEW);
  expect(JSON.parse(result.text).results).toEqual([]);
});

it("a call with wrong arguments goes back to the model once, and no call of that answer is made", async () => {
  const native = openNativeClient();
  const prompt = calling([{ floor: 3 }, { place: "hall" }], [{ place: "yard" }]);
  const { result, events, attempts } = await native.run({ prompt });
  expect(attempts).toEqual([...ANEW, ...CONTINUED]);
  expect(result).toMatchObject({ finish: "tool-calls", hostCalls: [{ args: { place: "yard", floor: 1 } }] });
  expect(result.warnings).toMatchObject([{ code: "tool-call-corrected", message: expect.stringContaining("place") }]);
  const ended = events.flatMap((event) => (event.type === "tool-end" ? [event.isError] : []));
  expect(ended).toEqual([true, true]);
});

it.each([
  ["fails", undefined, { failure: { code: "tool-call-unreadable" }, finish: "error" }],
  [
    "returns the call, which must not be made",
    "return",
    { finish: "tool-calls", invalidCalls: [{ name: "look", args: { floor: 4 } }] },
  ],
] as const)("a run whose corrected call is wrong again %s", async (_what, invalidCalls, expected) => {
  const native = openNativeClient();
  const prompt = calling([{ floor: 3 }], [{ floor: 4 }]);
  const { result } = await native.run({ prompt, ...(invalidCalls !== undefined && { invalidCalls }) });
  expect(result).toMatchObject(expected);
  expect(result).not.toHaveProperty("hostCalls");
  await native.untilLeft(0);
});

it("an answer that is not streamed is parked when the CLI asks for the results", async () => {
  const native = openNativeClient();
  const messages: readonly Message[] = [{ role: "user", text: `{"streams":false,${calling([{ place: "door" }]).slice(1)}` }];
  const { result } = await native.run({ messages });
  expect(result).toMatchObject({ finish: "tool-calls", hostCalls: [{ args: { place: "door", floor: 1 } }] });
  expect((await native.run({ messages: withResults(messages, result) })).attempts).toEqual(CONTINUED);
});

it("an answer of several texts is continued with the last of them and with all of them joined", async () => {
  const messages: readonly Message[] = [
    { role: "user", text: `{"says":["One.","Two."],${calling([{ place: "door" }]).slice(1)}` },
  ];
  for (const text of ["Two.", "One.\n\nTwo."]) {
    const native = openNativeClient();
    const { result } = await native.run({ messages });
    expect(result.text).toBe("Two.");
    expect((await native.run({ messages: withResults(messages, { ...result, text }) })).attempts).toEqual(CONTINUED);
  }
});

it("a run that is aborted before it continues a turn is cancelled, and the turn ends without another answer", async () => {
  const native = openNativeClient({ processes: 0 });
  const messages = await firstStep(native);
  const { result } = await native.run({ messages }, { signal: AbortSignal.abort() });
  expect(result.finish).toBe("cancelled");
  const abort = new AbortController();
  const again = native.run({ messages }, { signal: abort.signal });
  abort.abort();
  expect((await again).result.finish).toBe("cancelled");
  await native.untilLeft(0);
  expect(native.notes()).toEqual(["answer", "interrupted"]);
});

it("a budget that is spent by a wrong call ends the run without a correction and without calls", async () => {
  const native = openNativeClient({ processes: 0 });
  const { result, attempts } = await native.run({ prompt: calling([{ floor: 3 }], [{ place: "yard" }]), budget: { tokens: 1 } });
  expect(result).toMatchObject({ failure: { code: "budget-spent" } });
  expect(result).not.toHaveProperty("hostCalls");
  expect(attempts).toEqual(ANEW);
  await native.untilLeft(0);
});

it("the cost of a loop that is given up counts for the budget of the client", async () => {
  const native = openNativeClient({ parkedMs: 100 }, { budget: { usd: 0.4 } });
  await firstStep(native);
  await native.untilLeft(0);
  expect((await native.run({ messages: START })).result.failure).toMatchObject({
    code: "budget-spent",
    message: "The budget of this client of $0.4 is used up ($0.5000).",
  });
});

it("a backend that uses the ids of its calls again is understood", async () => {
  const prompt = callingWith({ sameIds: true }, [{ place: "door" }], [{ place: "hall" }]);
  const native = openNativeClient();
  const made: unknown[] = [];
  const { result } = await native.run({ prompt }, { callTool: ({ args }) => made.push(args["place"]) });
  expect([made, result.toolCalls.length]).toEqual([["door", "hall"], 2]);
  const start: readonly Message[] = [{ role: "user", text: prompt }];
  const first = await native.run({ messages: start });
  const messages = withResults(start, first.result);
  const second = await native.run({ messages });
  expect(second.result).toMatchObject({ finish: "tool-calls", hostCalls: [{ args: { place: "hall" } }] });
  const last = await native.run({ messages: withResults(messages, second.result) });
  expect(last).toMatchObject({ attempts: CONTINUED, result: { finish: "stop" } });
});
