import type { Clock } from "./read-reset.ts";
import { toKnownZone } from "./time-zones.ts";

/** Close to the largest value of a Date, so that later times can still be computed. */
const LAST_INSTANT = 8e15;

/** The clock and time zone of the options. Invalid values are ignored, as if they were not given. */
export function readClock(options: unknown): Clock {
  const now = read(() => Reflect.apply(Date.prototype.getTime, Reflect.get(Object(options), "now"), []));
  const timeZone = read(() => Reflect.get(Object(options), "timeZone"));
  const isDate = typeof now === "number" && Math.abs(now) <= LAST_INSTANT;
  return { now: isDate ? now : Date.now(), timeZone: toKnownZone(timeZone) };
}

function read(value: () => unknown): unknown {
  try {
    return value();
  } catch {
    return undefined;
  }
}
