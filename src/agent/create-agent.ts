import type { Client } from "../client.ts";
import { checkCompatibility } from "../compatibility/check-compatibility.ts";
import { toFailure } from "../failures/classify.ts";
import { withinBudget } from "../policy/budget.ts";
import { DEFAULT_LINE_BYTES, DEFAULT_SPILL_BYTES } from "../request/defaults.ts";
import { settleOutput } from "../request/settle.ts";
import { listenerOf } from "../run/observe-run.ts";
import { openRun } from "../run/open-run.ts";
import { failedEnd, type PartContext } from "../run/part.ts";
import { createFailure, type Failure } from "../spec/failure/failure.ts";
import { RunError } from "../spec/failure/run-error.ts";
import { defined, type JsonValue } from "../spec/json.ts";
import type { RunResult } from "../spec/result.ts";
import type { OutputSchema } from "../spec/standard-schema.ts";
import type { RunStream } from "../spec/stream.ts";
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
import type { AgentRun } from "./agent-run.ts";
import type { BoundTool } from "./agent-tool.ts";
import { openTrace } from "./load-langchain.ts";
import { runLoop } from "./loop.ts";
import type { AgentTrace } from "./model/agent-model.ts";
import { type MessageLike, toStored } from "./model/message.ts";
import { createModelSource, type ModelSource } from "./resolve-model.ts";
import { type Decision, Thread, type ThreadEvent } from "./thread.ts";
import type { WantedObject } from "./wanted-object.ts";

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

type History = readonly MessageLike[];
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
  const source = createModelSource(options);
  const agent: AgentSettings = { ...read, warnings: checkCompatibility(options, source.subject).warnings };
  const start = <Output>(
    thread: Thread,
    input: string,
    context: AgentContext<Output>,
    refusal?: Failure,
  ): AgentStream<Output> => {
    checkAgentContext(context, agent.tools);
    const { outputSchema, outputTool, ...around } = context;
    const wish = settleWish(outputSchema ?? outputTool?.parameters);
    const work = (part: PartContext): Promise<RunEnd> =>
      traced(agent, source, input, part.resultAt, async (trace) => {
        const wanted = wish.failure ?? refusal ?? (await readWish(wish, outputTool));
        return wanted !== undefined && "code" in wanted
          ? failedEnd(wanted)
          : openLoop(agent, source, { ...part, thread, wanted, trace });
      });
    const begin = (part: PartContext): Promise<RunEnd> =>
      withinBudget({ request: defined({ budget: agent.budget }) }, part, work);
    const stream = openRun(
      newHost(options.client),
      undefined,
      { ...around, output: wish.output, kind: "agent" },
      begin,
      source.target(),
    );
    return withThread<Output>(stream as RunStream<never>, thread);
  };
  const ask: Agent["askWithHistory"] = (messages, text, context = {}) => start(threadWith(messages, text), text, context);
  return {
    ask: (text, context) => ask([], text, context),
    askWithHistory: ask,
    askStructured: (text, schema, context = {}) => ask([], text, withAnswerSchema(context, schema)),
    askWithHistoryStructured: (messages, text, schema, context = {}) => ask(messages, text, withAnswerSchema(context, schema)),
    askWithHistoryStructuredViaTool: (messages, text, tool, context = {}) => ask(messages, text, withAnswerTool(context, tool)),
    resume(events, decisions = {}, context = {}) {
      const thread = new Thread(events);
      const unknown = Object.keys(decisions).find((id) => !thread.openCalls().some((call) => call.id === id));
      for (const [id, decision] of Object.entries(decisions)) if (unknown === undefined) thread.decide(id, decision);
      const why = `No call with the id ${JSON.stringify(unknown)} waits for a decision.`;
      return start(thread, "", context, unknown === undefined ? undefined : createFailure("bad-request", why));
    },
  };
}

/** Opens the model with the tools of the run, and asks it until the run ends. */
async function openLoop(agent: AgentSettings, source: ModelSource, run: Omit<AgentRun, "settings" | "model">): Promise<RunEnd> {
  const { wanted, trace } = run;
  const settings = wanted?.tool === undefined ? agent : withTool(agent, wanted.tool);
  const tools = await Promise.all([...settings.tools.values()].map((tool) => tool.offer()));
  return runLoop({ ...run, settings, model: await source.open(tools, trace) });
}

function withTool(settings: AgentSettings, tool: BoundTool): AgentSettings {
  return { ...settings, tools: new Map([...settings.tools, [tool.name, tool]]) };
}

function threadWith(history: History, text: string): Thread {
  if (typeof text !== "string") throw new TypeError("An agent is asked with a string.");
  const thread = new Thread();
  for (const message of [...history, text]) thread.add("message", toStored(message));
  return thread;
}

function settleWish(outputSchema: OutputSchema | undefined): ReturnType<typeof settleOutput> {
  return settleOutput(defined({ prompt: "", outputSchema }));
}

/** Loads what reads structured answers only for a run that wants one. */
async function readWish(
  { request: { outputSchema }, output }: ReturnType<typeof settleWish>,
  tool: AnswerTool | undefined,
): Promise<WantedObject | Failure | undefined> {
  if (outputSchema === undefined) return undefined;
  return (await import("./wanted-object.ts")).readWanted(outputSchema, output, tool);
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

/** Does the work of a run within its trace, if callbacks of LangChain watch it. */
async function traced(
  settings: AgentSettings,
  source: ModelSource,
  input: string,
  resultAt: (end: RunEnd) => RunResult,
  work: (trace: AgentTrace | undefined) => Promise<RunEnd>,
): Promise<RunEnd> {
  let trace: AgentTrace | undefined;
  let end: RunEnd;
  try {
    trace = await openTrace(settings, source.isOfLangChain, input);
    end = await work(trace);
  } catch (error) {
    end = failedEnd(toFailure(error));
  }
  await trace?.end(resultAt(end));
  return end;
}
