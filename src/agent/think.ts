import { messagesToXml } from "../adapters/langchain/to-messages.ts";
import type { RunWriter } from "../run/run-writer.ts";
import { defined, type JsonValue } from "../spec/json.ts";
import type { StepStamp } from "../spec/wire/events.ts";
import type { AgentRun } from "./agent-run.ts";
import { PLAN_NOTE } from "./approval.ts";
import type { ModelAnswer, ModelPart } from "./model/agent-model.ts";
import { type MessageFields, type StoredMessage, stored, textOf, toPlainMessage } from "./model/message.ts";

/**
 * Asks the model once and adds its answer to the thread. Its text is written as it comes, unless it may be a structured answer; so are
 * the calls of tools that a CLI runs itself. Rejects if the model fails.
 */
export async function think(run: AgentRun): Promise<ModelAnswer> {
  const { model, thread, writer, signal, wanted } = run;
  const step = thread.step + 1;
  const messageId = `step-${step}`;
  const isHeld = wanted !== undefined && wanted.tool === undefined;
  const writeTool = toolWriter(writer, { step, model: model.name });
  const onPart = (part: ModelPart): void => {
    writer.tick();
    if (part.type === "reasoning") return writer.write({ type: "reasoning-delta", messageId, text: part.text });
    if (!("text" in part)) writeTool(part);
    else if (isHeld) return;
    else writer.writeText(messageId, part.text);
    // The last pieces are handed over with the end of the run, so that a budget does not stop a finished answer.
    writer.flush();
  };
  // A CLI may ask its model many times in one step.
  const budget = run.budgetLeft?.();
  const outputSchema = takesSchema(run) ? wanted?.schema : undefined;
  const answer = await model.ask(toContext(run), defined({ signal, onPart, budget, outputSchema }));
  writer.tick();
  const message = withIds(answer.message, step);
  const text = textOf(message);
  const isRemark = isHeld && (message.data.tool_calls ?? []).length > 0;
  if (isRemark && text !== "") writer.writeText(messageId, text);
  if (text !== "" && (isRemark || !isHeld)) writer.write({ type: "text-end", messageId });
  thread.add("answer", message);
  reportUse(run, answer);
  return { ...answer, message };
}

/** The messages for the model: the instructions, then the conversation as messages or as one XML thread. */
function toContext(run: AgentRun): readonly StoredMessage[] {
  const { settings, thread, wanted } = run;
  const { instructions, approval, contextMode } = settings;
  const notes = [approval === "plan" ? PLAN_NOTE : "", contextMode === "xml" ? XML_NOTE : ""];
  const system = [instructions, ...notes, takesSchema(run) ? "" : (wanted?.instruction ?? "")].filter(Boolean);
  const conversation =
    contextMode === "xml" ? [stored("human", { content: messagesToXml(thread.messages.map(toPlainMessage)) })] : thread.messages;
  return system.length === 0 ? conversation : [stored("system", { content: system.join("\n\n") }), ...conversation];
}

/** The schema of an answer by a tool is that of the tool. */
function takesSchema({ model, wanted }: AgentRun): boolean {
  return wanted !== undefined && wanted.tool === undefined && model.takesSchema;
}

const XML_NOTE =
  "The user message holds the conversation as an XML thread of events. You are its assistant (type ai). Answer its last event: with the text of your reply alone, or with a tool call.";

/**
 * The answer with an id for each call: adapters may leave them out, and results need them. Ids that come twice are replaced, because an
 * approval names its call by the id.
 */
function withIds({ type, data }: StoredMessage, step: number): StoredMessage {
  const used = new Set<string>();
  const withId = <Call extends { readonly id?: string }>(call: Call): Call => {
    const isFresh = call.id !== undefined && call.id !== "" && !used.has(call.id);
    const id = isFresh ? (call.id ?? "") : `call_${step}_${used.size + 1}`;
    used.add(id);
    return isFresh ? call : { ...call, id };
  };
  const { tool_calls: calls = [], invalid_tool_calls: invalid = [] } = data;
  const tool_calls = calls.map(withId);
  const invalid_tool_calls = invalid.map(withId);
  const isSame = tool_calls.every((call, index) => call === calls[index]);
  return { type, data: { ...data, ...(isSame ? {} : withoutRepeatedCalls(data)), tool_calls, invalid_tool_calls } };
}

const CALL_BLOCKS: ReadonlySet<string> = new Set(["tool_call", "tool_use", "function_call", "functionCall"]);

/** Services repeat the calls of an answer in its content and in its further fields, there with the old ids. */
function withoutRepeatedCalls({
  content,
  additional_kwargs: { tool_calls: _, ...others } = {},
}: MessageFields): Partial<MessageFields> {
  return {
    content: typeof content === "string" ? content : content.filter(({ type }) => !CALL_BLOCKS.has(type)),
    additional_kwargs: others,
  };
}

/** Writes the usage of the run so far, and the warnings of the answer. */
function reportUse({ writer, settings }: AgentRun, { warnings, usage, costUsd, costScope }: ModelAnswer): void {
  for (const warning of [...settings.warnings, ...warnings]) writer.warnOnce(settings, warning);
  if (settings.budget?.usd !== undefined && costUsd === undefined) writer.warnOnce(settings, COST_UNKNOWN);
  if (usage === undefined && costUsd === undefined) return;
  writer.settleUsage();
  writer.write(defined({ type: "usage", usage: usage ?? { estimated: false, scope: "turn" }, costUsd, costScope }));
}

const COST_UNKNOWN = {
  code: "cost-unknown",
  message: "The model does not report its cost, so the budget in USD cannot stop the agent.",
};

type ToolPart = Extract<ModelPart, { readonly id: string }>;
type OpenCall = { readonly name: string; readonly input: JsonValue; readonly startedAt: number };

/** Writes the events of tools that run inside a call of the model: those of a CLI in agent mode. */
function toolWriter(writer: RunWriter, stamp: StepStamp): (part: ToolPart) => void {
  const open = new Map<string, OpenCall>();
  return (part) => {
    const { id } = part;
    if (part.type === "tool-call") {
      const { name, input } = part;
      open.set(id, { name, input, startedAt: performance.now() });
      writer.write({ type: "tool-start", id, name, ...stamp });
      writer.write({ type: "tool-call", id, name, input, executor: "cli", ...stamp });
      return;
    }
    const call = open.get(id);
    if (call === undefined) return;
    open.delete(id);
    const { name, input, startedAt } = call;
    const { output, isError, durationMs = Math.round(performance.now() - startedAt), synthetic } = part;
    const mark = synthetic === true ? { synthetic } : {};
    writer.write({ type: "tool-end", id, name, input, output, isError, durationMs, ...mark, ...stamp });
  };
}
