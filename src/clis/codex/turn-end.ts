import { defined, type JsonObject, numberOf, objectOf, parseJson, stringOf } from "../../spec/json.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { Fault, WireStep } from "../../spec/wire/wire.ts";
import type { CodexUsage } from "./usage.ts";

export type CodexMessage = { readonly id: string; readonly text: string };

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
    ...defined({ status, reason }),
  };
}
