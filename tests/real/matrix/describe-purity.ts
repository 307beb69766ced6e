import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { MatrixRow, PromptName } from "../../support/real-clis/rows/matrix-row.ts";
import { EVERY_TIME, INERT_PROMPTS } from "./inert-prompts.ts";
import { openPlanted, START_GRACE_MS } from "./open-planted.ts";

const PROMPTS = Object.keys(INERT_PROMPTS) as readonly PromptName[];

/** The prompts that describePureAnswers leaves to `npm run test:real -- --all`. */
export const OTHER_PROMPTS: readonly PromptName[] = PROMPTS.filter((what) => !EVERY_TIME.includes(what));

/** A completion sends the caller's texts and little else, whatever files are around and whatever the prompt looks like. */
export function describePurity(row: MatrixRow, prompts: readonly PromptName[] = EVERY_TIME): void {
  const { name, pure } = row;

  describe(`real ${name} as a pure model`, () => {
    it(`${name} sends the prompt, the system prompt, no tool and only known extra content, and uses nothing around it`, async () => {
      const { cli, env, expectOnly, expectUntouched, bytesForHi } = await openPlanted(row);
      const given = { prompt: "hi", ...systemFor(row) };
      const { result } = await cli.run({ ...given, env });
      expect(result.text).toBe("Hello from the fake model.");
      expect(cli.api.modelRequests).toHaveLength(1);
      expectOnly(given);
      const bytes = bytesForHi("hi");
      console.log(`${name}: the request for "hi" has ${bytes} bytes`);
      expect(bytes).toBeLessThanOrEqual(pure.bytes);
      await sleep(START_GRACE_MS);
      expectUntouched();
    });

    const passedOn = prompts.filter((what) => isPassedOn(row, what));
    it.each(passedOn)(`${name} passes %s unchanged`, async (what) => {
      const { cli, env, expectOnly, expectUntouched } = await openPlanted(row);
      const prompt = INERT_PROMPTS[what];
      const { result } = await cli.run({ prompt, env });
      expect(result).toMatchObject({ finish: "stop", warnings: [] });
      expect(cli.api.modelRequests).toHaveLength(1);
      expectOnly({ prompt });
      expectUntouched();
    });

    describeRefusedPrompts(row);
  });
}

/** Prompts that a CLI would not treat as text are refused before a process is started. */
export function describeRefusedPrompts(row: MatrixRow): void {
  const { name, refusedPrompts } = row;
  const refused = PROMPTS.filter((what) => what in refusedPrompts);
  if (refused.length > 0)
    it.each(refused)(`${name} is not started for %s`, async (what) => {
      const { cli } = await openPlanted(row);
      const { failure, events } = await cli.run({ prompt: INERT_PROMPTS[what] });
      expect(events.map(({ type }) => type)).toEqual(["run-start", "run-end"]);
      expect(failure).toMatchObject({ category: "validation", code: "prompt-malformed" });
      expect(cli.api.requests).toEqual([]);
    });
}

/** Whether a prompt reaches the model of this CLI and is tested with it. */
export function isPassedOn({ refusedPrompts, omitted }: MatrixRow, what: PromptName): boolean {
  return !(what in refusedPrompts) && !(omitted?.prompts ?? []).includes(what);
}

/** A system prompt, if the CLI takes one. */
export function systemFor(row: MatrixRow): { readonly system?: string } {
  return row.providerAt("").traits.systemPrompt === "none" ? {} : { system: "Answer in one word." };
}
