import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { type Client, createClient } from "../../../src/index.ts";
import type { WarmOptions } from "../../../src/spec/client-options.ts";
import type { Provider } from "../../../src/spec/provider/provider.ts";
import type { PromptRequest, RunRequest, Target } from "../../../src/spec/request.ts";
import type { RunResult } from "../../../src/spec/result.ts";
import type { RunContext } from "../../../src/spec/stream.ts";
import type { AttemptStart } from "../../../src/spec/wire/events.ts";
import { rememberingProvider } from "../../support/clis/remembering-provider.ts";
import { processesWith, untilFound } from "../../support/processes/process-scan.ts";
import { openTestScope, type TestScope } from "../../support/test-scope.ts";

/** What programs/remembers.mjs answers. */
export type Memory = { readonly pid: number; readonly system?: string; readonly prompts: readonly string[] };

/** A run on the program: how each attempt was made, what the program answered, and the result. */
export type WarmRun = {
  readonly attempts: readonly Pick<AttemptStart, "transport" | "warm">[];
  readonly memory: Memory | undefined;
  readonly result: RunResult;
};

/** A client whose provider has a resident transport. */
export type WarmClient = {
  readonly client: Client;
  /** Where the test works; another client in the same scope has the same sessions. */
  readonly scope: TestScope;
  /** The variables that the program needs. */
  readonly env: Readonly<Record<string, string>>;
  ask(
    request: Partial<PromptRequest> & Pick<RunRequest, "maxWaitMs">,
    context?: RunContext,
    target?: Partial<Target>,
  ): Promise<WarmRun>;
  /** Makes two runs, after which a process waits. */
  warmUp(request?: Partial<PromptRequest>): Promise<void>;
  /** Resolves when this many processes are kept. */
  untilKept(count: number): Promise<void>;
  /** Resolves when this many processes of the test are left. */
  untilLeft(count: number): Promise<void>;
  /** Sets the login that processes find when they start. */
  setLogin(word: string): void;
  /** Resolves when the processes have found these logins, in any order. */
  untilFound(logins: readonly string[]): Promise<void>;
};

/** Creates a client for programs/remembers.mjs; it is closed after the test. */
export function createWarmClient(
  warm?: WarmOptions | false,
  guardian = true,
  scope: TestScope = openTestScope(),
  provider: Provider = rememberingProvider(),
): WarmClient {
  const { directory, env } = scope;
  const note = join(directory, "note");
  writeFileSync(note, "first");
  const options = warm === undefined ? {} : { warm };
  const client = createClient({ policies: false, providers: [provider], env, guardian, ...options });
  onTestFinished(() => client.close());
  const ask: WarmClient["ask"] = async (request, context = {}, target = {}) => {
    const whole = { prompt: "hello", ...request, env: { NOTE_FILE: note } };
    const run = client.run({ provider: "bad", ...target }, whole, { ...context, keepEvents: true });
    const result = await run.outcome();
    const starts = (result.events ?? []).flatMap((event) => (event.type === "attempt-start" ? [event] : []));
    return {
      attempts: starts.map(({ transport, warm }) => ({ transport, warm })),
      memory: result.failure === undefined ? (JSON.parse(result.text) as Memory) : undefined,
      result,
    };
  };
  const untilKept = async (count: number): Promise<void> => {
    while (client.warmProcesses().length !== count) await sleep(10);
  };
  return {
    client,
    scope,
    env: { NOTE_FILE: note },
    ask,
    untilKept,
    async warmUp(request = {}) {
      for (let run = 0; run < 2; run += 1) await ask(request);
      await untilKept(1);
    },
    untilLeft: (count) => untilFound(() => processesWith("E2E_TEST", env["E2E_TEST"] ?? ""), count),
    setLogin: (word) => writeFileSync(note, word),
    async untilFound(logins) {
      const found = (): readonly string[] => readFileSync(`${note}.found`, "utf8").split("\n").slice(0, -1);
      while (found().toSorted().join() !== logins.toSorted().join()) await sleep(10);
    },
  };
}
