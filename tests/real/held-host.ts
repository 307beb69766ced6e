import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { onTestFinished } from "vitest";
import { guardiansOf, type SetupName } from "./sleeping-tool.ts";
import { expectNothingLeft, type SleepingCli, untilSleeping } from "./stopped-run.ts";

const HOST = join(import.meta.dirname, "hosts/holds-a-tool.ts");

/** A program of ours as a process of its own. */
export type Started = ChildProcessByStdio<null, Readable, null>;

/** A host whose tool sleeps. */
export type HeldTool = { readonly host: Started; readonly runId: string };

/** How a host is held. */
export type HoldOptions = {
  readonly env?: Readonly<Record<string, string>>;
  /** False for a CLI that tells of a call only when it is over. */
  readonly tellsOfCalls?: boolean;
};

/** Starts a host and waits until its tool sleeps; a CLI that still has something to print may end by itself, so it must have said it. */
export async function holdTool(name: SetupName, sleeping: SleepingCli, options: HoldOptions = {}): Promise<HeldTool> {
  const { api, workspace } = sleeping.cli;
  const words = { HOST_SETUP: name, HOST_API: api.url, HOST_WORKSPACE: workspace };
  const host = startProcess(sleeping, [HOST], { ...words, ...options.env });
  if (options.tellsOfCalls !== false) await once(host.stdout, "data");
  return { host, runId: (await untilSleeping(sleeping.tool)).runId };
}

/** Three seconds after the stop neither the run nor its guardian is there. */
export async function expectAllGone(what: string, since: number, { tool }: SleepingCli, runId: string): Promise<void> {
  await expectNothingLeft(what, since, () => [...tool.findAll(runId), ...guardiansOf(runId)]);
}

/** Starts a Node program of ours as the leader of a group of its own, as a shell would. */
export function startProcess(
  sleeping: SleepingCli,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Started {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ...words], {
    env: { ...sleeping.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}
