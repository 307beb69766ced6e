import { AIMessage, mapStoredMessagesToChatMessages } from "@langchain/core/messages";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createAgent, type ThreadEvent } from "../../src/agent/index.ts";
import { claude } from "../../src/clis/claude/provider.ts";
import type { RunEvent } from "../../src/spec/wire/events.ts";
import { fakeClaude, INIT, print, resultLine, toolResult, toolUse } from "../support/clis/fake-claude.ts";
import { createClientInScope } from "../support/clis/rehearsal-client.ts";

const WAYS = [
  ["by its client", {}],
  ["by LangChain, whose callbacks watch", { callbacks: [{}] }],
] as const;

const look = {
  name: "look",
  parameters: { type: "object", properties: { at: { type: "string" } }, required: ["at"] },
  run: ({ at }: { readonly at: string }) => ({ seen: at }),
};

/** A thread as it was stored by the first version, which made every message by LangChain. */
const STORED: readonly ThreadEvent[] = [
  {
    type: "message",
    step: 0,
    message: { type: "human", data: { content: "Look.", additional_kwargs: {}, response_metadata: {} } },
  },
  {
    type: "answer",
    step: 1,
    message: {
      type: "ai",
      data: {
        tool_calls: [{ name: "look", args: { at: "at" }, id: "call_1", type: "tool_call" }],
        invalid_tool_calls: [],
        content: "",
        additional_kwargs: {},
        response_metadata: {
          model: "tool-caller",
          model_name: "tool-caller",
          model_provider: "coxswain-rehearsal",
          finish_reason: "tool_calls",
          cost_usd: 0,
        },
        usage_metadata: {
          ...{ input_tokens: expect.any(Number), output_tokens: expect.any(Number), total_tokens: expect.any(Number) },
          input_token_details: { cache_read: 0, cache_creation: 0 },
          output_token_details: {},
        },
        id: expect.stringMatching(/^run-[\da-f-]{36}$/),
      },
    },
  },
  {
    type: "result",
    step: 1,
    message: {
      type: "tool",
      data: {
        status: "success",
        content: '{"seen":"at"}',
        tool_call_id: "call_1",
        name: "look",
        additional_kwargs: {},
        response_metadata: {},
      },
    },
  },
];

describe.each(WAYS)("a CLI that is asked %s", (_, options) => {
  it("leaves the same thread, which LangChain reads", async () => {
    const agent = createAgent({
      ...{ model: "cli:rehearsal/tool-caller", client: createClientInScope(), tools: [look as never] },
      ...options,
    });
    const { thread } = await agent.ask("Look.").result();
    const stored: readonly ThreadEvent[] = JSON.parse(JSON.stringify(thread));
    const [, , result] = stored;
    // LangChain writes its version into the results that it makes.
    if (result?.type === "result") Reflect.deleteProperty(result.message.data, "metadata");
    expect(stored.slice(0, 3)).toEqual(STORED);
    expect(JSON.stringify(stored[1])).toMatch(
      /"message":\{"type":"ai","data":\{"tool_calls":\[.*"invalid_tool_calls":\[\],"content":""/,
    );
    const [, answer] = mapStoredMessagesToChatMessages(
      thread.flatMap((event) => ("message" in event ? [event.message as never] : [])),
    );
    expect(answer).toBeInstanceOf(AIMessage);
    expect(answer).toMatchObject({ tool_calls: [{ name: "look", args: { at: "at" } }] });
  });

  it("goes on from a stored thread", async () => {
    const thread = STORED.slice(0, 2);
    const agent = createAgent({
      ...{ model: "cli:rehearsal/tool-caller", client: createClientInScope(), tools: [look as never] },
      ...options,
    });
    expect((await agent.resume(thread).result()).text).toBe('The tool said: {"seen":"at"}');
  });

  it("tells of the tools that it runs itself", async () => {
    const steps = [
      ...[INIT, toolUse("t1", "Bash", { command: "ls" }), toolResult("t1", "a.txt"), toolUse("t2", "Bash", { command: "b" })],
      resultLine("Done."),
    ].map(print);
    const traits = { ...claude.traits, ownTools: "restrict" } as const;
    const { client } = fakeClaude([{ do: "read", what: "line" }, ...steps], { traits });
    const { events = [] } = await createAgent({ model: "cli:claude", client, ...options })
      .ask("List.", { keepEvents: true })
      .result();
    const told = events.filter(({ type }) => type.startsWith("tool-")).map(withoutTimes);
    const first = { id: "t1", name: "Bash", step: 1, model: "claude" };
    const second = { ...first, id: "t2" };
    expect(told).toEqual([
      { type: "tool-start", ...first },
      { type: "tool-call", ...first, input: { command: "ls" }, executor: "cli" },
      { type: "tool-end", ...first, input: { command: "ls" }, output: "a.txt", isError: false },
      { type: "tool-start", ...second },
      { type: "tool-call", ...second, input: { command: "b" }, executor: "cli" },
      { type: "tool-end", ...second, input: { command: "b" }, output: null, isError: false, synthetic: true },
    ]);
  });
});

function withoutTimes(event: RunEvent): object {
  const { seq: _, atMs: __, durationMs: ___, ...others } = event as RunEvent & { durationMs?: number };
  return others;
}

it("LangChain's own settings trace an agent on a CLI, where it is installed", async () => {
  const printed: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((line) => void printed.push(String(line)));
  vi.stubEnv("LANGCHAIN_VERBOSE", "true");
  onTestFinished(() => {
    vi.unstubAllEnvs();
    log.mockRestore();
  });
  await createAgent({ model: "cli:rehearsal", client: createClientInScope(), name: "steward" }).ask("Hello").result();
  expect(printed.join("\n")).toMatch(/steward[\s\S]*ChatCli/);
});
