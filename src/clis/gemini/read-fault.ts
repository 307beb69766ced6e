import { defined, type JsonObject, listOf, numberOf, objectOf, parseJson, stringOf } from "../../spec/json.ts";
import type { Fault } from "../../spec/wire/wire.ts";

/** Stdout ended within a line although the exit code is 0. */
export const CUT_OFF: Fault = { kind: "stdout-cut", message: "The end of Gemini's output was lost." };

/** An exit code of 0 without text, tools and tokens: Gemini found the prompt too long and sent no request (fixture json-format-huge-prompt). */
export const NO_REQUEST: Fault = {
  kind: "no-request",
  message: "Gemini asked no model, as it does when a prompt is over the model's limit.",
};

/** The loop detector ends a repetitive answer and prints only a warning. */
export function isLoopWarning(message: string): boolean {
  return message.startsWith("Loop detected, stopping execution");
}

export function readGeminiFault(error: JsonObject, event: JsonObject): Fault {
  const type = stringOf(error["type"]);
  const fault = toGeminiFault(stringOf(error["message"]) ?? type ?? "Gemini reported an error.");
  const code = numberOf(error["code"]);
  const status = fault.status ?? (code !== undefined && code >= 400 ? code : undefined);
  return {
    ...fault,
    event,
    ...(type !== undefined && type !== "unknown" && { kind: type }),
    ...(status !== undefined && { status }),
  };
}

/** The fault of an error message, with the HTTP status and the wait that it states. */
export function toGeminiFault(message: string): Fault {
  const [status, retryAfterMs] = [statusIn(message), waitIn(message)];
  return { message, ...defined({ status, retryAfterMs }) };
}

const API_ERROR = /^\[API Error: ([[{].*[\]}])\]/s;

/** Google's error body is printed whole, sometimes inside a list. */
function statusIn(message: string): number | undefined {
  const value = parseJson(API_ERROR.exec(message)?.[1] ?? "");
  const body = objectOf(value) ?? objectOf(listOf(value)[0]);
  return numberOf(objectOf(body?.["error"])?.["code"]);
}

const WAIT =
  /(?:Please retry in|Suggested retry after|reset after) (?=\d)(?:(?<h>\d{1,6})h)?(?:(?<m>\d{1,9})m)?(?:(?<s>\d{1,9}(?:\.\d{1,20})?)s)?/;

function waitIn(message: string): number | undefined {
  const parts = WAIT.exec(message)?.groups;
  if (parts === undefined) return undefined;
  const [hours, minutes, seconds] = ["h", "m", "s"].map((unit) => Number(parts[unit] ?? 0));
  const milliseconds = Math.ceil(((hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0)) * 1000);
  return milliseconds > 0 ? milliseconds : undefined;
}
