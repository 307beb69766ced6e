import { objectOf, stringOf } from "../../dialects/kit/json-access.ts";
import { keepNative } from "../../dialects/kit/native-steps.ts";
import type { JsonObject } from "../../spec/json.ts";
import { defineWire, type SimpleWire } from "../../spec/wire/define-wire.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { WireStep } from "../../spec/wire/wire.ts";
import { endByError, endByStopReason, readGrokUsage } from "./end.ts";

/** The one document of Grok Build's `--output-format json`; docs/dialects/grok.md has the rules. */
export const grokJson: SimpleWire = defineWire<undefined>({
  framing: "json",
  start: () => undefined,
  step(_, native) {
    const document = objectOf(native);
    if (document === undefined) return keepNative(native);
    if (document["type"] === "error") return { events: readGrokUsage(document), turnEnd: endByError(document) };
    if (typeof document["stopReason"] !== "string") return { events: [{ type: "native", value: document }] };
    return readDocument(document);
  },
});

function readDocument(document: JsonObject): WireStep {
  const [sessionId, thought, text] = ["sessionId", "thought", "text"].map((key) => stringOf(document[key]) ?? "");
  const object = document["structuredOutput"];
  const events: EventDraft[] = [];
  const messageId = "result";
  if (sessionId) events.push({ type: "session-start", sessionId });
  if (thought) events.push({ type: "reasoning-delta", messageId, text: thought });
  if (text) events.push({ type: "text-delta", messageId, text }, { type: "text-end", messageId });
  if (object !== undefined) events.push({ type: "object-delta", object });
  events.push(...readGrokUsage(document));
  return { events, turnEnd: endByStopReason(document, text ? messageId : undefined) };
}
