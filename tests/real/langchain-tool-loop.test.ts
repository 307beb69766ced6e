import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { callsOf } from "../langchain/chat-model-suite/example-tools.ts";
import { readThread, type ThreadEvent } from "../support/runs/read-thread.ts";
import {
  BROKEN_ANSWER,
  BROKEN_STEP,
  createLoopTools,
  LOOP_ANSWER,
  LOOP_SCRIPT,
  LOOP_STEPS,
  LOOP_USAGE,
} from "./langchain-loop-script.ts";
import { realSubject } from "./langchain-subject.ts";

const QUESTION = "Read the five pages and add what you can.";
/** The broken answer as it stands in the correction. */
const SENT_BACK = BROKEN_ANSWER.replace("{{mark}}", "(mark)");
const CALLS = LOOP_STEPS.flatMap((step) => step.calls);
const RESULTS = LOOP_STEPS.flatMap((step) => step.results);

describe.each(["claude", "codex"] as const)("an agent of ten steps on real %s", (name) => {
  it(`every call of the agent on ${name} runs once and is sent to the model with all earlier ones, and no process is left`, async () => {
    const { model, told, running, close } = await realSubject(name).open(LOOP_SCRIPT);
    const { tools, executed } = createLoopTools();
    const agent = createAgent({ model, tools: [...tools], systemPrompt: "Work step by step." });
    const { messages } = await agent.invoke({ messages: [{ role: "user", content: QUESTION }] }, { recursionLimit: 60 });
    const ids = callIdsOf(messages);
    expectTrace(messages, ids);
    expect(executed).toEqual(CALLS);
    expect(told()).toHaveLength(LOOP_SCRIPT.length);
    for (const [request, words] of told().entries()) expectRequest(words, request, ids);
    await close();
    expect(await running()).toEqual([]);
  });
});

/** The messages: each answer with its calls, their results in order, unique ids, the tokens of each step, the last answer. */
function expectTrace(messages: readonly BaseMessage[], ids: readonly string[]): void {
  const types = LOOP_STEPS.flatMap(({ calls }) => ["ai", ...calls.map(() => "tool")]);
  expect(messages.map((message) => message.type)).toEqual(["human", ...types, "ai"]);
  const answers = messages.filter((message) => AIMessage.isInstance(message));
  expect(answers.map(callsOf)).toEqual([...LOOP_STEPS.map((step) => step.calls), []]);
  expect(new Set(ids).size).toBe(CALLS.length);
  const results = messages.filter((message) => ToolMessage.isInstance(message));
  expect(results.map(({ text, status }) => ({ text, status }))).toEqual(RESULTS);
  expect(results.map((result) => result.tool_call_id)).toEqual(ids);
  expect(answers.at(-1)?.content).toBe(LOOP_ANSWER);
  expect(answers.map((message) => message.usage_metadata)).toMatchObject(
    answers.map((_, step) => {
      const requests = step === BROKEN_STEP ? 2 : 1;
      const { inputTokens, outputTokens } = LOOP_USAGE;
      return { input_tokens: requests * inputTokens, output_tokens: requests * outputTokens };
    }),
  );
}

/** The content of one request: the question and all earlier steps; a corrective request also has an instruction and the broken answer. */
function expectRequest(words: string, request: number, ids: readonly string[]): void {
  for (const said of ["Work step by step.", QUESTION]) expect(words).toContain(said);
  const step = request > BROKEN_STEP ? request - 1 : request;
  const earlier = expectedEvents(step, ids);
  const events = readThread(words).filter(({ type, text }) => type !== "system" && text !== "");
  const extra = events.slice(earlier.length);
  expect(events.slice(0, earlier.length).map(withArguments)).toEqual(earlier);
  const isCorrection = request === BROKEN_STEP + 1;
  expect(extra.map(withArguments)).toEqual(isCorrection ? [{ type: "ai", text: SENT_BACK }] : []);
  const front = words.slice(0, words.lastIndexOf("<thread>"));
  expect(front.split("\n\n[Correction]\n")).toHaveLength(isCorrection ? 2 : 1);
}

function expectedEvents(step: number, ids: readonly string[]): readonly object[] {
  const before = LOOP_STEPS.slice(0, step);
  const events = before.flatMap(({ calls, results }, index) => {
    const first = before.slice(0, index).flatMap((earlier) => earlier.calls).length;
    const called = calls.map(({ name, args }, at) => ({ type: "tool_input", name, callId: ids[first + at], args }));
    const given = results.map(({ text, status }, at) => ({
      type: "tool_output",
      name: calls[at]?.name,
      callId: ids[first + at],
      status,
      text,
    }));
    return [...called, ...given];
  });
  return [{ type: "human", text: QUESTION }, ...events];
}

/** The event without its number, and a call with parsed arguments. */
function withArguments({ id: _, text, ...event }: ThreadEvent): object {
  return event.type === "tool_input" ? { ...event, args: JSON.parse(text) } : { ...event, text };
}

function callIdsOf(messages: readonly BaseMessage[]): readonly string[] {
  return messages
    .flatMap((message) => (AIMessage.isInstance(message) ? (message.tool_calls ?? []) : []))
    .map((call) => call.id ?? "");
}
