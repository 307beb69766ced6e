import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { capabilitiesOf } from "../../../src/spec/provider/cli-data.ts";
import type { Provider } from "../../../src/spec/provider/provider.ts";
import type { RunStream } from "../../../src/spec/stream.ts";
import type { RunEvent } from "../../../src/spec/wire/events.ts";
import { type FakeAnswer, findRunProcesses } from "../../../src/testing/index.ts";
import type { MatrixRow } from "../../support/real-clis/rows/matrix-row.ts";
import { eventsOf, type OpenRealCli, openRealCli, type RealRun, untilLeft } from "../open-real-cli.ts";

const SKY = 'The sky is blue because air scatters short waves: 光の散乱, and <b>no</b> \\n "quotes" 🌌.';
const THOUGHT = "First I look up.";
const SPENT = { inputTokens: 1_000, cacheReadTokens: 300, outputTokens: 50 };

/** An answer with all that a CLI reports of one. */
export const WHOLE: FakeAnswer = { kind: "reasoning", reasoning: THOUGHT, text: SKY, deltas: 4, usage: SPENT };

/** An answer that goes on after its first words. */
export const HALF_SAID: FakeAnswer = { kind: "stall", afterText: "Half an answer" };

/** Text, stream, reasoning and usage of a completion, and that the CLI stores nothing of it. describe-pure-answers.ts proves the same and more. */
export function describeAnswers({ name, providerAt }: MatrixRow): void {
  describe(`the answers of real ${name}`, () => {
    it(`${name} answers with the model's text byte for byte, streams it, and stores nothing of the prompt`, async () => {
      const cli = await openRealCli(name, WHOLE);
      const run = await cli.run({ prompt: "Why is the sky blue? MARK-OF-THE-PROMPT" });
      expect(cli.api.modelRequests).toHaveLength(1);
      await expectWholeAnswer(cli, run, "MARK-OF-THE-PROMPT");
    });

    if (capabilitiesOf(providerAt("")).streaming === "token")
      it(`the text of ${name} arrives while the model is still streaming`, async () => {
        const cli = await openRealCli(name, HALF_SAID);
        expectHeardHalf(await cli.run({ prompt: "Why is the sky blue?" }, { onEvent: interruptAtHalf().onEvent }));
      });
  });
}

/** The answer `WHOLE` arrived with all its parts, and no file contains these words of the prompt. */
export async function expectWholeAnswer(cli: OpenRealCli, run: RealRun, words: string): Promise<void> {
  const { streaming, reasoning } = capabilitiesOf(cli.provider);
  expect(run.result).toMatchObject({ text: SKY, finish: "stop", toolCalls: [], permissionDenials: [], warnings: [] });
  const pieces = eventsOf(run, "text-delta").map((event) => event.text);
  expect(pieces.join("")).toBe(SKY);
  expect(pieces.length > 1).toBe(streaming === "token");
  const thoughts = eventsOf(run, "reasoning-delta").map((event) => event.text);
  expect(thoughts.join("")).toBe(reasoning ? THOUGHT : "");
  expectUsage(cli.provider, run);
  await untilLeft(run);
  expect(tracesOf(words, cli)).toEqual([]);
}

function expectUsage(provider: Provider, { result }: RealRun): void {
  const { inputTokens, outputTokens } = SPENT;
  if (capabilitiesOf(provider).usage === "none") expect(result.usage).toMatchObject({ estimated: true });
  else expect(result.usage).toMatchObject({ inputTokens, outputTokens, totalTokens: 1_050, estimated: false, scope: "turn" });
  expect(result.sessionId).toBeUndefined();
}

/** Interrupts a run as soon as the words of `HALF_SAID` have arrived, and notes its processes at that moment. */
export function interruptAtHalf(): { onEvent(event: RunEvent, stream: RunStream): void; running(): readonly number[] } {
  let [heard, runId] = ["", ""];
  let running: readonly number[] | undefined;
  const onEvent = (event: RunEvent, stream: RunStream): void => {
    if (event.type === "run-start") runId = event.runId;
    if (event.type === "text-delta") heard += event.text;
    if (heard !== "Half an answer" || running !== undefined) return;
    running = findRunProcesses(runId);
    stream.interrupt();
  };
  return { onEvent, running: () => running ?? [] };
}

/** The run was interrupted while its model was still streaming. */
export function expectHeardHalf({ failure }: RealRun): void {
  expect(failure).toMatchObject({ category: "cancelled", code: "interrupted", partialText: "Half an answer" });
}

/** The files around the CLI that contain a text. */
function tracesOf(text: string, cli: OpenRealCli): readonly string[] {
  const files = readdirSync(dirname(cli.home), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((file) => join(file.parentPath, file.name)).filter((path) => readFileSync(path, "latin1").includes(text));
}
