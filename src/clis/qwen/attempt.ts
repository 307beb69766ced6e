import { numberOf, objectOf, stringOf } from "../../dialects/json-access.ts";
import type { EventDraft } from "../../spec/events.ts";
import type { JsonObject } from "../../spec/json.ts";

/** What the answer that is being streamed has said so far, as long as the CLI may give it up and ask again. */
export type Attempt = {
  readonly texts: Set<string>;
  readonly calls: Set<string>;
};

/** How Qwen Code answers a call of an answer that it gave up; recording argsbad of 0.24.4. */
const SKIPPED = "Skipped because the provider attempt was retried before execution.";

/** An answer of which nothing was said. */
export function newAttempt(): Attempt {
  return { texts: new Set(), calls: new Set() };
}

/** Whether a line says that the answer is asked for again. */
export function isRetry(line: JsonObject | undefined): boolean {
  return line?.["type"] === "system" && line["subtype"] === "retry";
}

/** Whether the answer goes on behind what was said of it. */
export function goesOn(line: JsonObject | undefined): boolean {
  return isRetry(line) && objectOf(line?.["data"])?.["preserveText"] === true;
}

/** Notes what the main speaker said; gives the events with calls that the CLI skipped as void. */
export function noteSaid(attempt: Attempt, events: readonly EventDraft[]): readonly EventDraft[] {
  return events.map((event) => {
    if ("parentToolId" in event) return event;
    if (event.type === "text-delta") attempt.texts.add(event.messageId);
    if (event.type === "text-reset") attempt.texts.delete(event.messageId);
    if (event.type === "tool-start") attempt.calls.add(event.id);
    if (event.type !== "tool-end") return event;
    attempt.calls.delete(event.id);
    if (event.isError && event.output === SKIPPED) return { type: "tool-reset", id: event.id };
    // A call that was carried out settles the answer that it belongs to.
    forget(attempt);
    return event;
  });
}

/** Another answer begins. */
export function forget({ texts, calls }: Attempt): void {
  texts.clear();
  calls.clear();
}

/** What a `retry` line means: what was said is void unless it goes on, and the attempt or the other model is told. */
export function readRetry(attempt: Attempt, line: JsonObject): readonly EventDraft[] {
  const events: EventDraft[] = goesOn(line) ? [] : takeBack(attempt);
  const data = objectOf(line["data"]);
  const [tried, maxAttempts, delayMs] = ["attempt", "maxRetries", "delayMs"].map((name) => numberOf(data?.[name]));
  if (tried !== undefined) {
    events.push({
      type: "upstream-retry",
      attempt: tried,
      ...(maxAttempts !== undefined && { maxAttempts }),
      ...(delayMs !== undefined && { delayMs }),
    });
  }
  if (stringOf(data?.["reason"]) === "model_fallback") {
    events.push({ type: "warning", code: "model-fallback", message: "Qwen Code changed the model." });
  }
  return events;
}

function takeBack(attempt: Attempt): EventDraft[] {
  const texts = [...attempt.texts].map((messageId) => ({ type: "text-reset", messageId }) as const);
  const calls = [...attempt.calls].map((id) => ({ type: "tool-reset", id }) as const);
  forget(attempt);
  return [...texts, ...calls];
}
