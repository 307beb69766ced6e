import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { Serialized } from "@langchain/core/load/serializable";
import {
  type AIMessage,
  type AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { AnsweringModel } from "../adapters/langchain/answering-model.ts";
import { ChatCli } from "../adapters/langchain/chat-cli.ts";
import { withFields } from "../adapters/langchain/cli-message.ts";
import { NoToolResult } from "../adapters/langchain/report-tools.ts";
import { messagesToXml } from "../adapters/langchain/to-messages.ts";
import type { RunWriter } from "../run/run-writer.ts";
import type { Budget } from "../spec/client-options.ts";
import { thrownMessage } from "../spec/failure/failure.ts";
import { type JsonValue, parseJson } from "../spec/json.ts";
import type { StepStamp } from "../spec/wire/events.ts";
import { type AgentRun, nameOf } from "./agent-run.ts";
import { PLAN_NOTE } from "./approval.ts";
import { costOf, usageOf, warningsOf } from "./read-answer.ts";

/**
 * Asks the model once and adds its answer to the thread. Its text is written as it comes, unless it may be a structured answer; so are
 * the calls of tools that a CLI runs itself. Rejects if the model fails.
 */
export async function think(run: AgentRun): Promise<AIMessage> {
  const { model, bound, thread, writer, signal } = run;
  const listener = new CliToolListener(writer, { step: thread.step + 1, model: nameOf(model) });
  const callbacks = run.callbacks();
  callbacks?.addHandler(listener, true);
  const messageId = `step-${thread.step + 1}`;
  const isHeld = run.wanted !== undefined && run.wanted.tool === undefined;
  let whole: AIMessageChunk | undefined;
  const options = {
    signal,
    callbacks: callbacks ?? [listener],
    ...(takesSchema(run) && { outputSchema: run.wanted?.schema }),
    ...limitOf(run),
  };
  for await (const piece of await bound.stream(toContext(run), options)) {
    whole = whole?.concat(piece) ?? piece;
    writer.tick();
    const reasoning = piece.additional_kwargs["reasoning_content"];
    if (typeof reasoning === "string" && reasoning !== "") writer.write({ type: "reasoning-delta", messageId, text: reasoning });
    if (isHeld || piece.text === "") continue;
    writer.writeText(messageId, piece.text);
    // The last pieces are handed over with the end of the run, so that a budget does not stop a finished answer.
    writer.flush();
  }
  if (whole === undefined) throw new Error("The model gave no answer.");
  const answer = withIds(whole, thread.step + 1);
  const isRemark = isHeld && (answer.tool_calls ?? []).length > 0;
  if (isRemark && answer.text !== "") writer.writeText(messageId, answer.text);
  if (answer.text !== "" && (isRemark || !isHeld)) writer.write({ type: "text-end", messageId });
  thread.add("answer", answer);
  reportUse(run, answer);
  return answer;
}

/** The messages for the model: the instructions, then the conversation as messages or as one XML thread. */
function toContext(run: AgentRun): BaseMessage[] {
  const { settings, thread, wanted } = run;
  const { instructions, approval, contextMode } = settings;
  const notes = [approval === "plan" ? PLAN_NOTE : "", contextMode === "xml" ? XML_NOTE : ""];
  const system = [instructions, ...notes, takesSchema(run) ? "" : (wanted?.instruction ?? "")].filter(Boolean);
  const conversation = contextMode === "xml" ? [new HumanMessage(messagesToXml(thread.messages))] : thread.messages;
  return system.length === 0 ? [...conversation] : [new SystemMessage(system.join("\n\n")), ...conversation];
}

/** The models of this package take the schema by an option, and pass it to a CLI in its own way. */
function takesSchema({ model, wanted }: AgentRun): boolean {
  return wanted !== undefined && wanted.tool === undefined && model instanceof AnsweringModel;
}

/** A CLI gets what is left of the agent's budget, because it may ask its model many times in one step. */
function limitOf({ model, budgetLeft }: AgentRun): { request?: { budget: Budget } } {
  const budget = model instanceof ChatCli ? budgetLeft?.() : undefined;
  return budget === undefined ? {} : { request: { budget } };
}

const XML_NOTE =
  "The user message holds the conversation as an XML thread of events. You are its assistant (type ai). Answer its last event: with the text of your reply alone, or with a tool call.";

/**
 * The answer as a plain message. Adapters may leave out the ids of calls, and results need them. Ids that come twice are replaced,
 * because an approval names its call by the id.
 */
function withIds(answer: AIMessageChunk, step: number): AIMessage {
  const used = new Set<string>();
  const withId = <Call extends { id?: string }>(call: Call): Call => {
    const isFresh = call.id !== undefined && call.id !== "" && !used.has(call.id);
    const id = isFresh ? (call.id ?? "") : `call_${step}_${used.size + 1}`;
    used.add(id);
    return isFresh ? call : { ...call, id };
  };
  const { tool_calls: calls = [], invalid_tool_calls: invalid = [] } = answer;
  const named = { tool_calls: calls.map(withId), invalid_tool_calls: invalid.map(withId) };
  const isSame = named.tool_calls.every((call, index) => call === calls[index]);
  // Other calls would drop the blocks of the content in which services repeat theirs.
  return withFields(answer, isSame ? { invalid_tool_calls: named.invalid_tool_calls } : named);
}

/** Writes the usage of the run so far, and the warnings of the answer. */
function reportUse({ writer, settings }: AgentRun, answer: AIMessage): void {
  for (const warning of [...settings.warnings, ...warningsOf(answer)]) writer.warnOnce(settings, warning);
  const [usage, cost] = [usageOf(answer), costOf(answer)];
  if (settings.budget?.usd !== undefined && cost.costUsd === undefined) writer.warnOnce(settings, COST_UNKNOWN);
  if (usage === undefined && cost.costUsd === undefined) return;
  writer.settleUsage();
  writer.write({ type: "usage", usage: usage ?? { estimated: false, scope: "turn" }, ...cost });
}

const COST_UNKNOWN = {
  code: "cost-unknown",
  message: "The model does not report its cost, so the budget in USD cannot stop the agent.",
};

type OpenCall = { readonly id: string; readonly name: string; readonly input: JsonValue; readonly startedAt: number };

/** Writes the events of tools that run inside a call of the model: those of a CLI in agent mode. */
class CliToolListener extends BaseCallbackHandler {
  override name = "coxswain-agent";
  /** LangChain then waits for each method, so that the events keep their order. */
  override awaitHandlers = true;
  private readonly writer: RunWriter;
  private readonly stamp: StepStamp;
  private readonly open = new Map<string, OpenCall>();

  constructor(writer: RunWriter, stamp: StepStamp) {
    super();
    this.writer = writer;
    this.stamp = stamp;
  }

  override handleToolStart(
    tool: Serialized,
    input: string,
    runId: string,
    _parent?: string,
    _tags?: string[],
    _metadata?: Record<string, unknown>,
    runName?: string,
    toolCallId?: string,
  ): void {
    const call = {
      id: toolCallId ?? runId,
      name: runName ?? tool.id.at(-1) ?? "",
      input: parseJson(input) ?? input,
      startedAt: performance.now(),
    };
    const { id, name } = call;
    this.open.set(runId, call);
    this.writer.tick();
    this.writer.write({ type: "tool-start", id, name, ...this.stamp });
    this.writer.write({ type: "tool-call", id, name, input: call.input, executor: "cli", ...this.stamp });
    this.writer.flush();
  }

  override handleToolEnd(output: unknown, runId: string): void {
    const message = ToolMessage.isInstance(output) ? output : undefined;
    const result = (message === undefined ? output : (message.artifact ?? message.content)) as JsonValue;
    this.end(runId, result ?? null, false, message?.additional_kwargs["duration_ms"]);
  }

  override handleToolError(error: unknown, runId: string): void {
    if (error instanceof NoToolResult) return this.end(runId, null, false, error.durationMs, true);
    const duration = typeof error === "object" && error !== null && "durationMs" in error ? error.durationMs : undefined;
    this.end(runId, thrownMessage(error), true, duration);
  }

  private end(runId: string, output: JsonValue, isError: boolean, duration: unknown, synthetic = false): void {
    const call = this.open.get(runId);
    if (call === undefined) return;
    this.open.delete(runId);
    const { id, name, input, startedAt } = call;
    const durationMs = typeof duration === "number" ? duration : Math.round(performance.now() - startedAt);
    this.writer.tick();
    const mark = synthetic ? { synthetic } : {};
    this.writer.write({ type: "tool-end", id, name, input, output, isError, durationMs, ...mark, ...this.stamp });
    this.writer.flush();
  }
}
