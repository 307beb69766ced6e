import type { BindToolsInput } from "@langchain/core/language_models/chat_models";
import {
  type AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  type ToolCall,
  ToolMessage,
} from "@langchain/core/messages";
import { checkChoice, NOT_ALONE } from "../../answers/read-answer.ts";
import { type DraftCall, type InvalidDraft, readEnvelope } from "../../answers/read-envelope.ts";
import { readObject } from "../../answers/read-object.ts";
import { finish } from "../../answers/slices.ts";
import { askAgain, describeSchema } from "../../prompts/tool-prompt.ts";
import { type BoundTools, bindTools, compileSchema } from "../../schemas/validate-schema.ts";
import type { FailureCode } from "../../spec/failure/failure-codes.ts";
import type { JsonValue } from "../../spec/json.ts";
import type { ToolChoice } from "../../spec/message.ts";
import type { RunWarning } from "../../spec/result.ts";
import { toInvalidToolCall } from "./answer-fields.ts";
import type { CallSettings } from "./call-settings.ts";
import { withFields, withText } from "./cli-message.ts";
import { untilAborted, withoutResult } from "./refusal.ts";
import { toDefinitions } from "./to-definitions.ts";

export type InvokeOptions = { readonly signal?: AbortSignal };

/** The minimum of a model: messages in, one answer out. */
export interface ModelAdapter {
  invoke(messages: BaseMessage[], options?: InvokeOptions): Promise<AIMessage>;
  /** Returns an adapter with these tools; the original does not change. */
  bindTools?(tools: readonly BindToolsInput[]): ModelAdapter;
}

/** True for an adapter, false for a LangChain chat model and anything else; never throws. */
export function isModelAdapter(candidate: unknown): candidate is ModelAdapter {
  if (typeof candidate !== "object" || candidate === null) return false;
  return "invoke" in candidate && typeof candidate.invoke === "function" && !("_generate" in candidate);
}

/** What an adapter is asked for besides its messages. */
type Wanted = Pick<CallSettings, "toolChoice" | "outputSchema" | "invalidCalls" | "warnings"> & {
  readonly tools: readonly BindToolsInput[];
  readonly signal?: AbortSignal | undefined;
};

type Checked = CheckedCalls & { readonly code?: FailureCode };

/**
 * The answer of an adapter. One that does not meet the tools, the tool choice or the schema is corrected once, as with a CLI. If the
 * second does not meet them either, its invalid calls are returned as such, or the call fails.
 */
export async function askAdapter(adapter: ModelAdapter, messages: BaseMessage[], wanted: Wanted): Promise<AIMessage> {
  const { signal, outputSchema, warnings } = wanted;
  const offered = offeredOf(wanted);
  const bound = offered.length === 0 ? adapter : (adapter.bindTools?.(offered) ?? adapter);
  const checks = checksOf(offered);
  const asked = outputSchema === undefined ? messages : withInstruction(messages, describeSchema(outputSchema));
  const ask = (conversation: BaseMessage[]): Promise<AIMessage> =>
    untilAborted(bound.invoke(conversation, signal === undefined ? {} : { signal }), signal);
  const first = await ask(asked);
  const checked = check(first, wanted, checks);
  if ("message" in checked) return withWarnings(checked.message, warnings);
  const second = check(await ask([...asked, first, ...correction(first, checked.problems)]), wanted, checks);
  const code = checked.code === "schema-mismatch" ? "object-corrected" : "tool-call-corrected";
  const corrected = [...warnings, { code, message: checked.problems.slice(0, 8).join(" ") }];
  if ("message" in second) return withWarnings(second.message, corrected);
  if (second.withInvalid !== undefined && wanted.invalidCalls === "return") return withWarnings(second.withInvalid, corrected);
  const why = `The model gave an invalid answer: ${second.problems.slice(0, 8).join(" ")}`;
  throw withoutResult(second.code ?? "tool-call-unreadable", why);
}

function offeredOf({ tools, toolChoice }: Wanted): readonly BindToolsInput[] {
  const isOffered = (tool: BindToolsInput): boolean =>
    typeof toolChoice === "string" || toDefinitions([tool])[0]?.name === toolChoice.name;
  return toolChoice === "none" ? [] : tools.filter(isOffered);
}

