/** A day and a time of day as a clock on the wall shows them; months count from 1. */
export type WallTime = {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
};

const SHORT_NAMES: Readonly<Record<string, string>> = {
  z: "UTC",
  utc: "UTC",
  gmt: "UTC",
  pacific: "America/Los_Angeles",
  pt: "America/Los_Angeles",
  pst: "America/Los_Angeles",
  pdt: "America/Los_Angeles",
  mt: "America/Denver",
  mst: "America/Denver",
  mdt: "America/Denver",
  ct: "America/Chicago",
  cst: "America/Chicago",
  cdt: "America/Chicago",
  et: "America/New_York",
  est: "America/New_York",
  edt: "America/New_York",
  bst: "Europe/London",
  cet: "Europe/Berlin",
  cest: "Europe/Berlin",
  jst: "Asia/Tokyo",
};

/** The IANA name of a time zone that is written beside a time; undefined for words that name none. */
export function toTimeZone(name: string): string | undefined {
  const zone = SHORT_NAMES[name.toLowerCase()] ?? (name.includes("/") ? name : undefined);
  return zone !== undefined && isTimeZone(zone) ? zone : undefined;
}

/** The zone that is asked for, or that of the host where there is no such zone. */
export function toKnownZone(name: unknown): string {
  return typeof name === "string" && isTimeZone(name) ? name : new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** What the clocks of a zone show at an instant. */
export function toWallTime(instant: number, timeZone: string): WallTime {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const read = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  return {
    year: read("year"),
    month: read("month"),
    day: read("day"),
    hour: read("hour"),
    minute: read("minute"),
    second: read("second"),
  };
}

/** The instant at which the clocks of a zone show this; days beyond the end of a month run on into the next. */
export function toInstant(wall: WallTime, timeZone: string): number {
  const asIfUtc = toUtc(wall);
  const guess = asIfUtc - offsetAt(asIfUtc, timeZone);
  return asIfUtc - offsetAt(guess, timeZone);
}

function offsetAt(instant: number, timeZone: string): number {
  return toUtc(toWallTime(instant, timeZone)) - Math.floor(instant / 1000) * 1000;
}

function toUtc({ year, month, day, hour, minute, second }: WallTime): number {
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
