import { CallbackManager } from "@langchain/core/callbacks/manager";
import { type BaseMessageLike, coerceMessageLikeToMessage, HumanMessage } from "@langchain/core/messages";
import type { Client } from "../client.ts";
import { checkCompatibility } from "../compatibility/check-compatibility.ts";
import { toFailure } from "../failures/classify.ts";
import { budget } from "../policy/budget.ts";
import { DEFAULT_LINE_BYTES, DEFAULT_SPILL_BYTES } from "../request/defaults.ts";
import type { ResolvedTarget } from "../request/targets.ts";
import { listenerOf } from "../run/observe-run.ts";
import { openRun } from "../run/open-run.ts";
import { failedEnd, type PartContext } from "../run/part.ts";
import { createFailure, type Failure } from "../spec/failure/failure.ts";
import { RunError } from "../spec/failure/run-error.ts";
import type { JsonValue } from "../spec/json.ts";
import type { RunResult } from "../spec/result.ts";
import type { OutputSchema } from "../spec/standard-schema.ts";
import type { RunContext, RunStream } from "../spec/stream.ts";
import type { RunEnd } from "../spec/wire/events.ts";
import {
  type AgentContext,
  type AnswerTool,
  checkAgentContext,
  type PlainContext,
  withAnswerSchema,
  withAnswerTool,
} from "./agent-context.ts";
import { type AgentOptions, type AgentSettings, readAgentOptions } from "./agent-options.ts";
import { bindModel } from "./agent-run.ts";
import type { BoundTool } from "./agent-tool.ts";
import { runLoop } from "./loop.ts";
import { createModelSource } from "./resolve-model.ts";
import { type Decision, Thread, type ThreadEvent } from "./thread.ts";
import { readWanted } from "./wanted-object.ts";

/** The result of an agent. With `finish: "tool-calls"` it has paused, and `hostCalls` wait for `resume`. */
export type AgentResult<Output = JsonValue> = RunResult<Output> & {
  /** The whole conversation as plain JSON, for `resume`. */
  readonly thread: readonly ThreadEvent[];
};

/** A run of an agent: the events of a run, with a result that has the thread. */
export type AgentStream<Output = JsonValue> = Omit<RunStream, "result" | "outcome"> & {
  /** The result; rejects with a RunError when the run failed. */
  result(): Promise<AgentResult<Output>>;
  /** The result, failed or not; never rejects. */
  outcome(): Promise<AgentResult<Output>>;
};

type History = readonly BaseMessageLike[];
/** Answers with the help of tools; each method starts a run at once. */
export type Agent = {
  ask<Output = JsonValue>(text: string, context?: AgentContext<Output>): AgentStream<Output>;
  /** As `ask`, after an earlier conversation in any of LangChain's forms, such as `{ role: "user", content: "…" }`. */
  askWithHistory<Output = JsonValue>(messages: History, text: string, context?: AgentContext<Output>): AgentStream<Output>;
  /** `ask` with an `outputSchema`. */
  askStructured<Output = JsonValue>(text: string, schema: OutputSchema<Output>, context?: PlainContext): AgentStream<Output>;
  /** `askWithHistory` with an `outputSchema`. */
  askWithHistoryStructured<Output = JsonValue>(
    messages: History,
    text: string,
    schema: OutputSchema<Output>,
    context?: PlainContext,
  ): AgentStream<Output>;
  /** `askWithHistory` with an `outputTool`. */
  askWithHistoryStructuredViaTool<Output = JsonValue>(
    messages: History,
    text: string,
    tool: AnswerTool<Output>,
    context?: PlainContext,
  ): AgentStream<Output>;
  /** Goes on with the thread of a result: after a pause with the decisions about its calls, by their ids. */
  resume<Output = JsonValue>(
    thread: readonly ThreadEvent[],
    decisions?: Readonly<Record<string, Decision>>,
    context?: AgentContext<Output>,
  ): AgentStream<Output>;
};

