import { tmpdir } from "node:os";
import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { AIMessage, coerceMessageLikeToMessage, HumanMessage } from "@langchain/core/messages";
import { RunCollectorCallbackHandler } from "@langchain/core/tracers/run_collector";
import { describe, expect, test } from "vitest";
import { ChatCli } from "../../src/adapters/langchain/index.ts";
import { type Agent, createAgent, messagesOf, type StreamChunk, toStreamChunks } from "../../src/agent/index.ts";
import { ScriptedModel } from "../support/agents/scripted-model.ts";
import { fakeClaude, INIT, resultLine, toolResult, toolUse } from "../support/clis/fake-claude.ts";
import { createClientInScope } from "../support/clis/rehearsal-client.ts";
import { eventsOf } from "../support/runs/read-run.ts";

/** The rehearsal CLI in agent mode: it calls its own tool Clock. */
function cliWithTool(): ChatCli {
  return new ChatCli({
    provider: "rehearsal/tool",
    client: createClientInScope(),
    request: { mode: "agent", cwd: tmpdir() },
  });
}

type Handlers = { readonly callbacks?: BaseCallbackHandler[] };

/** An agent whose CLI runs a tool itself. */
function agentWithCliTool(handlers: Handlers = {}): Agent {
  return createAgent({ model: cliWithTool(), ...handlers });
}

/** An agent that runs a tool of its caller, called by a CLI as its model. */
function agentWithHostTool(handlers: Handlers = {}): Agent {
  const parameters = { type: "object", properties: { zone: { type: "string", examples: ["UTC"] } }, required: ["zone"] };
  const clock = { name: "Clock", parameters, run: ({ zone }: { readonly zone: string }) => `It is late in ${zone}.` };
  const model = "cli:rehearsal/tool-caller";
  return createAgent({ model, client: createClientInScope(), tools: [clock as never], ...handlers });
}

const BOTH = [
  ["that the CLI ran", agentWithCliTool, "cli", "tool"],
  ["of the caller", agentWithHostTool, "host", "tool-caller"],
] as const;

describe.each(BOTH)("a tool %s", (whose, openAgent, executor, model) => {
  test(`R202 R205 the events of a tool ${whose} have step, name, id, model, arguments, result and duration`, async () => {
    const { events = [], text } = await openAgent().ask("What time is it?", { keepEvents: true }).result();
    const about = { id: expect.stringMatching(/./), name: "Clock", step: 1, model };
    const [start, call, end] = [eventsOf(events, "tool-start"), eventsOf(events, "tool-call"), eventsOf(events, "tool-end")];
    expect(start).toMatchObject([about]);
    expect(call).toMatchObject([{ ...about, input: { zone: "UTC" }, executor }]);
    const output = expect.stringMatching(/./);
    expect(end).toMatchObject([{ ...about, input: { zone: "UTC" }, output, isError: false, durationMs: expect.any(Number) }]);
    expect(new Set([start[0]?.id, call[0]?.id, end[0]?.id]).size).toBe(1);
    // Pieces that arrive together are one event, so that their number depends on the speed of the machine.
    const said = eventsOf(events, "text-delta").map((event) => event.text);
    expect(text).toMatch(/\w+/);
    expect(said.join("").endsWith(text)).toBe(true);
  });

  test(`R189 the chunks of a tool ${whose} have its name, id, complete arguments, result and duration`, async () => {
    const chunks: StreamChunk[] = [];
    for await (const chunk of toStreamChunks(openAgent().ask("What time is it?"))) chunks.push(chunk);
    const about = { toolName: "Clock", toolCallId: expect.stringMatching(/./) };
    const toolArgs = '{"zone":"UTC"}';
    expect(chunks.filter(({ type }) => type !== "content")).toEqual([
      { type: "tool_call_start", ...about },
      { type: "tool_call", toolCall: { id: expect.any(String), name: "Clock", args: { zone: "UTC" } }, ...about, toolArgs },
      { type: "tool_call_end", ...about, toolArgs, toolResult: expect.stringMatching(/./), toolDuration: expect.any(Number) },
    ]);
  });

  test(`R186 R189 the chunks of text stand where the model said them, before and after a tool ${whose}`, async () => {
    const run = openAgent().ask("What time is it?", { keepEvents: true });
    const chunks: StreamChunk[] = [];
    for await (const chunk of toStreamChunks(run)) chunks.push(chunk);
    const { events = [], text } = await run.result();
    const content = chunks.flatMap((chunk) => (chunk.type === "content" ? [chunk.content] : []));
    expect(content).toEqual(eventsOf(events, "text-delta").map((event) => event.text));
    expect(content.join("").endsWith(text)).toBe(true);
    const order = chunks.map(({ type }) => type).filter((type, index, all) => type !== "content" || all[index - 1] !== "content");
    const tool = ["tool_call_start", "tool_call", "tool_call_end"];
    expect(order.slice(order.indexOf("tool_call_start"))).toEqual([...tool, "content"]);
  });

  test(`R193 a tracer of LangChain shows a tool ${whose} below the run of the agent`, async () => {
    const collector = new RunCollectorCallbackHandler();
    await openAgent({ callbacks: [collector] })
      .ask("What time is it?")
      .result();
    const [root, ...others] = collector.tracedRuns;
    expect(others).toEqual([]);
    expect(root).toMatchObject({ name: "agent", run_type: "chain", inputs: { input: "What time is it?" } });
    const [tool, ...more] = toolRuns(root);
    expect(more).toEqual([]);
    expect(tool).toMatchObject({ name: "Clock", run_type: "tool" });
    expect(tool?.error).toBeUndefined();
    expect(JSON.stringify(tool?.inputs)).toContain("UTC");
    expect(JSON.stringify(tool?.outputs)).toMatch(/late|\d\d:\d\d/);
  });
});

