import { numberOf, objectOf, stringOf } from "../../dialects/kit/json-access.ts";
import type { JsonObject } from "../../spec/json.ts";
import { parseJson } from "../../spec/text/parse-json.ts";
import type { Fault } from "../../spec/wire/wire.ts";

/** Reads an `error` line: the error of the service behind OpenCode if there is one, otherwise OpenCode's own. */
export function readOpencodeFault(line: JsonObject): Fault {
  const error = objectOf(line["error"]) ?? {};
  const data = objectOf(error["data"]) ?? {};
  const name = stringOf(error["name"]) ?? "error";
  const status = numberOf(data["statusCode"]);
  const retryAfterMs = readRetryAfter(objectOf(data["responseHeaders"]) ?? {}, numberOf(line["timestamp"]));
  return {
    message: stringOf(data["message"]) || name,
    kind: codeOf(data) ?? name,
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    event: { type: "error", error: { name, data: keptData(data) } },
  };
}

function codeOf(data: JsonObject): string | undefined {
  const body = objectOf(parseJson(stringOf(data["responseBody"]) ?? ""));
  return stringOf(objectOf(body?.["error"])?.["code"]);
}

/** `retry-after` is a number of seconds or a date; the line has the time at which it was printed. */
function readRetryAfter(headers: JsonObject, printedAt = Number.NaN): number | undefined {
  const given = stringOf(headers["retry-after"]) ?? "";
  const waits = [
    Number(stringOf(headers["retry-after-ms"]) || Number.NaN),
    Number(given || Number.NaN) * 1000,
    Date.parse(given) - printedAt,
  ];
  return waits.find((wait) => wait >= 0 && Number.isFinite(wait));
}

/** Headers and addresses do not describe the error. */
function keptData(data: JsonObject): JsonObject {
  const kept = ["message", "statusCode", "isRetryable", "responseBody", "ref", "providerID"];
  return Object.fromEntries(Object.entries(data).filter(([key]) => kept.includes(key)));
}