/** Creates an agent; it loads no model and starts no process before its first run. */
export function createAgent(options: AgentOptions): Agent {
  const read = readAgentOptions(options);
  const { target, subject, open } = createModelSource(options);
  const agent: AgentSettings = { ...read, warnings: checkCompatibility(options, subject).warnings };
  const start = <Output>(
    thread: Thread,
    input: string,
    context: AgentContext<Output>,
    refusal?: Failure,
  ): AgentStream<Output> => {
    checkAgentContext(context, agent.tools);
    const found = readWanted(context);
    const wanted = found !== undefined && "schema" in found ? found : undefined;
    const failure = found === wanted ? refusal : (found as Failure);
    const settings = wanted?.tool === undefined ? agent : withTool(agent, wanted.tool);
    const work = (part: PartContext): Promise<RunEnd> =>
      traced(settings, input, part.resultAt, async (trace) => {
        if (failure !== undefined) return failedEnd(failure);
        const model = await open().catch((error: unknown) => failedEnd(toFailure(error)));
        if ("finish" in model) return model;
        const bound = bindModel(model, settings);
        return runLoop({ ...part, settings, model, bound, thread, wanted, callbacks: () => trace.child() });
      });
    const begin = (part: PartContext): Promise<RunEnd> => withinBudget(settings, target, part, work);
    const around = { ...withoutWish(context), output: wanted?.output, kind: "agent" } as const;
    const stream = openRun(newHost(options.client), undefined, around, begin, target);
    return withThread<Output>(stream as RunStream<never>, thread);
  };
  return {
    ask: (text, context = {}) => start(threadWith([], text), text, context),
    askWithHistory: (messages, text, context = {}) => start(threadWith(messages, text), text, context),
    askStructured: (text, schema, context = {}) => start(threadWith([], text), text, withAnswerSchema(context, schema)),
    askWithHistoryStructured: (messages, text, schema, context = {}) =>
      start(threadWith(messages, text), text, withAnswerSchema(context, schema)),
    askWithHistoryStructuredViaTool: (messages, text, tool, context = {}) =>
      start(threadWith(messages, text), text, withAnswerTool(context, tool)),
    resume(events, decisions = {}, context = {}) {
      const thread = new Thread(events);
      const unknown = Object.keys(decisions).find((id) => !thread.openCalls().some((call) => call.id === id));
      for (const [id, decision] of Object.entries(decisions)) if (unknown === undefined) thread.decide(id, decision);
      const why = `No call with the id ${JSON.stringify(unknown)} waits for a decision.`;
      return start(thread, "", context, unknown === undefined ? undefined : createFailure("bad-request", why));
    },
  };
}

function withTool(settings: AgentSettings, tool: BoundTool): AgentSettings {
  return { ...settings, tools: new Map([...settings.tools, [tool.name, tool]]) };
}

function threadWith(history: History, text: string): Thread {
  if (typeof text !== "string") throw new TypeError("An agent is asked with a string.");
  const thread = new Thread();
  for (const message of history) thread.add("message", coerceMessageLikeToMessage(message));
  thread.add("message", new HumanMessage(text));
  return thread;
}

/** The context without what the answer should be: `output` says that. */
function withoutWish<Output>({ outputSchema: _, outputTool: __, ...context }: AgentContext<Output>): RunContext {
  return context;
}

let runs = 0;

/** What a run of an agent needs of its surroundings; its processes belong to the client of its model. */
function newHost(client: Client | undefined): Parameters<typeof openRun>[0] {
  return {
    onRun: client && listenerOf(client),
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

function withThread<Output>(stream: RunStream<Output>, thread: Thread): AgentStream<Output> {
  const outcome = async (): Promise<AgentResult<Output>> => ({ ...(await stream.outcome()), thread: thread.events });
  return {
    [Symbol.asyncIterator]: () => stream[Symbol.asyncIterator](),
    batches: () => stream.batches(),
    interrupt: () => stream.interrupt(),
    outcome,
    async result() {
      await stream.result().catch(() => undefined);
      const result = await outcome();
      if (result.failure !== undefined) throw new RunError(result.failure, result as AgentResult<never>);
      return result;
    },
  };
}

/** The run of an agent in LangChain's callbacks: the calls of the model and of tools are its children. */
type AgentTrace = {
  /** The callbacks for one call; undefined if there are none. */
  child(): CallbackManager | undefined;
  end(result: RunResult): Promise<void>;
};

/** The callbacks are those of the caller and of LangChain's own settings. */
async function openTrace({ callbacks, name }: AgentSettings, input: string): Promise<AgentTrace> {
  const manager = CallbackManager.configure(callbacks);
  const none = undefined;
  const agent = { lc: 1, type: "not_implemented" as const, id: ["coxswain", "agent"] };
  const run = await manager?.handleChainStart(agent, { input }, none, none, none, none, name);
  return {
    child: () => run?.getChild(),
    async end(result) {
      const { failure, text, finish } = result;
      if (failure === undefined) await run?.handleChainEnd({ output: text, finish });
      else await run?.handleChainError(new RunError(failure, result));
    },
  };
}

async function traced(
  settings: AgentSettings,
  input: string,
  resultAt: (end: RunEnd) => RunResult,
  work: (trace: AgentTrace) => Promise<RunEnd>,
): Promise<RunEnd> {
  const trace = await openTrace(settings, input);
  const end = await work(trace);
  await trace.end(resultAt(end));
  return end;
}
