import { expect } from "vitest";
import type { RunEvent } from "../../../src/spec/wire/events.ts";

/** Checks the rules for the attempts of any run. */
export function checkAttempts(events: readonly RunEvent[]): void {
  let attempt = 0;
  let announced = false;
  const shown = new Set<string>();
  const gone = new Set<string>();
  for (const event of events) {
    if (event.type === "attempt-start") {
      attempt += 1;
      expect(event.attempt).toBe(attempt);
      expect(attempt === 1 || announced, "an attempt that nothing announced").toBe(true);
      expect([...shown], "messages of an attempt that was given up").toEqual([]);
      announced = false;
    }
    if (event.type === "retry") expect(event.attempt).toBe(attempt);
    if (event.type === "retry" || event.type === "fallback") announced = true;
    if (event.type === "warning" && event.code === "object-corrected") announced = true;
    if (event.type === "text-reset") {
      expect(shown.delete(event.messageId), "a message that was never shown is reset").toBe(true);
      gone.add(event.messageId);
    }
    if (event.type === "text-delta" || event.type === "reasoning-delta") {
      expect(gone, "an id that was reset is used again").not.toContain(event.messageId);
      shown.add(event.messageId);
    }
  }
  const times = events.map(({ atMs }) => atMs);
  expect(times).toEqual(times.toSorted((left, right) => left - right));
}
