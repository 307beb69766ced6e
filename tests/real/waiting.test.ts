import { it } from "vitest";
import { copilot } from "./clis/copilot.ts";
import { gemini } from "./clis/gemini.ts";
import { glm } from "./clis/glm.ts";
import { grok } from "./clis/grok.ts";
import { grokVibe } from "./clis/grok-vibe.ts";
import type { MatrixRow } from "./clis/matrix-row.ts";
import { opencode } from "./clis/opencode.ts";
import { qwen } from "./clis/qwen.ts";
import { expectEndedByIdleClock } from "./matrix/expect-idle-clock.ts";
import { expectUnreachable } from "./matrix/expect-unreachable.ts";

/** Qwen Code tries to reach the model seven times, for 55 to 100 s. */
const LONGEST_SEARCH_MS = 180_000;

// Tests of the matrix that mostly wait, run here for all CLIs at the same time.
const ROWS: readonly MatrixRow[] = [copilot, gemini, grok, grokVibe, opencode, qwen];
// This timeout would end a CLI that prints nothing before its tool has ended.
const STREAMING = ROWS.filter(({ providerAt }) => providerAt("").traits.streaming === "token").map(({ name }) => name);
const SEARCHING = [...ROWS, glm].filter(({ unreachable }) => unreachable === undefined).map(({ name }) => name);

it(`${STREAMING.join(", ")} are ended by our timeout while their tools run, and none of their processes is left`, async () => {
  await expectEndedByIdleClock(STREAMING);
});

it(`${SEARCHING.join(", ")} that cannot reach the model have a network failure`, { timeout: LONGEST_SEARCH_MS }, async () => {
  await expectUnreachable(SEARCHING);
});
