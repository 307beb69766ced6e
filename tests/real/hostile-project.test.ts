import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { RunResult } from "../../src/spec/result.ts";
import { agentTargetOf, DONE } from "../support/real-clis/agent-request.ts";
import pins from "../support/real-clis/pinned-clis.json" with { type: "json" };
import { prepareRealCli, REAL_CLIS } from "../support/real-clis/real-cli.ts";
import { CLI_ROWS } from "../support/real-clis/rows/index.ts";
import { type HostileRow, plantHostile } from "./hostile/hostile-row.ts";
import { HOSTILE_ROWS } from "./hostile/index.ts";

/** Hooks and servers start in parallel to the answer; a test waits this long for their marks. */
const START_GRACE_MS = 1_000;

const VERSIONS = HOSTILE_ROWS.flatMap((row) => {
  const hasOldest = "oldest" in pins[CLI_ROWS[row.name].pin];
  return ["newest", ...(hasOldest ? ["oldest"] : [])].map((version) => ({ name: row.name, version, row }));
});

describe.each(VERSIONS)("a hostile project and the $version $name", ({ version, row }) => {
  const folder = version === "oldest" ? join(REAL_CLIS, "oldest") : undefined;

  it(`starts nothing of it without trust`, async () => {
    const { result, started } = await runIn(row, folder, {});
    expect([result.failure, started]).toEqual([undefined, []]);
  });

  if (row.started.length === 0) return;

  it(`starts its plants if it is trusted`, async () => {
    const { result, started } = await runIn(row, folder, { trustProject: true });
    expect([result.failure, started]).toEqual([undefined, expect.arrayContaining([...row.started])]);
  });
});

type Outcome = { readonly result: RunResult; readonly started: readonly string[] };

async function runIn(row: HostileRow, folder: string | undefined, trust: { readonly trustProject?: true }): Promise<Outcome> {
  const { name, calls = [] } = row;
  const answers = [...calls.map((call) => ({ kind: "tool-calls" as const, calls: [call] })), DONE];
  await using cli = await prepareRealCli(name, answers, folder);
  const { cwd, started } = plantHostile(row, dirname(cli.home));
  const request = { prompt: "Do it.", mode: "agent", cwd, permissions: { mode: "bypass" }, ...trust } as const;
  const result = await cli.client.run(agentTargetOf(name), request).outcome();
  await sleep(START_GRACE_MS);
  return { result, started: started() };
}
