import type { Recording } from "../../../../src/replay/replay.ts";
import { readKey, readRawValues } from "./raw-values.ts";

/**
 * The ids of ended messages that the CLI's own lines make void: Claude names them in `abandoned_blocks`
 * (fixtures/claude/v325-stream-cut-once); for Qwen it is the message before a retry without preserved text
 * (fixtures/qwen/v0244-stream-ends-early-each-time).
 */
export function readVoidMessages(recording: Recording): ReadonlySet<unknown> {
  const ids = new Set<unknown>();
  let last: unknown;
  for (const value of readRawValues(recording)) {
    if (readKey(value, "event", "type") === "message_start") last = readKey(value, "event", "message", "id");
    const abandoned = readKey(value, "abandoned_blocks", "api_message_id");
    if (abandoned !== undefined) ids.add(abandoned);
    if (readKey(value, "subtype") === "retry" && readKey(value, "data", "preserveText") === false) ids.add(last);
  }
  return ids;
}
