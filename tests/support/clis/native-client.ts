import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Client, createClient } from "../../../src/index.ts";
import type { PolicyOptions, WarmOptions } from "../../../src/spec/client-options.ts";
import type { JsonObject } from "../../../src/spec/json.ts";
import type { Message, ToolDefinition } from "../../../src/spec/message.ts";
import type { Provider } from "../../../src/spec/provider/provider.ts";
import type { RunRequest } from "../../../src/spec/request.ts";
import type { RunResult } from "../../../src/spec/result.ts";
import type { RunContext } from "../../../src/spec/stream.ts";
import type { AttemptStart, RunEvent } from "../../../src/spec/wire/events.ts";
import { processesWith, untilFound } from "../processes/process-scan.ts";
import { findBreaches } from "../runs/find-breaches.ts";
import { openTestScope } from "../test-scope.ts";
import { rememberingProvider } from "./remembering-provider.ts";

/** A tool with a default, so that it shows whether the defaults of a schema are filled in. */
export const LOOK: ToolDefinition = {
  name: "look",
  description: "Looks at a place",
  parameters: {
    type: "object",
    properties: { place: { type: "string" }, floor: { type: "number", default: 1 } },
    required: ["place"],
  },
};

/** The prompt for programs/calls-host-tools.mjs: the calls of `look` in each of its answers. */
export function calling(...answers: readonly (readonly JsonObject[])[]): string {
  return callingWith({}, ...answers);
}

/** The same with other settings of the program. */
export function callingWith(settings: JsonObject, ...answers: readonly (readonly JsonObject[])[]): string {
  return JSON.stringify({ ...settings, answers: answers.map((inputs) => inputs.map((input) => ({ name: LOOK.name, input }))) });
}

/** A finished run: its result, its events, and how its attempts were made. */
export type NativeRun = {
  readonly result: RunResult;
  readonly events: readonly RunEvent[];
  readonly attempts: readonly Pick<AttemptStart, "transport" | "warm">[];
};

/** A client for programs/calls-host-tools.mjs; it is closed after the test. */
export type NativeClient = {
  readonly client: Client;
  run(request: Partial<RunRequest>, context?: RunContext): Promise<NativeRun>;
  /** What the program noted: a line for each answer of its model, and for an interrupt. */
  notes(): readonly string[];
  untilLeft(count: number): Promise<void>;
};

/** Creates the client, for another program if its provider is given. */
export function openNativeClient(
  warm?: WarmOptions | false,
  policies: PolicyOptions | false = false,
  provider: Provider = rememberingProvider("calls-host-tools"),
): NativeClient {
  const { directory, env } = openTestScope();
  const note = join(directory, "note");
  const options = warm === undefined ? {} : { warm };
  const client = createClient({ policies, providers: [provider], env, ...options });
  onTestFinished(() => client.close());
  return {
    client,
    async run(request, context = {}) {
      const whole = { tools: [LOOK], ...request, env: { NOTE_FILE: note } } as RunRequest;
      const { events = [], ...result } = await client.run("bad", whole, { ...context, keepEvents: true }).outcome();
      const breaches = findBreaches(events);
      if (breaches.length > 0) throw new Error(breaches.join("\n"));
      const starts = events.flatMap((event) => (event.type === "attempt-start" ? [event] : []));
      return { result, events, attempts: starts.map(({ transport, warm: isWarm }) => ({ transport, warm: isWarm })) };
    },
    notes: () => (existsSync(note) ? readFileSync(note, "utf8").split("\n").slice(0, -1) : []),
    untilLeft: (count) => untilFound(() => processesWith("E2E_TEST", env["E2E_TEST"] ?? ""), count),
  };
}

/** The conversation after a run that ended with calls: its answer and a result for each call. */
export function withResults(messages: readonly Message[], { text, hostCalls = [] }: RunResult): readonly Message[] {
  const results = hostCalls.map(({ id, args }) => ({ role: "tool", callId: id, text: `seen: ${JSON.stringify(args)}` }) as const);
  return [...messages, { role: "assistant", text, toolCalls: hostCalls }, ...results];
}
