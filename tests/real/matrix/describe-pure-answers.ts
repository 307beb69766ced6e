import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { capabilitiesOf } from "../../../src/spec/provider/cli-data.ts";
import { shellCalls } from "../../support/real-clis/agent-request.ts";
import type { MatrixRow } from "../../support/real-clis/rows/matrix-row.ts";
import { untilLeft } from "../open-real-cli.ts";
import { expectHeardHalf, expectWholeAnswer, HALF_SAID, interruptAtHalf, WHOLE } from "./describe-answers.ts";
import { describeRefusedPrompts, isPassedOn, systemFor } from "./describe-purity.ts";
import { INERT_PROMPTS } from "./inert-prompts.ts";
import { openPlanted, START_GRACE_MS } from "./open-planted.ts";

const MENTIONS = INERT_PROMPTS["mentions and addresses"];
const COMMAND = INERT_PROMPTS["a command with words"];
const SHELL_ESCAPE = INERT_PROMPTS["a shell escape and marks that run commands"];

/** Completions among planted files: each start proves what the model is sent and what arrives of its answer. */
export function describePureAnswers(row: MatrixRow): void {
  const { name, pure, idleTools = [] } = row;
  const isStreaming = capabilitiesOf(row.providerAt("")).streaming === "token";

  describe(`real ${name} as a pure model`, () => {
    it(`${name} sends mentions and a system prompt unchanged, no tool and only known extra content, uses nothing around it, answers with the model's text byte for byte, streams it, and stores nothing of the prompt`, async () => {
      const { cli, env, expectOnly, expectUntouched, bytesForHi } = await openPlanted(row, WHOLE);
      const given = { prompt: MENTIONS, ...systemFor(row) };
      const run = await cli.run({ ...given, env });
      expect(cli.api.modelRequests).toHaveLength(1);
      expectOnly(given);
      const bytes = bytesForHi(MENTIONS);
      console.log(`${name}: the request for "hi" has ${bytes} bytes`);
      expect(bytes).toBeLessThanOrEqual(pure.bytes);
      await expectWholeAnswer(cli, run, "alice@example.org");
      await sleep(START_GRACE_MS);
      expectUntouched();
    });

    it(`${name} passes a command with words unchanged, and runs no tool even if the model calls one`, async () => {
      const { cli, env, expectOnly, expectUntouched } = await openPlanted(row);
      const made = join(cli.workspace, "made.txt");
      const idle = idleTools.map((tool) => ({ kind: "tool-calls", calls: [{ name: tool, input: {} }] }) as const);
      cli.api.answerWith([...idle, ...shellCalls(name, `touch ${made}`)]);
      const run = await cli.run({ prompt: COMMAND, env });
      expect(run.result).toMatchObject({ finish: "stop", warnings: [], ...(idleTools.length > 0 && { text: "Done." }) });
      expect(run.result.toolCalls.slice(0, idleTools.length)).toMatchObject(idleTools.map((name) => ({ name, isError: true })));
      expectOnly({ prompt: COMMAND });
      expectUntouched();
      expect(existsSync(made)).toBe(false);
    });

    const passesEscape = isPassedOn(row, "a shell escape and marks that run commands");
    if (isStreaming && passesEscape)
      it(`${name} passes a shell escape unchanged, and its text arrives while the model is still streaming`, async () => {
        const { cli, env, expectOnly, expectUntouched } = await openPlanted(row, HALF_SAID);
        const { onEvent, running } = interruptAtHalf();
        const run = await cli.run({ prompt: SHELL_ESCAPE, env }, { onEvent });
        expectHeardHalf(run);
        if (row.processes !== undefined) expect(running()).toHaveLength(row.processes);
        await untilLeft(run);
        expect(cli.api.modelRequests).toHaveLength(1);
        expectOnly({ prompt: SHELL_ESCAPE });
        expectUntouched();
      });
    else if (passesEscape)
      it(`${name} passes a shell escape unchanged`, async () => {
        const { cli, env, expectOnly, expectUntouched } = await openPlanted(row);
        const { result } = await cli.run({ prompt: SHELL_ESCAPE, env });
        expect(result).toMatchObject({ finish: "stop", warnings: [] });
        expect(cli.api.modelRequests).toHaveLength(1);
        expectOnly({ prompt: SHELL_ESCAPE });
        expectUntouched();
      });

    describeRefusedPrompts(row);
  });
}
