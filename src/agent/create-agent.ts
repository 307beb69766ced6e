import { type BaseMessageLike, coerceMessageLikeToMessage, HumanMessage } from "@langchain/core/messages";
import { toFailure } from "../failures/classify-error.ts";
import { budget } from "../policy/budget.ts";
import { DEFAULT_LINE_BYTES, DEFAULT_SPILL_BYTES } from "../run/defaults.ts";
import { failedEnd } from "../run/ends.ts";
import { openRun } from "../run/open-run.ts";
import type { PartContext } from "../run/part.ts";
import type { ResolvedTarget } from "../run/resolve-target.ts";
import { createFailure } from "../spec/create-failure.ts";
import type { RunEnd } from "../spec/events.ts";
import type { RunResult } from "../spec/result.ts";
import { RunError } from "../spec/run-error.ts";
import type { RunContext, RunStream } from "../spec/stream.ts";
import { type AgentOptions, type AgentSettings, readAgentOptions } from "./agent-options.ts";
import { bindModel } from "./agent-run.ts";
import { checkCompatibility } from "./compatibility/check-compatibility.ts";
import { runLoop } from "./loop.ts";
import { traced } from "./open-trace.ts";
import { createModelSource } from "./resolve-model.ts";
import { type Decision, Thread, type ThreadEvent } from "./thread.ts";

/** What belongs to one run and is not plain data. */
export type AgentContext = Pick<RunContext, "signal" | "onPermission" | "keepEvents">;

/** The result of an agent. With `finish: "tool-calls"` it has paused, and `hostCalls` wait for `resume`. */
export type AgentResult = RunResult & {
  /** The whole conversation as plain JSON, for `resume`. */
  readonly thread: readonly ThreadEvent[];
};

/** A run of an agent: the events of a run, with a result that has the thread. */
export type AgentStream = Omit<RunStream, "result" | "outcome"> & {
  /** The result; rejects with a RunError when the run failed. */
  result(): Promise<AgentResult>;
  /** The result, failed or not; never rejects. */
  outcome(): Promise<AgentResult>;
};

/** Answers with the help of tools; each method starts a run at once. */
export type Agent = {
  ask(text: string, context?: AgentContext): AgentStream;
  /** The same after an earlier conversation, in any of LangChain's forms, such as `{ role: "user", content: "…" }`. */
  askWithHistory(messages: readonly BaseMessageLike[], text: string, context?: AgentContext): AgentStream;
  /** Goes on with the thread of a result: after a pause with the decisions about its calls, by their ids. */
  resume(thread: readonly ThreadEvent[], decisions?: Readonly<Record<string, Decision>>, context?: AgentContext): AgentStream;
};

/** Creates an agent; it loads no model and starts no process before its first run. */
export function createAgent(options: AgentOptions): Agent {
  const read = readAgentOptions(options);
  const { target, subject, open } = createModelSource(options);
  const settings: AgentSettings = { ...read, warnings: checkCompatibility(options, subject).warnings };
  const start = (thread: Thread, input: string, context: AgentContext, refusal?: RunEnd): AgentStream => {
    const work = (part: PartContext): Promise<RunEnd> =>
      traced(settings, input, part.resultAt, async (trace) => {
        if (refusal !== undefined) return refusal;
        const model = await open().catch((error: unknown) => failedEnd(toFailure(error)));
        if ("finish" in model) return model;
        return runLoop({ ...part, settings, model, bound: bindModel(model, settings), thread, callbacks: () => trace.child() });
      });
    const begin = (part: PartContext): Promise<RunEnd> => withinBudget(settings, target, part, work);
    return withThread(openRun(newHost(), {}, context, begin, target), thread);
  };
  return {
    ask: (text, context = {}) => start(threadWith([], text), text, context),
    askWithHistory: (messages, text, context = {}) => start(threadWith(messages, text), text, context),
    resume(events, decisions = {}, context = {}) {
      const thread = new Thread(events);
      const unknown = Object.keys(decisions).find((id) => !thread.openCalls().some((call) => call.id === id));
      for (const [id, decision] of Object.entries(decisions)) if (unknown === undefined) thread.decide(id, decision);
      const why = `No call with the id ${JSON.stringify(unknown)} waits for a decision.`;
      return start(thread, "", context, unknown === undefined ? undefined : failedEnd(createFailure("bad-request", why)));
    },
  };
}

function threadWith(history: readonly BaseMessageLike[], text: string): Thread {
  if (typeof text !== "string") throw new TypeError("An agent is asked with a string.");
  const thread = new Thread();
  for (const message of history) thread.add("message", coerceMessageLikeToMessage(message));
  thread.add("message", new HumanMessage(text));
  return thread;
}

let runs = 0;

/** What a run of an agent needs of its surroundings; its processes belong to the client of its model. */
function newHost(): Parameters<typeof openRun>[0] {
  return {
    limits: { lineBytes: DEFAULT_LINE_BYTES, spillBytes: DEFAULT_SPILL_BYTES },
    spills: new Set(),
    closing: new AbortController().signal,
    nextRunId: () => `agent-${process.pid}.${++runs}`,
  };
}

function withinBudget(
  settings: AgentSettings,
  target: ResolvedTarget,
  part: PartContext,
  work: (part: PartContext) => Promise<RunEnd>,
): Promise<RunEnd> {
  const request = { prompt: "", ...(settings.budget !== undefined && { budget: settings.budget }) };
  return budget()((_targets, _request, context) => work(context))([target], request, part);
}

function withThread(stream: RunStream, thread: Thread): AgentStream {
  const outcome = async (): Promise<AgentResult> => ({ ...(await stream.outcome()), thread: thread.events });
  return {
    [Symbol.asyncIterator]: () => stream[Symbol.asyncIterator](),
    batches: () => stream.batches(),
    interrupt: () => stream.interrupt(),
    outcome,
    async result() {
      await stream.result().catch(() => undefined);
      const result = await outcome();
      if (result.failure !== undefined) throw new RunError(result.failure, result);
      return result;
    },
  };
}
