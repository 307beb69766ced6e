import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { capabilitiesOf } from "../../../src/spec/capabilities.ts";
import type { MatrixRow } from "../clis/matrix-row.ts";
import { eventsOf, type OpenRealCli, openRealCli, type RealRun, untilLeft } from "../open-real-cli.ts";

const SKY = 'The sky is blue because air scatters short waves: 光の散乱, and <b>no</b> \\n "quotes" 🌌.';
const THOUGHT = "First I look up.";
const SPENT = { inputTokens: 1_000, cacheReadTokens: 300, outputTokens: 50 };

/** Text, stream, reasoning and usage of a completion, and that the CLI stores nothing of it. */
export function describeAnswers({ name, providerAt }: MatrixRow): void {
  const capabilities = capabilitiesOf(providerAt(""));

  describe(`the answers of real ${name}`, () => {
    it(`${name} answers with the model's text byte for byte, streams it, and stores nothing of the prompt`, async () => {
      const answer = { kind: "reasoning", reasoning: THOUGHT, text: SKY, deltas: 4, usage: SPENT } as const;
      const cli = await openRealCli(name, answer);
      const prompt = "Why is the sky blue? MARK-OF-THE-PROMPT";
      const run = await cli.run({ prompt });
      expect(run.result).toMatchObject({ text: SKY, finish: "stop", toolCalls: [], permissionDenials: [], warnings: [] });
      expect(cli.api.modelRequests).toHaveLength(1);
      const pieces = eventsOf(run, "text-delta").map((event) => event.text);
      expect(pieces.join("")).toBe(SKY);
      expect(pieces.length > 1).toBe(capabilities.streaming === "token");
      const thoughts = eventsOf(run, "reasoning-delta").map((event) => event.text);
      expect(thoughts.join("")).toBe(capabilities.reasoning ? THOUGHT : "");
      expectUsage(run);
      await untilLeft(run);
      expect(tracesOf("MARK-OF-THE-PROMPT", cli)).toEqual([]);
    });

    if (capabilities.streaming === "token")
      it(`the text of ${name} arrives while the model is still streaming`, async () => {
        const cli = await openRealCli(name, { kind: "stall", afterText: "Half an answer" });
        let heard = "";
        const run = await cli.run(
          { prompt: "Why is the sky blue?" },
          {
            onEvent: (event, stream) => {
              if (event.type === "text-delta") heard += event.text;
              if (heard === "Half an answer") stream.interrupt();
            },
          },
        );
        expect(run.failure).toMatchObject({ category: "cancelled", code: "interrupted", partialText: "Half an answer" });
      });
  });

  function expectUsage({ result }: RealRun): void {
    const { inputTokens, outputTokens } = SPENT;
    if (capabilities.usage === "none") expect(result.usage).toMatchObject({ estimated: true });
    else expect(result.usage).toMatchObject({ inputTokens, outputTokens, totalTokens: 1_050, estimated: false, scope: "turn" });
    expect(result.sessionId).toBeUndefined();
  }
}

/** The files around the CLI that contain a text. */
function tracesOf(text: string, cli: OpenRealCli): readonly string[] {
  const files = readdirSync(dirname(cli.home), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((file) => join(file.parentPath, file.name)).filter((path) => readFileSync(path, "latin1").includes(text));
}
