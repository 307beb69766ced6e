import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Client, createClient } from "../../../src/index.ts";
import type { WarmOptions } from "../../../src/spec/client-options.ts";
import type { Message } from "../../../src/spec/message.ts";
import type { RunRequest } from "../../../src/spec/request.ts";
import type { RunResult } from "../../../src/spec/result.ts";
import type { RunContext } from "../../../src/spec/stream.ts";
import type { AttemptStart } from "../../../src/spec/wire/events.ts";
import { rememberingProvider } from "../../support/clis/remembering-provider.ts";
import { processesWith, untilFound } from "../../support/processes/process-scan.ts";
import { findBreaches } from "../../support/runs/find-breaches.ts";
import { openTestScope } from "../../support/test-scope.ts";
import type { Memory } from "./warm-run.ts";

/** A message of the user. */
export const user = (text: string): Message => ({ role: "user", text });

/** One answer in a conversation: how it was asked for, what the program knew, and the conversation with the answer. */
export type Said = {
  readonly attempts: readonly Pick<AttemptStart, "transport" | "warm">[];
  readonly memory: Memory | undefined;
  readonly result: RunResult;
  readonly messages: readonly Message[];
};

/** A client for programs/remembers.mjs that is asked whole conversations, as a stateless caller does; it is closed after the test. */
export type Chat = {
  readonly client: Client;
  say(messages: readonly Message[], request?: Partial<RunRequest>, context?: RunContext): Promise<Said>;
  /** Makes a conversation of two messages, after which the process of its second answer waits; returns that answer. */
  begin(request?: Partial<RunRequest>): Promise<Said>;
  untilLeft(count: number): Promise<void>;
  /** Replaces the file of the program's login. */
  replaceLogin(): void;
};

/** Creates the client. Without other options it keeps no process but those of conversations. */
export function openChat(warm: WarmOptions = {}): Chat {
  const { directory, env } = openTestScope();
  const provider = rememberingProvider();
  const loginStatus = { files: { folder: ".login", variable: "LOGIN_HOME", names: ["login.json"] } };
  const client = createClient({
    policies: false,
    providers: [{ ...provider, loginStatus }],
    env: { ...env, LOGIN_HOME: directory },
    warm: { processes: 0, ...warm },
  });
  onTestFinished(() => client.close());
  const say: Chat["say"] = async (messages, request = {}, context = {}) => {
    const run = client.run("bad", { ...request, messages } as RunRequest, { ...context, keepEvents: true });
    const result = await run.outcome();
    const { events = [], text } = result;
    const breaches = findBreaches(events);
    if (breaches.length > 0) throw new Error(breaches.join("\n"));
    const starts = events.flatMap((event) => (event.type === "attempt-start" ? [event] : []));
    return {
      attempts: starts.map(({ transport, warm: isWarm }) => ({ transport, warm: isWarm })),
      memory: result.failure === undefined ? (JSON.parse(text) as Memory) : undefined,
      result,
      messages: [...messages, { role: "assistant", text }],
    };
  };
  return {
    client,
    say,
    async begin(request = {}) {
      const first = await say([user("one")], request);
      return await say([...first.messages, user("two")], request);
    },
    untilLeft: (count) => untilFound(() => processesWith("E2E_TEST", env["E2E_TEST"] ?? ""), count),
    replaceLogin: () => writeFileSync(join(directory, "login.json"), `${Math.random()}`),
  };
}
