import type { BindToolsInput } from "@langchain/core/language_models/chat_models";
import { type AIMessage, type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import type { JsonObject } from "../../spec/json.ts";
import type { ToolChoice } from "../../spec/tool.ts";
import { readObject } from "../../tools/read-object.ts";
import { finish } from "../../tools/slices.ts";
import { describeSchema } from "../../tools/tool-prompt.ts";
import { compileSchema } from "../../tools/validate-schema.ts";
import { withText } from "./cli-message.ts";
import { withoutResult } from "./langchain-error.ts";
import type { ModelAdapter } from "./model-adapter.ts";
import { toDefinitions } from "./to-definitions.ts";

/** What an adapter is asked for besides its messages. */
type Wanted = {
  readonly tools: readonly BindToolsInput[];
  readonly toolChoice: ToolChoice;
  readonly outputSchema?: JsonObject;
  readonly signal?: AbortSignal | undefined;
};

/** An answer that can be used, or why it cannot. */
type Checked = { readonly message: AIMessage } | { readonly problems: readonly string[] };

/**
 * The answer of an adapter. One that does not meet the tool choice or the schema is corrected once, as with a CLI; if the second does
 * not meet it either, the call fails.
 */
export async function askAdapter(adapter: ModelAdapter, messages: BaseMessage[], wanted: Wanted): Promise<AIMessage> {
  const { signal, outputSchema } = wanted;
  const bound = bind(adapter, wanted);
  const asked = outputSchema === undefined ? messages : withInstruction(messages, describeSchema(outputSchema));
  const ask = (conversation: BaseMessage[]): Promise<AIMessage> =>
    untilAborted(bound.invoke(conversation, signal === undefined ? {} : { signal }), signal);
  const first = await ask(asked);
  const checked = check(first, wanted);
  if ("message" in checked) return checked.message;
  const second = check(await ask([...asked, first, new HumanMessage(correction(checked.problems))]), wanted);
  if ("message" in second) return second.message;
  const code = outputSchema === undefined ? "tool-call-unreadable" : "schema-mismatch";
  throw withoutResult(code, `The model gave an invalid answer: ${second.problems.slice(0, 8).join(" ")}`);
}

function bind(adapter: ModelAdapter, { tools, toolChoice }: Wanted): ModelAdapter {
  const isOffered = (tool: BindToolsInput): boolean =>
    typeof toolChoice === "string" || toDefinitions([tool])[0]?.name === toolChoice.name;
  const offered = toolChoice === "none" ? [] : tools.filter(isOffered);
  return offered.length === 0 ? adapter : (adapter.bindTools?.(offered) ?? adapter);
}

/** Puts an instruction behind the system messages at the front. */
function withInstruction(messages: BaseMessage[], instruction: string): BaseMessage[] {
  const first = messages.findIndex(({ type }) => type !== "system");
  return messages.toSpliced(first === -1 ? messages.length : first, 0, new SystemMessage(instruction));
}

function check(message: AIMessage, { toolChoice, outputSchema, tools }: Wanted): Checked {
  const calls = message.tool_calls ?? [];
  if (tools.length > 0 && toolChoice === "required" && calls.length === 0)
    return { problems: ["A tool must be called, but none was."] };
  if (typeof toolChoice === "object" && (calls.length === 0 || calls.some(({ name }) => name !== toolChoice.name)))
    return { problems: [`The tool ${toolChoice.name} must be called, and no other.`] };
  if (outputSchema === undefined || calls.length > 0) return { message };
  const reading = finish(readObject(message.text, compileSchema(outputSchema)));
  return "problems" in reading ? reading : { message: withText(message, JSON.stringify(reading.value)) };
}

function correction(problems: readonly string[]): string {
  return ["Your last answer could not be used:", ...problems.slice(0, 8).map((problem) => `- ${problem}`), "Answer again."].join(
    "\n",
  );
}

/** Rejects with the reason of the signal when it aborts, even if the adapter does not. */
async function untilAborted<Value>(answer: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return await answer;
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([answer, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
    answer.catch(() => undefined);
  }
}
