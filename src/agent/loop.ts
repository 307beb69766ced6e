import { untilAborted } from "../adapters/langchain/refusal.ts";
import { toFailure } from "../failures/classify.ts";
import { askAgain } from "../prompts/tool-prompt.ts";
import { cancelledEnd, failedEnd } from "../run/part.ts";
import { createFailure } from "../spec/failure/failure.ts";
import { defined, type JsonObject, type JsonValue } from "../spec/json.ts";
import type { RunEnd } from "../spec/wire/events.ts";
import type { AgentRun } from "./agent-run.ts";
import { toErrorResult } from "./call-tool.ts";
import type { ModelAnswer } from "./model/agent-model.ts";
import { type StoredMessage, stored, textOf } from "./model/message.ts";
import { runTools } from "./run-tools.ts";
import { think } from "./think.ts";
import type { ObjectReading, WantedObject } from "./wanted-object.ts";

/**
 * The loop of an agent: run the tools that the last answer called, then ask the model again, until it answers without a call. The
 * thread says what comes next, so a paused or failed run is resumed by the same loop.
 */
export async function runLoop(run: AgentRun): Promise<RunEnd> {
  try {
    return await runSteps(run);
  } catch (error) {
    const failure = toFailure(error);
    return run.signal.aborted && failure.category === "cancelled" ? cancelledEnd() : failedEnd(failure);
  }
}

async function runSteps(run: AgentRun): Promise<RunEnd> {
  const { thread, writer, signal, wanted } = run;
  const firstStep = thread.step;
  let corrections = 0;
  for (;;) {
    const tools = await runTools(run);
    if (signal.aborted) return cancelledEnd();
    if (tools === "waiting") return { type: "run-end", finish: "tool-calls" };
    const given = wanted && (await takeCall(run, wanted));
    if (given !== undefined) return given;
    const stop = await findStop(run, thread.step - firstStep);
    if (stop !== undefined) return stop;
    const answer = await think(run);
    answerInvalidCalls(run, answer.message);
    if (isFinal(answer.message)) {
      const end =
        wanted === undefined ? answeredEnd(run, answer) : await takeText(run, wanted, textOf(answer.message), corrections++);
      if (end !== undefined) return end;
    }
    writer.flush();
  }
}

/** The reason not to ask the model again after the steps of this run: too many failed, too many in all, or the caller's own condition. */
async function findStop(run: AgentRun, steps: number): Promise<RunEnd | undefined> {
  const { settings, thread, writer } = run;
  const { maxFailedSteps, maxSteps, stopWhen } = settings;
  if (Math.min(steps, thread.failedSteps()) >= maxFailedSteps) {
    const last = thread.messages.at(-1);
    const why = `All tool calls of ${maxFailedSteps} steps in a row failed. The last: ${last === undefined ? "" : textOf(last)}`;
    return failedEnd(createFailure("tools-failing", why));
  }
  if (steps >= maxSteps) return failedEnd(createFailure("turn-limit", `The agent has made ${maxSteps} steps without an answer.`));
  if (steps === 0 || stopWhen === undefined) return undefined;
  const state = defined({ steps, thread: thread.events, usage: writer.usage, costUsd: writer.costUsd });
  return (await stopWhen(state)) ? { type: "run-end", finish: "stop" } : undefined;
}

function isFinal({ data: { tool_calls: calls = [], invalid_tool_calls: invalid = [] } }: StoredMessage): boolean {
  return calls.length === 0 && invalid.length === 0;
}

/** A call that cannot be read gets its error as its result, so that the model can make it again. */
function answerInvalidCalls({ thread }: AgentRun, { data }: StoredMessage): void {
  for (const { id = "", name = "", error = "The call cannot be read." } of data.invalid_tool_calls ?? [])
    thread.add("result", toErrorResult({ id, name, args: {} }, error));
}

function answeredEnd({ thread }: AgentRun, { message, finish }: ModelAnswer): RunEnd {
  const answerId = textOf(message) === "" ? {} : { answerId: `step-${thread.step}` };
  return { type: "run-end", finish, ...answerId };
}

/** The end of a run whose model has called the tool for the answer in its last step; undefined if it has not. */
async function takeCall(run: AgentRun, wanted: WantedObject): Promise<RunEnd | undefined> {
  const { thread, signal } = run;
  const isTaken = ({ id = "", name }: { id?: string; name: string }): boolean =>
    name === wanted.tool?.name && thread.resultOf(id)?.data.status === "success";
  const call = thread.lastAnswer()?.data.tool_calls?.find(isTaken);
  if (call === undefined) return undefined;
  const reading = await untilAborted(wanted.readValue(call.args as JsonObject), signal);
  return "problems" in reading
    ? mismatch(reading.problems, JSON.stringify(call.args))
    : writeObject(run, reading.value, "object");
}

/** The end of a run with a last answer as text; undefined if the model is told to correct it, which happens once. */
async function takeText(run: AgentRun, wanted: WantedObject, text: string, corrections: number): Promise<RunEnd | undefined> {
  const { thread, writer, signal } = run;
  const missing = `The answer must be given by a call of the tool ${wanted.tool?.name}.`;
  const reading: ObjectReading =
    wanted.tool === undefined ? await untilAborted(wanted.readText(text), signal) : { problems: [missing] };
  if ("value" in reading) return writeObject(run, reading.value, `step-${thread.step}`);
  if (corrections > 0) return mismatch(reading.problems, text);
  writer.write({ type: "warning", code: "object-corrected", message: reading.problems.slice(0, 8).join(" ") });
  thread.add("message", stored("human", { content: askAgain(reading.problems) }));
  return undefined;
}

function writeObject({ writer }: AgentRun, object: JsonValue, messageId: string): RunEnd {
  writer.write({ type: "object-delta", object });
  writer.writeText(messageId, JSON.stringify(object));
  writer.write({ type: "text-end", messageId });
  return { type: "run-end", finish: "stop", answerId: messageId };
}

function mismatch(problems: readonly string[], partialText: string): RunEnd {
  const why = `The model gave an invalid answer: ${problems.slice(0, 8).join(" ")}`;
  return failedEnd(createFailure("schema-mismatch", why, { partialText }), partialText);
}
