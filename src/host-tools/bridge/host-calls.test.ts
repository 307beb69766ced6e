import { expect, it, vi } from "vitest";
import { type Answer, HostCalls, toToolList } from "./host-calls.ts";

const FIRST = { client: "a", id: "3", name: "act", args: { on: 1 } };

it("a delivery with the id and the content of an earlier one gets its result", async () => {
  const { take, count } = open();
  const answers = [take(FIRST), take(FIRST)];
  expect(await texts(answers)).toEqual(["result 1", "result 1"]);
  answers[0]?.delivered(true);
  expect(await texts([take(FIRST)])).toEqual(["result 1"]);
  expect(count()).toBe(1);
});

it("a call that comes again from another connection, because the CLI gave up waiting, is made once", async () => {
  const { take, count } = open();
  take(FIRST).delivered(false);
  expect(await texts([take({ ...FIRST, client: "b", id: "9" })])).toEqual(["result 1"]);
  expect(count()).toBe(1);
});

it("equal calls are made each, at the same time and after the result was delivered", async () => {
  const { take, count } = open();
  const first = take(FIRST);
  expect(await texts([first, take({ ...FIRST, id: "4" })])).toEqual(["result 1", "result 2"]);
  first.delivered(true);
  expect(await texts([take({ ...FIRST, id: "5" }), take({ ...FIRST, client: "b" })])).toEqual(["result 3", "result 4"]);
  expect(count()).toBe(4);
});

it("a lost call is taken over once, and only by a call with the same content", async () => {
  const { take } = open();
  take(FIRST).delivered(false);
  expect(await texts([take({ ...FIRST, id: "9", args: { on: 2 } })])).toEqual(["result 2"]);
  expect(await texts([take({ ...FIRST, id: "10" }), take({ ...FIRST, id: "11" })])).toEqual(["result 1", "result 3"]);
});

it("another id of the same connection with other content is another call", async () => {
  const { take } = open();
  expect(await texts([take(FIRST), take({ ...FIRST, args: {} })])).toEqual(["result 1", "result 2"]);
});

it("the results of many delivered calls are not kept, and a lost one is", async () => {
  const { take } = open();
  take({ ...FIRST, args: {} }).delivered(false);
  for (let id = 0; id < 100; id += 1) take({ ...FIRST, id: String(id) }).delivered(true);
  expect(await texts([take({ ...FIRST, id: "0" }), take({ ...FIRST, id: "x", args: {} })])).toEqual(["result 102", "result 1"]);
});

it("after the run has ended no call is made", async () => {
  const ending = new AbortController();
  const { take, count } = open(ending.signal);
  ending.abort();
  expect(await take(FIRST).result).toEqual({ text: "The run has ended.", isError: true });
  expect(count()).toBe(0);
});

function open(signal: AbortSignal = new AbortController().signal) {
  let made = 0;
  const call = vi.fn(async () => {
    made += 1;
    return { text: `result ${made}`, isError: false };
  });
  const calls = new HostCalls({ tools: toToolList([{ name: "act" }]), call, signal, maxResultBytes: 1000 });
  return { take: calls.take.bind(calls), count: () => call.mock.calls.length };
}

async function texts(answers: readonly Answer[]): Promise<readonly string[]> {
  return (await Promise.all(answers.map(({ result }) => result))).map(({ text }) => text);
}
