import type { AIMessage } from "@langchain/core/messages";
import { toFailure } from "../failures/classify-error.ts";
import { cancelledEnd, failedEnd } from "../run/ends.ts";
import { createFailure } from "../spec/failure/create-failure.ts";
import type { RunEnd } from "../spec/wire/events.ts";
import type { AgentRun } from "./agent-run.ts";
import { toErrorResult } from "./call-tool.ts";
import { takeCall, takeText } from "./object-answer.ts";
import { finishOf } from "./read-answer.ts";
import { runTools } from "./run-tools.ts";
import { think } from "./think.ts";

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
    answerInvalidCalls(run, answer);
    if (isFinal(answer)) {
      const end = wanted === undefined ? answeredEnd(run, answer) : await takeText(run, wanted, answer, corrections++);
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
    const last = thread.messages.at(-1)?.text ?? "";
    return failedEnd(
      createFailure("tools-failing", `All tool calls of ${maxFailedSteps} steps in a row failed. The last: ${last}`),
    );
  }
  if (steps >= maxSteps) return failedEnd(createFailure("turn-limit", `The agent has made ${maxSteps} steps without an answer.`));
  if (steps === 0 || stopWhen === undefined) return undefined;
  const { usage, costUsd } = writer;
  const state = { steps, thread: thread.events, ...(usage && { usage }), ...(costUsd !== undefined && { costUsd }) };
  return (await stopWhen(state)) ? { type: "run-end", finish: "stop" } : undefined;
}

function isFinal({ tool_calls: calls = [], invalid_tool_calls: invalid = [] }: AIMessage): boolean {
  return calls.length === 0 && invalid.length === 0;
}

/** A call that cannot be read gets its error as its result, so that the model can make it again. */
function answerInvalidCalls({ thread }: AgentRun, { invalid_tool_calls: invalid = [] }: AIMessage): void {
  for (const { id = "", name = "", error = "The call cannot be read." } of invalid)
    thread.add("result", toErrorResult({ id, name, args: {} }, error));
}

function answeredEnd({ thread }: AgentRun, answer: AIMessage): RunEnd {
  const answerId = answer.text === "" ? {} : { answerId: `step-${thread.step}` };
  return { type: "run-end", finish: finishOf(answer), ...answerId };
}
