import { describe, expect, test } from "vitest";
import { ChatCli } from "../../src/adapters/langchain/index.ts";
import { createAgent, type StreamChunk, toStreamChunks } from "../../src/agent/index.ts";
import type { RunEvent } from "../../src/spec/wire/events.ts";
import { fakeClaude, INIT, print, resultLine, streamed, toolResult, toolUse } from "../support/clis/fake-claude.ts";

const PROMPT_READ = { do: "read", what: "line" } as const;

/** The chunks of a run; `onChunk` sees each one while the CLI still runs. */
async function chunksOf(
  run: AsyncIterable<RunEvent>,
  onChunk: (chunk: StreamChunk) => void = () => {},
): Promise<readonly StreamChunk[]> {
  const chunks: StreamChunk[] = [];
  for await (const chunk of toStreamChunks(run)) {
    chunks.push(chunk);
    onChunk(chunk);
  }
  return chunks;
}

describe("the chunks of a tool call", () => {
  test("R180 R185 R189 the start comes when the block begins, and a call that is cut in its arguments gets an end without a result", async () => {
    const block = { type: "tool_use", id: "t1", name: "Bash", input: {} };
    const start = streamed({ type: "content_block_start", index: 0, content_block: block });
    const piece = { type: "input_json_delta", partial_json: '{"comm' };
    const delta = streamed({ type: "content_block_delta", index: 0, delta: piece });
    // The CLI writes no more than this: a start that waits for the arguments never comes.
    const fake = fakeClaude([PROMPT_READ, print(INIT), print(start), print(delta), { do: "read", what: "all" }]);
    const run = fake.run({ mode: "agent", timeouts: { idleMs: 20_000 } });
    const chunks = await chunksOf(run, ({ type }) => {
      if (type === "tool_call_start") run.interrupt();
    });
    expect(chunks).toEqual([
      { type: "tool_call_start", toolName: "Bash", toolCallId: "t1" },
      { type: "tool_call_end", toolName: "Bash", toolCallId: "t1", toolDuration: expect.any(Number), synthetic: true },
    ]);
  });

  test("R184 R189 a call without a result is ended by the end of the turn, marked, with its arguments and without an invented result", async () => {
    const calls = ["t1", "t2"].map((id) => print(toolUse(id, "Bash", { command: id })));
    const fake = fakeClaude([PROMPT_READ, print(INIT), ...calls, print(toolResult("t2", "ok")), print(resultLine("Done."))]);
    const about = (id: string) => ({ toolName: "Bash", toolCallId: id, toolArgs: `{"command":"${id}"}` });
    const chunks = await chunksOf(fake.run({ mode: "agent" }));
    expect(chunks.filter(({ type }) => type === "tool_call_end")).toEqual([
      { type: "tool_call_end", ...about("t2"), toolResult: "ok", toolDuration: expect.any(Number) },
      { type: "tool_call_end", ...about("t1"), toolDuration: expect.any(Number), synthetic: true },
    ]);
    expect(chunks.filter(({ type }) => type === "tool_call_start")).toHaveLength(2);
  });

  test("R184 R189 an agent whose CLI shows no result of its tool reports none, and a tracer sees why", async () => {
    const fake = fakeClaude([
      PROMPT_READ,
      print(INIT),
      print(toolUse("t1", "Bash", { command: "a" })),
      print(resultLine("Done.")),
    ]);
    const model = new ChatCli({ provider: "claude", client: fake.client, request: { mode: "agent" } });
    const traced: unknown[] = [];
    const callbacks = [
      { handleToolEnd: (...end: unknown[]) => traced.push(end), handleToolError: (e: Error) => traced.push(e.message) },
    ];
    const chunks = await chunksOf(createAgent({ model, callbacks }).ask("Go on."));
    expect(chunks.filter(({ type }) => type === "tool_call_end")).toEqual([
      {
        type: "tool_call_end",
        ...{ toolName: "Bash", toolCallId: "t1", toolArgs: '{"command":"a"}' },
        ...{ toolDuration: expect.any(Number), synthetic: true },
      },
    ]);
    expect(traced).toEqual(["The run ended before the result of this call was seen."]);
  });
});
