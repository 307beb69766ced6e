import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { onTestFinished } from "vitest";
import { guardiansOf, type SetupName } from "./sleeping-tool.ts";
import { expectNothingLeft, type SleepingCli, untilSleeping } from "./stopped-run.ts";

const HOST = join(import.meta.dirname, "hosts/holds-a-tool.ts");

/** One of our programs as a child process. */
export type Started = ChildProcessByStdio<null, Readable, null>;

/** A host whose tool sleeps. */
export type HeldTool = { readonly host: Started; readonly runId: string };

/** The options for a host. */
export type HoldOptions = {
  readonly env?: Readonly<Record<string, string>>;
  /** False for a CLI that reports a call only after its end. */
  readonly tellsOfCalls?: boolean;
};

/** Starts a host and waits until its tool sleeps. The host must have reported the call: a CLI with output pending could end by itself. */
export async function holdTool(name: SetupName, sleeping: SleepingCli, options: HoldOptions = {}): Promise<HeldTool> {
  const { api, workspace } = sleeping.cli;
  const words = { HOST_SETUP: name, HOST_API: api.url, HOST_WORKSPACE: workspace };
  const host = startProcess(sleeping, [HOST], { ...words, ...options.env });
  if (options.tellsOfCalls !== false) await once(host.stdout, "data");
  return { host, runId: (await untilSleeping(sleeping.tool)).runId };
}

/** Three seconds after the stop neither the run nor its guardian is running. */
export async function expectAllGone(what: string, since: number, { tool }: SleepingCli, runId: string): Promise<void> {
  await expectNothingLeft(what, since, () => [...tool.findAll(runId), ...guardiansOf(runId)]);
}

/** Starts one of our Node programs as the leader of its own process group, as a shell would. */
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