type Run = RunCollectorCallbackHandler["tracedRuns"][number];

/** The runs of tools in a tree of runs. */
function toolRuns(run: Run | undefined): readonly Run[] {
  if (run === undefined) return [];
  return [...(run.run_type === "tool" ? [run] : []), ...(run.child_runs ?? []).flatMap(toolRuns)];
}

/** Writes down the callbacks of tools. */
class ToolLog extends BaseCallbackHandler {
  override name = "tool-log";
  override awaitHandlers = true;
  readonly log: string[] = [];

  override handleToolStart(
    ...[, input, , parent, , , name, callId]: Parameters<NonNullable<BaseCallbackHandler["handleToolStart"]>>
  ): void {
    this.log.push(`start ${name} ${input} ${callId !== undefined && parent !== undefined}`);
  }

  override handleToolEnd(output: { readonly content: string; readonly tool_call_id: string }): void {
    this.log.push(`end ${/^\d{4}-/.test(output.content)} ${output.tool_call_id !== ""}`);
  }
}

describe("the callbacks of a chat model whose CLI runs tools", () => {
  test.each(["invoke", "stream"] as const)("R193 handleToolStart and handleToolEnd are called during %s", async (method) => {
    const handler = new ToolLog();
    const answer = await cliWithTool()[method]("What time is it?", { callbacks: [handler] });
    if (!("content" in answer)) for await (const _ of answer);
    expect(handler.log).toEqual(['start Clock {"zone":"UTC"} true', "end true true"]);
  });
});

test("R189 text and a tool that the CLI prints at once keep their order in the chunks", async () => {
  const say = (id: string, text: string) => ({
    type: "assistant",
    message: { id, role: "assistant", model: "test-model", content: [{ type: "text", text }] },
  });
  const lines = [
    ...[INIT, say("msg_0", "First."), toolUse("t1", "Bash", { command: "ls" }), toolResult("t1", "a.txt")],
    ...[say("msg_2", "Last."), resultLine("Last.")],
  ];
  const { client } = fakeClaude([
    { do: "read", what: "line" },
    { do: "write", text: lines.map((line) => `${JSON.stringify(line)}\n`).join("") },
  ]);
  const model = new ChatCli({ provider: "claude", client, request: { mode: "agent", cwd: tmpdir() } });
  const told: string[] = [];
  for await (const chunk of toStreamChunks(createAgent({ model }).ask("Look.")))
    told.push(chunk.type === "content" ? chunk.content.trim() : chunk.type);
  expect(told).toEqual(["First.", "tool_call_start", "tool_call", "tool_call_end", "Last."]);
});

describe("asking", () => {
  test("R190 ask answers a question", async () => {
    const agent = createAgent({ model: "cli:rehearsal", client: createClientInScope() });
    const { text, finish } = await agent.ask("Who steers?").result();
    expect({ finish, text }).toEqual({ finish: "stop", text: expect.stringContaining("Who steers?") });
  });

  test("R190 askWithHistory answers after a conversation, and its thread is the next history", async () => {
    const model = new ScriptedModel("Oslo.", "Yes.");
    const agent = createAgent({ model });
    const history = [{ role: "user", content: "I live in Norway." }, new AIMessage("Noted.")];
    const first = await agent.askWithHistory(history, "What is my capital?").result();
    await agent.askWithHistory(messagesOf(first.thread), "Sure?").result();
    expect(model.asked[1]?.map(({ type, text }) => `${type}: ${text}`)).toEqual([
      "human: I live in Norway.",
      "ai: Noted.",
      "human: What is my capital?",
      "ai: Oslo.",
      "human: Sure?",
    ]);
    const [asked] = messagesOf(first.thread).map((message) => coerceMessageLikeToMessage(message));
    expect(asked).toEqual(new HumanMessage("I live in Norway."));
    expect(asked).toBeInstanceOf(HumanMessage);
  });

  test("R190 askWithHistory gives a CLI the whole conversation", async () => {
    const agent = createAgent({ model: "cli:rehearsal", client: createClientInScope() });
    const { text } = await agent.askWithHistory([["human", "I live in Norway."]], "What is my capital?").result();
    expect(text).toContain("<thread>");
  });
});
