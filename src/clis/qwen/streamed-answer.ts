import { defined, type JsonObject, numberOf, objectOf, stringOf } from "../../spec/json.ts";
import type { EventDraft } from "../../spec/wire/events.ts";

/** The events of the answer that is being streamed, as long as the CLI may discard it and send the request again. */
export type StreamedAnswer = {
  readonly texts: Set<string>;
  readonly calls: Set<string>;
};

/** The tool result of Qwen Code for a call of an answer that it discarded; recording argsbad of 0.24.4. */
const SKIPPED = "Skipped because the provider attempt was retried before execution.";

export function newAnswer(): StreamedAnswer {
  return { texts: new Set(), calls: new Set() };
}

export function isRetry(line: JsonObject | undefined): boolean {
  return line?.["type"] === "system" && line["subtype"] === "retry";
}

/** Whether the answer continues after its previous text. */
export function keepsText(line: JsonObject | undefined): boolean {
  return isRetry(line) && objectOf(line?.["data"])?.["preserveText"] === true;
}

/** Records the events of the main agent; returns them with the calls that the CLI skipped marked as void. */
export function recordEvents(answer: StreamedAnswer, events: readonly EventDraft[]): readonly EventDraft[] {
  return events.map((event) => {
    if ("parentToolId" in event) return event;
    if (event.type === "text-delta") answer.texts.add(event.messageId);
    if (event.type === "text-reset") answer.texts.delete(event.messageId);
    if (event.type === "tool-start") answer.calls.add(event.id);
    if (event.type !== "tool-end") return event;
    answer.calls.delete(event.id);
    if (event.isError && event.output === SKIPPED) return { type: "tool-reset", id: event.id };
    // A call that was executed makes the answer that contains it final.
    clearAnswer(answer);
    return event;
  });
}

export function clearAnswer({ texts, calls }: StreamedAnswer): void {
  texts.clear();
  calls.clear();
}

/** The events of a `retry` line: resets unless the answer continues, and the CLI's retry or model change. */
export function readRetry(answer: StreamedAnswer, line: JsonObject): readonly EventDraft[] {
  const events: EventDraft[] = keepsText(line) ? [] : resetAnswer(answer);
  const data = objectOf(line["data"]);
  const [tried, maxAttempts, delayMs] = ["attempt", "maxRetries", "delayMs"].map((name) => numberOf(data?.[name]));
  if (tried !== undefined) {
    events.push({
      type: "upstream-retry",
      attempt: tried,
      ...defined({ maxAttempts, delayMs }),
    });
  }
  if (stringOf(data?.["reason"]) === "model_fallback") {
    events.push({ type: "warning", code: "model-fallback", message: "Qwen Code changed the model." });
  }
  return events;
}

function resetAnswer(answer: StreamedAnswer): EventDraft[] {
  const texts = [...answer.texts].map((messageId) => ({ type: "text-reset", messageId }) as const);
  const calls = [...answer.calls].map((id) => ({ type: "tool-reset", id }) as const);
  clearAnswer(answer);
  return [...texts, ...calls];
}
