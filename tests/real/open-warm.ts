import { expect, onTestFinished, vi } from "vitest";
import { type Client, createClient } from "../../src/index.ts";
import type { RunRequest } from "../../src/spec/request.ts";
import type { FakeAnswer, FakeAnswers } from "../../src/testing/index.ts";
import type { CliName } from "../support/real-clis/real-cli.ts";
import { CLI_ROWS } from "../support/real-clis/rows/index.ts";
import { eventsOf, type OpenRealCli, openRealCli, type RealRun, type RealRunOptions } from "./open-real-cli.ts";

/** The CLIs whose processes a client keeps by itself. */
export const WARM_CLIS: readonly CliName[] = (Object.keys(CLI_ROWS) as CliName[]).filter((name) => {
  const { resident } = CLI_ROWS[name].providerAt("").transports;
  return resident !== undefined && resident.onlyIfAsked === undefined;
});

/** The answer of the fake model. */
export const HELLO: FakeAnswer = { kind: "text", text: "Hello from the fake model." };

/** A CLI with a client that keeps processes. */
export type WarmCli = {
  readonly cli: OpenRealCli;
  readonly client: Client;
  run(request: RunRequest, options?: RealRunOptions): Promise<RealRun>;
};

/** Opens a real CLI for one test, with a client that keeps its processes. */
export async function openWarm(name: CliName, answers: FakeAnswers = HELLO): Promise<WarmCli> {
  const cli = await openRealCli(name, answers);
  const client = createClient({ policies: false, env: cli.env, providers: [cli.provider] });
  onTestFinished(() => client.close());
  let answered = 0;
  const run: WarmCli["run"] = async (request, options = {}) => {
    const done = await cli.run(request, { client, ...options });
    // From the second answer on, the process for the next call is started right after the answer.
    if (done.failure === undefined && options.context === undefined) answered += 1;
    if (answered >= 2) await vi.waitFor(() => expect(client.warmProcesses()).not.toEqual([]), { timeout: 2_000 }).catch(() => {});
    return done;
  };
  return { cli, client, run };
}

/** Whether a warm process answered. */
export function isWarm(run: RealRun): boolean {
  return eventsOf(run, "attempt-start").at(-1)?.warm === true;
}
