import type { Clock } from "./read-reset.ts";
import { toKnownZone } from "./time-zones.ts";

/** Near the end of what a Date can hold there is no later time. */
const LAST_INSTANT = 8e15;

/** The clock that options ask for; whatever they cannot mean, and options that are none, are as if they were not given. */
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
