import { describe, expect, test } from "vitest";
import { claude } from "../../src/clis/claude/provider.ts";
import { replayRecording } from "../../src/replay/replay.ts";
import { collect } from "../../src/run/collect.ts";
import { fakeClaude, print, resultLine } from "../support/clis/fake-claude.ts";
import { dig } from "../support/cox/start-rehearsal.ts";
import { readRecordedCases } from "../support/recordings/read-recorded-cases.ts";
import { rawLines, resultOf } from "./recorded-runs.ts";

describe("usage that the CLI reports", () => {
  test.for(["text", "tool-call", "json-format-text"])("R126 usage is read from input_tokens and output_tokens: %s", (name) => {
    const reported = rawLines(name).at(-1)?.["usage"];
    const { usage } = resultOf(name);
    const cached = Number(dig(reported, "cache_creation_input_tokens")) + Number(dig(reported, "cache_read_input_tokens"));
    expect(usage?.inputTokens).toBe(Number(dig(reported, "input_tokens")) + cached);
    expect(usage?.outputTokens).toBe(dig(reported, "output_tokens"));
    expect(usage).toMatchObject({ cacheReadTokens: dig(reported, "cache_read_input_tokens"), estimated: false });
  });

  test("R126 where nothing is cached, input_tokens and output_tokens are all there is", async () => {
    const fake = fakeClaude([print(resultLine("Done.", { usage: { input_tokens: 1234, output_tokens: 99 } }))]);
    expect((await fake.run().result()).usage).toMatchObject({ inputTokens: 1234, outputTokens: 99, estimated: false });
  });

  test("R128 the total is input plus output in every recording, and absent where one of them is", () => {
    const usages = readRecordedCases("claude")
      .flatMap(({ recording }) => replayRecording(claude, recording))
      .flatMap((events) => collect(events).usage ?? []);
    expect(usages.length).toBeGreaterThan(50);
    for (const { inputTokens, outputTokens, totalTokens } of usages) {
      const isKnown = inputTokens !== undefined && outputTokens !== undefined;
      expect(totalTokens).toBe(isKnown ? inputTokens + outputTokens : undefined);
    }
  });
});

describe("usage that the CLI did not report", () => {
  test.for([
    { prompt: "Hi", answer: "Done.", tokens: [1, 2] },
    { prompt: "12345678", answer: "1234", tokens: [2, 1] },
    { prompt: "123456789", answer: "12345", tokens: [3, 2] },
  ] as const)(
    "R129 usage without a report is a quarter of the characters, rounded up: $prompt, $answer",
    async ({ prompt, answer, tokens }) => {
      const { usage } = await fakeClaude([print(resultLine(answer))])
        .run({ prompt })
        .result();
      const [inputTokens, outputTokens] = tokens;
      expect(usage).toEqual({
        inputTokens,
        outputTokens,
        totalTokens: inputTokens + outputTokens,
        estimated: true,
        scope: "turn",
      });
    },
  );

  test("R129 an estimate is marked as one, and a reported count is not", async () => {
    const counted = { usage: { input_tokens: 1, output_tokens: 2 } };
    const reported = await fakeClaude([print(resultLine("Done.", counted))])
      .run({ prompt: "Hi" })
      .result();
    const estimated = await fakeClaude([print(resultLine("Done."))])
      .run({ prompt: "Hi" })
      .result();
    expect([reported.usage?.estimated, estimated.usage?.estimated]).toEqual([false, true]);
  });
});
