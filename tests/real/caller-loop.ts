import { onTestFinished } from "vitest";
import { createClient } from "../../src/index.ts";
import type { WarmOptions } from "../../src/spec/client-options.ts";
import type { JsonObject, JsonValue } from "../../src/spec/json.ts";
import type { Message } from "../../src/spec/message.ts";
import type { RunResult } from "../../src/spec/result.ts";
import type { FakeAnswer } from "../../src/testing/index.ts";
import type { RealCli } from "../support/real-clis/real-cli.ts";

/** The last answer of a loop. */
export const RAIN: FakeAnswer = { kind: "text", text: "It rains." };

/** The message that begins a loop. */
export const PROMPT = { role: "user", text: "What is the weather?" } as const;

/** A client that keeps processes, as users have it. */
export function keepingClient({ env, provider }: RealCli, warm: WarmOptions = {}): ReturnType<typeof createClient> {
  const client = createClient({ policies: false, env, providers: [provider], warm });
  onTestFinished(() => client.close());
  return client;
}

/** The conversation after a run that ended with calls: its answer and a result for each call. */
export function withResults(messages: readonly Message[], { text, hostCalls = [] }: RunResult): readonly Message[] {
  const results = hostCalls.map(({ id, args }) => ({ role: "tool", callId: id, text: `rain in ${args["city"]}` }) as const);
  return [...messages, { role: "assistant", text, toolCalls: hostCalls }, ...results];
}

/** The messages or items of a request to the model, without the marks for its prompt cache and the ids that Codex gives. */
export function sentMessages({ body }: { readonly body: JsonObject }): readonly string[] {
  const list = (body["messages"] ?? body["input"] ?? []) as readonly JsonValue[];
  return list.map((message) => JSON.stringify(message, (key, value: JsonValue) => (key === "cache_control" ? undefined : value)));
}
