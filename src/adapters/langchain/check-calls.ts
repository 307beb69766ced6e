import type { BindToolsInput } from "@langchain/core/language_models/chat_models";
import type { AIMessage, ToolCall } from "@langchain/core/messages";
import { checkChoice, NOT_ALONE } from "../../answers/read-answer.ts";
import { type DraftCall, type InvalidDraft, readEnvelope } from "../../answers/read-envelope.ts";
import { finish } from "../../answers/slices.ts";
import { type BoundTools, bindTools } from "../../schemas/validate-schema.ts";
import type { JsonValue } from "../../spec/json.ts";
import type { ToolChoice } from "../../spec/tool.ts";
import { withFields } from "./cli-message.ts";
import { toInvalidToolCall } from "./to-ai-message.ts";
import { toDefinitions } from "./to-definitions.ts";

/** The calls of a message that can be made, or why the message cannot be used. */
export type CheckedCalls =
  | { readonly message: AIMessage }
  | {
      readonly problems: readonly string[];
      /** The message without calls to make, if unknown tools and wrong arguments are its only problems. */
      readonly withInvalid?: AIMessage;
    };

/** The checks of tools. Undefined if one has no schema that can be checked, such as a tool of a vendor's server: its adapter knows it. */
export function checksOf(tools: readonly BindToolsInput[]): BoundTools | undefined {
  try {
    return tools.length === 0 ? undefined : bindTools(toDefinitions(tools));
  } catch {
    return undefined;
  }
}

/** Checks the calls of a message by the rules for the calls of CLIs, and fills in the defaults of their arguments. */
export function checkCalls(message: AIMessage, choice: ToolChoice, checks: BoundTools | undefined): CheckedCalls {
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
