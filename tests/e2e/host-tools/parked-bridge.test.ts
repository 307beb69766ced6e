import { expect, it, vi } from "vitest";
import type { WarmOptions } from "../../../src/spec/client-options.ts";
import type { Message } from "../../../src/spec/message.ts";
import type { RunContext } from "../../../src/spec/stream.ts";
import { type NativeClient, openNativeClient, withResults } from "../../support/clis/native-client.ts";
import { bridgingProvider } from "./bridging-provider.ts";

const CONTINUED = [{ transport: "spawn", warm: true }];
const ANEW = [{ transport: "spawn", warm: false }];

const open = (warm?: WarmOptions): NativeClient => openNativeClient(warm, false, bridgingProvider());

const asking = (...answers: readonly object[][]): readonly Message[] => [{ role: "user", text: JSON.stringify({ answers }) }];
const START = asking([{ place: "door" }], [{ place: "hall" }, { place: "yard", floor: 1 }, { floor: 1, place: "hall" }]);

/** Makes the first run; returns the conversation with its results. */
async function firstStep({ run }: NativeClient, context: RunContext = {}): Promise<readonly Message[]> {
  const { result } = await run({ messages: START }, context);
  expect(result).toMatchObject({ finish: "tool-calls", text: "Step 0.", usage: { estimated: true } });
  expect(result.hostCalls).toMatchObject([{ name: "look", args: { place: "door", floor: 1 } }]);
  return withResults(START, result);
}

it("a loop of the caller goes on in one process that calls by the bridge, and leaves nothing", async () => {
  const native = open();
  const messages = await firstStep(native);
  const second = await native.run({ messages });
  expect(second.attempts).toEqual(CONTINUED);
  expect(second.result).toMatchObject({ finish: "tool-calls", text: "Step 1." });
  const third = await native.run({ messages: withResults(messages, second.result) });
  expect(third.attempts).toEqual(CONTINUED);
  const results: readonly string[] = JSON.parse(third.result.text).results;
  expect(results.map((text) => JSON.parse(text.replace("seen: ", "")).place)).toEqual(["door", "hall", "yard", "hall"]);
  expect(native.notes()).toEqual(["answer", "answer", "answer"]);
  await native.untilLeft(0);
});

it("the signal of a run that has ended does not end its parked turn, nor does the exception from a proxy", async () => {
  vi.stubEnv("HTTP_PROXY", "http://127.0.0.1:9");
  const native = open();
  vi.unstubAllEnvs();
  const abort = new AbortController();
  const messages = await firstStep(native, { signal: abort.signal });
  abort.abort();
  expect((await native.run({ messages })).attempts).toEqual(CONTINUED);
});

it("a turn that is not continued in time ends before its server does, so that its model is not asked again", async () => {
  const native = open({ parkedMs: 100 });
  const messages = await firstStep(native);
  await native.untilLeft(0);
  expect(native.notes()).toEqual(["answer"]);
  const { attempts, result } = await native.run({ messages });
  expect(attempts).toEqual(ANEW);
  expect(JSON.parse(result.text).results).toEqual([]);
});

it("closing the client ends the process of a parked turn, and its model is not asked again", async () => {
  const native = open();
  await firstStep(native);
  await native.client.close();
  await native.untilLeft(0);
  expect(native.notes()).toEqual(["answer"]);
});

it("a call with wrong arguments goes back to the model once, and no call of that answer is made", async () => {
  const native = open();
  const start = asking([{ place: 1 }, { place: "door" }], [{ place: "hall" }]);
  const { result } = await native.run({ messages: start });
  expect(result.hostCalls).toMatchObject([{ args: { place: "hall" } }]);
  const { result: last } = await native.run({ messages: withResults(start, result) });
  const [wrong, other, right] = JSON.parse(last.text).results;
  expect([wrong, other]).toEqual([expect.stringContaining("place"), expect.stringContaining("another call")]);
  expect(right).toBe('seen: {"place":"hall","floor":1}');
});
