import { amountOf } from "../../dialects/json-access.ts";
import type { JsonObject } from "../../spec/json.ts";
import { parseJson } from "../../spec/parse-json.ts";
import type { Usage } from "../../spec/usage.ts";
import type { Fault, WireStep } from "../../spec/wire.ts";

/** A message of the model. */
export type CodexMessage = { readonly id: string; readonly text: string };

/** The end of a turn with the last message as its answer, unless that is empty. */
export function completeTurn(last: CodexMessage | undefined, wantsObject: boolean, usage: Usage | undefined): WireStep {
  const answer = last?.text === "" ? undefined : last;
  const object = wantsObject && answer !== undefined ? parseJson(answer.text) : undefined;
  return {
    events: [
      ...(object === undefined ? [] : [{ type: "object-delta", object } as const]),
      ...(usage === undefined ? [] : [{ type: "usage", usage } as const]),
    ],
    turnEnd: { finish: "stop", ...(answer !== undefined && { answerId: answer.id }) },
  };
}

/** The end of a turn with an error. */
export function failTurn(fault: Fault): WireStep {
  const finish = fault.message.includes("reason: max_output_tokens") ? "length" : "error";
  return { events: [], turnEnd: { finish, fault } };
}

type UsageCount = "inputTokens" | "outputTokens" | "cacheReadTokens" | "cacheWriteTokens" | "reasoningTokens";

/** The names of the token counts in one of Codex's formats. */
export type UsageNames = Readonly<Record<UsageCount, string>>;

/** The counts of a turn: the totals of the thread minus those before the turn, if these are known. */
export function readUsage(
  totals: JsonObject | undefined,
  before: Partial<Usage> | undefined,
  names: UsageNames,
): Usage | undefined {
  if (totals === undefined) return undefined;
  const found: Partial<Record<UsageCount, number>> = {};
  for (const [name, native] of Object.entries(names) as [UsageCount, string][]) {
    const total = amountOf(totals[native]);
    if (total !== undefined) found[name] = Math.max(0, total - (before?.[name] ?? 0));
  }
  const { inputTokens, outputTokens } = found;
  const totalTokens = inputTokens === undefined || outputTokens === undefined ? undefined : inputTokens + outputTokens;
  return {
    ...found,
    ...(totalTokens !== undefined && { totalTokens }),
    estimated: false,
    scope: before === undefined ? "thread" : "turn",
  };
}
