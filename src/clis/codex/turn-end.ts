import { amountOf, type JsonObject, numberOf, objectOf, parseJson, stringOf } from "../../spec/json.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import { type RunningTotals, type SessionTotals, totalsBefore, type Usage, usageSince } from "../../spec/wire/usage.ts";
import type { Fault, WireStep } from "../../spec/wire/wire.ts";

export type CodexMessage = { readonly id: string; readonly text: string };

/** The tokens of a turn, and the totals of its thread after it. */
export type CodexUsage = { readonly usage?: Usage | undefined; readonly totals?: SessionTotals | undefined };

/** The end of a turn with the last message as its answer, unless that is empty. */
export function completeTurn(last: CodexMessage | undefined, wantsObject: boolean, { usage, totals }: CodexUsage): WireStep {
  const answer = last?.text === "" ? undefined : last;
  const object = wantsObject && answer !== undefined ? parseJson(answer.text) : undefined;
  return {
    events: [
      ...(object === undefined ? [] : [{ type: "object-delta", object } as const]),
      ...(usage === undefined ? [] : [{ type: "usage", usage } as const]),
    ],
    turnEnd: {
      finish: "stop",
      ...(answer !== undefined && { answerId: answer.id }),
      ...(totals !== undefined && { totals }),
    },
  };
}

export function failTurn(fault: Fault): WireStep {
  const finish = fault.message.includes("reason: max_output_tokens") ? "length" : "error";
  return { events: [], turnEnd: { finish, fault } };
}

export function withUsage({ events, turnEnd, ...step }: WireStep, { usage, totals }: CodexUsage): WireStep {
  return {
    ...step,
    events: usage === undefined ? events : [...events, { type: "usage", usage }],
    ...(turnEnd !== undefined && { turnEnd: { ...turnEnd, ...(totals !== undefined && { totals }) } }),
  };
}

type UsageCount = "inputTokens" | "outputTokens" | "cacheReadTokens" | "cacheWriteTokens" | "reasoningTokens";

/** The names of the token counts in one of Codex's formats. */
export type UsageNames = Readonly<Record<UsageCount, string>>;

/** Counts in one of Codex's formats; their scope is that of the thread. */
export function readUsage(counts: JsonObject | undefined, names: UsageNames): Usage | undefined {
  if (counts === undefined) return undefined;
  const found: Partial<Record<UsageCount, number>> = {};
  for (const [name, native] of Object.entries(names) as [UsageCount, string][]) {
    const count = amountOf(counts[native]);
    if (count !== undefined) found[name] = count;
  }
  const { inputTokens, outputTokens } = found;
  const hasTotal = inputTokens !== undefined && outputTokens !== undefined;
  return { ...found, ...(hasTotal && { totalTokens: inputTokens + outputTokens }), estimated: false, scope: "thread" };
}

/** The tokens of a turn: the totals of the thread minus those before the turn, if these are known. */
export function usageOfTurn(total: Usage | undefined, possible: readonly RunningTotals[] | undefined): CodexUsage {
  if (total === undefined) return {};
  const now = { usage: total };
  const began = totalsBefore(now, possible);
  return began === undefined ? { usage: total, totals: { now } } : { usage: usageSince(total, began), totals: { now } };
}

/** The kind of the error is a name, or an object with the name as its only key and the HTTP status in its value. */
export function readTurnError(error: JsonObject | undefined, event: JsonObject): Fault {
  const info = error?.["codexErrorInfo"];
  const named = objectOf(info);
  const kind = stringOf(info) ?? Object.keys(named ?? {})[0];
  const status = numberOf(objectOf(named?.[kind ?? ""])?.["httpStatusCode"]);
  return {
    message: stringOf(error?.["message"]) ?? "The turn failed.",
    ...(kind !== undefined && kind !== "other" && { kind }),
    ...(status !== undefined && { status }),
    event,
  };
}

/** The text of a retry as `codex exec` prints it, with its cause in brackets. */
export function retryText(error: JsonObject | undefined): string {
  const [message, cause] = [stringOf(error?.["message"]) ?? "", stringOf(error?.["additionalDetails"])];
  return cause === undefined ? message : `${message} (${cause})`;
}

const RECONNECTING = /^Reconnecting\.\.\. (?:(\d+)\/(\d+)|waiting for network)(?: \((.*)\))?$/s;

/** How often Codex has waited for the network, which it does not count itself. */
export type NetworkWaits = { networkWaits: number };

/** The event for an error text that announces a retry of Codex's own; undefined for any other text. */
export function readOwnRetry(counts: NetworkWaits, message: string, status?: number): EventDraft | undefined {
  const match = RECONNECTING.exec(message);
  if (match === null) return undefined;
  const [, attempt, maxAttempts, reason] = match;
  if (attempt === undefined) counts.networkWaits += 1;
  return {
    type: "upstream-retry",
    attempt: attempt === undefined ? counts.networkWaits : Number(attempt),
    ...(maxAttempts !== undefined && { maxAttempts: Number(maxAttempts) }),
    ...(status !== undefined && { status }),
    ...(reason !== undefined && { reason }),
  };
}
