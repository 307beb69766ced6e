import { expect, it } from "vitest";
import { copilot } from "../support/real-clis/rows/copilot.ts";
import { gemini } from "../support/real-clis/rows/gemini.ts";
import { glm } from "../support/real-clis/rows/glm.ts";
import { grok } from "../support/real-clis/rows/grok.ts";
import { grokVibe } from "../support/real-clis/rows/grok-vibe.ts";
import type { MatrixRow } from "../support/real-clis/rows/matrix-row.ts";
import { opencode } from "../support/real-clis/rows/opencode.ts";
import { qwen } from "../support/real-clis/rows/qwen.ts";
import { expectEndedByIdleClock } from "./matrix/expect-idle-clock.ts";
import { expectUnreachable } from "./matrix/expect-unreachable.ts";
import { openRealCli } from "./open-real-cli.ts";

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

it.each([
  { name: "claude", timeouts: { firstEventMs: 4_000 }, says: "printed nothing after 4 s" },
  { name: "qwen", timeouts: { firstEventMs: 4_000 }, says: "printed nothing after 4 s" },
  // Copilot prints a few lines before its servers have answered.
  { name: "copilot", timeouts: { idleMs: 6_000 }, says: "was silent after 6 s" },
] as const)("$name that waits for a silent MCP server names it when its time is over", async ({ name, timeouts, says }) => {
  const { client, row, workspace } = await openRealCli(name);
  const mcpServers = { slowpoke: { command: "sleep", args: ["1000"] } };
  const request = { prompt: "Hi", mode: "agent", cwd: workspace, mcpServers, timeouts } as const;
  const { failure } = await client.run(row.target, request).outcome();
  expect(failure?.message).toMatch(new RegExp(` ${says}\\. It may be waiting for the MCP server slowpoke\\.$`));
  expect(failure?.hint).toContain(Object.keys(timeouts)[0]);
});
