import { expect, onTestFinished } from "vitest";
import { type Client, createClient, type PolicyOptions } from "../../../src/index.ts";
import type { Provider } from "../../../src/provider.ts";
import type { RunRequest } from "../../../src/spec/request.ts";
import type { RunResult } from "../../../src/spec/result.ts";
import type { RunContext, RunStream } from "../../../src/spec/stream.ts";
import type { RunEvent } from "../../../src/spec/wire/events.ts";
import type { FakeStep } from "../../../src/testing/index.ts";
import { processesWith, untilGone } from "../processes/process-scan.ts";
import { openTestScope } from "../test-scope.ts";
import { plainCli, type Told } from "./plain-cli.ts";
import { eventsOf, type FinishedRun, finishRun } from "./program-run.ts";
import { countStarts, readStarts, writePlays } from "./write-plays.ts";

/** The prompt and the arguments of one start of the CLI. */
export type SeenCall = { readonly prompt: string; readonly told: Told };

/** A CLI that plays the script of each test, start by start. */
export type ScriptedCli = {
  readonly client: Client;
  run(request: RunRequest, context?: RunContext): RunStream;
  /** Reads the run to its end, and checks that the events are well formed and that no process is left. */
  finish(request: RunRequest, context?: RunContext): Promise<FinishedRun>;
  /** The number of starts of the CLI. */
  starts(): number;
  /** What each completed start received; waits until all its processes are gone. */
  calls(): Promise<readonly SeenCall[]>;
  /** Resolves when no process of this CLI is running. */
  untilQuiet(): Promise<void>;
};

/** Opens a CLI whose n-th start plays the n-th list of steps; fails the test if a process of it is left. */
export function openCli(
  script: readonly (readonly FakeStep[])[],
  provider: Provider = plainCli,
  policies: PolicyOptions | false = false,
): ScriptedCli {
  const { directory, env } = openTestScope();
  writePlays(directory, script, [
    { do: "write", text: `started more often than ${script.length} times`, to: "stderr" },
    { do: "exit", code: 70 },
  ]);
  const client = createClient({ policies, providers: [provider], env: { ...env, PLAY_FOLDER: directory } });
  const untilQuiet = (): Promise<void> => untilGone(() => processesWith("PLAY_FOLDER", directory));
  onTestFinished(async () => {
    await client.close();
    await untilQuiet();
  });
  const run = (request: RunRequest, context?: RunContext): RunStream => client.run(provider.id, request, context);
  return {
    client,
    run,
    async finish(request, context) {
      const finished = await finishRun(run(request, context));
      await untilQuiet();
      return finished;
    },
    starts: () => countStarts(directory),
    async calls() {
      await untilQuiet();
      return readStarts(directory) as readonly SeenCall[];
    },
    untilQuiet,
  };
}

/** The shown text of each message, in order of appearance, without messages that were reset. */
export function shownMessages(events: readonly RunEvent[]): readonly string[] {
  const shown = new Map<string, string>();
  for (const event of events) {
    if (event.type === "text-delta") shown.set(event.messageId, (shown.get(event.messageId) ?? "") + event.text);
    if (event.type === "text-reset") shown.delete(event.messageId);
  }
  return [...shown.values()];
}

/** The correction in a prompt: the last block in front of the conversation; throws when there is none. */
export function correctionIn(prompt: string): string {
  const front = prompt.slice(0, prompt.lastIndexOf("\n\n<thread>\n"));
  const start = front.lastIndexOf("\n\n[Correction]\n");
  expect(start, `no correction in front of the conversation: ${prompt}`).toBeGreaterThan(-1);
  return front.slice(start + 2);
}

/** Expects that the run ended with tool-calls, with the same calls in its events and its result. */
export async function expectCalls(run: FinishedRun): Promise<RunResult> {
  const result = await run.stream.result();
  expect(run.end).toMatchObject({ finish: "tool-calls" });
  expect(run.end.failure).toBeUndefined();
  expect(result.finish).toBe("tool-calls");
  const calls = eventsOf(run.events, "tool-call");
  expect(calls.map(({ id, name, input, executor }) => ({ id, name, args: input, executor }))).toEqual(
    (result.hostCalls ?? []).map((call) => ({ ...call, executor: "host" })),
  );
  expect(eventsOf(run.events, "tool-start")).toEqual([]);
  expect(eventsOf(run.events, "tool-end")).toEqual([]);
  expect(result.toolCalls).toEqual([]);
  return result;
}
