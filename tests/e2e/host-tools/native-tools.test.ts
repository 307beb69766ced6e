import { expect, it } from "vitest";
import { calling, openNativeClient } from "../../support/clis/native-client.ts";

const TWO = calling([{ place: "door" }], [{ place: "hall", floor: 2 }, { place: "yard" }]);

it("a function runs each call with its defaults, while the CLI waits, and the run ends with the answer", async () => {
  const { run } = openNativeClient();
  const made: unknown[] = [];
  const { result, attempts } = await run({ prompt: TWO }, { callTool: ({ name, args }) => made.push({ name, args }) });
  expect(made).toEqual([
    { name: "look", args: { place: "door", floor: 1 } },
    { name: "look", args: { place: "hall", floor: 2 } },
    { name: "look", args: { place: "yard", floor: 1 } },
  ]);
  expect(JSON.parse(result.text)).toMatchObject({ results: ["1", "2", "3"] });
  expect(result.toolCalls.map(({ input, output, isError }) => ({ input, output, isError }))).toEqual([
    { input: { place: "door" }, output: "1", isError: false },
    { input: { place: "hall", floor: 2 }, output: "2", isError: false },
    { input: { place: "yard" }, output: "3", isError: false },
  ]);
  expect(result).toMatchObject({ finish: "stop", usage: { inputTokens: 30, outputTokens: 15 } });
  expect(result).not.toHaveProperty("hostCalls");
  expect(attempts).toEqual([{ transport: "spawn", warm: false }]);
});

it("calls of one answer run at the same time", async () => {
  const { run } = openNativeClient();
  const all = Promise.withResolvers<void>();
  let running = 0;
  const { result } = await run(
    { prompt: calling([{ place: "a" }, { place: "b" }, { place: "c" }]) },
    {
      callTool: async () => {
        running += 1;
        if (running === 3) all.resolve();
        await all.promise;
        return "done";
      },
    },
  );
  expect(JSON.parse(result.text)).toMatchObject({ results: ["done", "done", "done"] });
});

it.each([
  ["an error", () => Promise.reject(new Error("The lamp is out.")), "The lamp is out."],
  ["a result that is too long", () => "x".repeat(500_000), "The result has 500000 bytes, but at most 450000 can be passed on."],
  ["a call that takes too long", () => new Promise(() => {}), "look took longer than 300 ms and was cancelled."],
])("%s is a failed call that the model is told about", async (_what, callTool, told) => {
  const { run } = openNativeClient();
  const { result } = await run({ prompt: calling([{ place: "cellar" }]), timeouts: { toolMs: 300 } }, { callTool });
  expect(result).toMatchObject({ finish: "stop", toolCalls: [{ isError: true }] });
  expect(JSON.parse(result.text).results[0]).toContain(told);
});

it("a call with wrong arguments does not run, and the model is told what is wrong", async () => {
  const { run } = openNativeClient();
  const { result } = await run({ prompt: calling([{ floor: 3 }]) }, { callTool: () => expect.fail("the tool ran") });
  expect(JSON.parse(result.text).results[0]).toMatch(/do not match its schema: it must have required property 'place'/);
});

it("an abort cancels the calls that are running", async () => {
  const { run } = openNativeClient();
  const abort = new AbortController();
  const seen = Promise.withResolvers<boolean>();
  const { result } = await run(
    { prompt: calling([{ place: "roof" }]) },
    {
      signal: abort.signal,
      callTool: (_call, { signal }) => {
        signal.addEventListener("abort", () => seen.resolve(signal.aborted));
        abort.abort();
        return new Promise(() => {});
      },
    },
  );
  expect(result.finish).toBe("cancelled");
  expect(await seen.promise).toBe(true);
});