function withWarnings(message: AIMessage, warnings: readonly RunWarning[]): AIMessage {
  const { warnings: own } = message.response_metadata;
  return warnings.length === 0
    ? message
    : withFields(message, {}, { warnings: [...warnings, ...(Array.isArray(own) ? own : [])] });
}

function withInstruction(messages: BaseMessage[], instruction: string): BaseMessage[] {
  const first = messages.findIndex(({ type }) => type !== "system");
  return messages.toSpliced(first === -1 ? messages.length : first, 0, new SystemMessage(instruction));
}

function check(message: AIMessage, { toolChoice, outputSchema, tools }: Wanted, checks: BoundTools | undefined): Checked {
  const choice = tools.length === 0 && toolChoice === "required" ? "auto" : toolChoice;
  const calls = checkCalls(message, choice, checks);
  if (outputSchema === undefined || "problems" in calls || (message.tool_calls ?? []).length > 0) return calls;
  const reading = finish(readObject(message.text, compileSchema(outputSchema)));
  if ("problems" in reading) return { problems: reading.problems, code: "schema-mismatch" };
  return { message: withText(message, JSON.stringify(reading.value)) };
}

/** Services refuse a conversation in which a call has no result. */
function correction(answer: AIMessage, problems: readonly string[]): readonly BaseMessage[] {
  const results = (answer.tool_calls ?? []).flatMap(({ id, name }) =>
    id === undefined ? [] : [new ToolMessage({ tool_call_id: id, name, content: "The call was not made.", status: "error" })],
  );
  return [...results, new HumanMessage(askAgain(problems))];
}

/** The calls of a message that can be made, or why the message cannot be used. */
type CheckedCalls =
  | { readonly message: AIMessage }
  | {
      readonly problems: readonly string[];
      /** The message without calls to make, if unknown tools and wrong arguments are its only problems. */
      readonly withInvalid?: AIMessage;
    };

/** Undefined without tools, and if a tool has no schema that can be checked, such as a tool of a vendor's server: its adapter knows it. */
function checksOf(tools: readonly BindToolsInput[]): BoundTools | undefined {
  try {
    return tools.length === 0 ? undefined : bindTools(toDefinitions(tools));
  } catch {
    return undefined;
  }
}

/** Checks the calls of a message by the rules for the calls of CLIs, and fills in the defaults of their arguments. */
function checkCalls(message: AIMessage, choice: ToolChoice, checks: BoundTools | undefined): CheckedCalls {
  const given = message.tool_calls ?? [];
  const written: readonly (DraftCall | InvalidDraft)[] = given.map((call) =>
    checks === undefined ? toDraft(call) : readCall(call, checks),
  );
  const others = checkChoice(
    written.filter((draft) => !("problem" in draft)),
    choice,
  );
  const problems = [...written.flatMap((draft) => ("problem" in draft ? [draft.problem] : [])), ...others];
  if (problems.length > 0) return { problems, ...(others.length === 0 && { withInvalid: withoutCalls(message, written) }) };
  const calls = given.map((call, index) => ({ ...call, args: { ...written[index]?.args } }));
  const isSame = JSON.stringify(calls) === JSON.stringify(given);
  return { message: isSame ? message : withFields(message, { tool_calls: calls }) };
}

function toDraft({ name, args, id }: ToolCall): DraftCall {
  return { name, args, ...(id !== undefined && { givenId: id }) };
}

function readCall(call: ToolCall, checks: BoundTools): DraftCall | InvalidDraft {
  const { calls, problems } = finish(readEnvelope([{ ...call }] as JsonValue, checks));
  return calls[0] ?? { ...toDraft({ ...call, args: {} }), problem: problems.join(" ") };
}

function withoutCalls(message: AIMessage, written: readonly (DraftCall | InvalidDraft)[]): AIMessage {
  const invalid = written.map((draft) => {
    const problem = "problem" in draft ? draft.problem : NOT_ALONE;
    return toInvalidToolCall({ id: draft.givenId ?? "", name: draft.name, args: draft.args, problem });
  });
  return withFields(message, { tool_calls: [], invalid_tool_calls: [...(message.invalid_tool_calls ?? []), ...invalid] });
}
