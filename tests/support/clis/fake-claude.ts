import { setTimeout as delay } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { claude } from "../../../src/clis/claude/provider.ts";
import { type Client, createClient } from "../../../src/index.ts";
import type { JsonObject } from "../../../src/spec/json.ts";
import type { Provider } from "../../../src/spec/provider/provider.ts";
import type { RunRequest } from "../../../src/spec/request.ts";
import type { RunContext, RunStream } from "../../../src/spec/stream.ts";
import { createFakeCli, type FakeCall, type FakeStep } from "../../../src/testing/index.ts";
import { openTestScope } from "../test-scope.ts";

/** A real program in Claude's place that plays the given steps. */
export type FakeClaude = {
  readonly client: Client;
  run(request?: Partial<RunRequest>, context?: RunContext): RunStream;
  /** The arguments and input of each start; waits until every process has ended by itself. */
  calls(): Promise<readonly FakeCall[]>;
};

const POLL_MS = 20;

/** Creates the program and a client for it; both are removed after the test. */
export function fakeClaude(steps: readonly FakeStep[], changes: Partial<Provider> = {}): FakeClaude {
  const { env } = openTestScope();
  const cli = createFakeCli(steps);
  const client = createClient({ policies: false, providers: [{ ...cli.as(claude), ...changes }], env });
  let runs = 0;
  onTestFinished(async () => {
    await client.close();
    cli.remove();
  });
  return {
    client,
    run: (request, context) => {
      runs += 1;
      return client.run("claude", { prompt: "Say something.", ...request }, context);
    },
    calls: async () => {
      while (cli.calls().length < runs) await delay(POLL_MS);
      return cli.calls();
    },
  };
}

/** Prints a line in Claude's format. */
export function print(value: JsonObject): FakeStep {
  return { do: "print", value };
}

/** The line with the session id. */
export const INIT: JsonObject = { type: "system", subtype: "init", session_id: "fake", tools: [], mcp_servers: [] };

/** The line of an event of the API's stream. */
export function streamed(event: JsonObject): JsonObject {
  return { type: "stream_event", event, parent_tool_use_id: null };
}

/** The line of a complete tool call. */
export function toolUse(id: string, name: string, input: JsonObject): JsonObject {
  const content = [{ type: "tool_use", id, name, input }];
  return {
    type: "assistant",
    message: { id: "msg_1", role: "assistant", model: "test-model", content },
    parent_tool_use_id: null,
  };
}

/** The line of a tool's result. */
export function toolResult(id: string, output: string): JsonObject {
  return { type: "user", message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: output }] } };
}

/** The line that ends a turn with an answer, without token counts. */
export function resultLine(text: string, fields: JsonObject = {}): JsonObject {
  return { type: "result", subtype: "success", is_error: false, result: text, session_id: "fake", ...fields };
}
