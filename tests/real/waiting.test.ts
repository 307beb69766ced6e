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

// The rows of the matrix do here together what each of them would spend its time waiting for.
const ROWS: readonly MatrixRow[] = [copilot, gemini, grok, grokVibe, opencode, qwen];
// A CLI that prints nothing before its tool is done would be ended by this clock before the tool runs.
const STREAMING = ROWS.filter(({ providerAt }) => providerAt("").traits.streaming === "token").map(({ name }) => name);
const SEARCHING = [...ROWS, glm].filter(({ unreachable }) => unreachable === undefined).map(({ name }) => name);

it(`${STREAMING.join(", ")} are ended by our clock while their tools run, and nothing of them stays`, async () => {
  await expectEndedByIdleClock(STREAMING);
});

it(`${SEARCHING.join(", ")} that cannot reach the model have a network failure`, { timeout: LONGEST_SEARCH_MS }, async () => {
  await expectUnreachable(SEARCHING);
});
