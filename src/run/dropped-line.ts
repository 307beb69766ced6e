import type { DroppedLine } from "../process/native-reader.ts";
import type { EventDraft } from "../spec/events.ts";
import { DEEPEST_JSON } from "../spec/parse-json.ts";

/** The warning about a line that was dropped. */
export function warnOfDropped({ bytes, limit }: DroppedLine): EventDraft {
  if (limit === "length") return { type: "warning", code: "line-too-long", message: `A line of ${bytes} bytes was dropped.` };
  const message = `A line of ${bytes} bytes was dropped, because its JSON has more than ${DEEPEST_JSON} levels.`;
  return { type: "warning", code: "line-too-deep", message };
}
