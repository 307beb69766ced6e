import { type JsonObject, numberOf, objectOf, stringOf } from "../../spec/json.ts";
import type { Fault } from "../../spec/wire/wire.ts";

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
