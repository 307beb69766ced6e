import type { DroppedLine } from "../process/channel/native-reader.ts";
import { createFailure } from "../spec/failure/create-failure.ts";
import type { Failure } from "../spec/failure/failure.ts";
import { DEEPEST_JSON } from "../spec/json.ts";
import type { EventDraft } from "../spec/wire/events.ts";

export function warnOfDropped(line: DroppedLine): EventDraft {
  const code = line.limit === "length" ? "line-too-long" : "line-too-deep";
  return { type: "warning", code, message: `A line of ${line.bytes} bytes was dropped, because ${limitOf(line)}.` };
}

/** The failure of an attempt without an answer whose dropped line may have been the answer; another attempt would print it again. */
export function failureOfDropped(label: string, line: DroppedLine): Failure {
  const message = `${label} printed a line of ${line.bytes} bytes and no other answer. The line was dropped, because ${limitOf(line)}.`;
  const hint = "Raise limits.lineBytes of createClient, or ask for a shorter answer.";
  return createFailure("output-truncated", message, line.limit === "length" ? { hint } : {});
}

function limitOf(line: DroppedLine): string {
  if (line.limit === "length") return `the limit is ${line.lineBytes} bytes (limits.lineBytes)`;
  return `its JSON has more than ${DEEPEST_JSON} levels`;
}
