import { stringOf } from "../../dialects/json-access.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Fault, TurnEnd } from "../../spec/wire.ts";

/** The end that Grok Build declares by a stop reason; a reason that is a failure leaves no answer. */
export function endByStopReason(line: JsonObject, answerId: string | undefined, reachedTurnLimit = false): TurnEnd {
  const reason = stringOf(line["stopReason"])?.toLowerCase() ?? "";
  const kind = reachedTurnLimit ? "error_max_turns" : FAULT_KINDS[reason];
  if (kind !== undefined) return { finish: "error", fault: { kind, message: reason, event: eventOf(line) } };
  return { finish: reason === "max_tokens" ? "length" : "stop", ...(answerId !== undefined && { answerId }) };
}

const FAULT_KINDS: Readonly<Record<string, string>> = {
  cancelled: "cancelled",
  refusal: "refusal",
  max_turn_requests: "error_max_turns",
};

/** The end that Grok Build declares by an error. */
export function endByError(line: JsonObject): TurnEnd {
  const message = stringOf(line["message"]) ?? "";
  const fault: Fault = { message, event: eventOf(line) };
  return { finish: message.includes("response truncated by max_tokens") ? "length" : "error", fault };
}

function eventOf(line: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(line).filter(([key]) => ["type", "message", "stopReason"].includes(key)));
}
