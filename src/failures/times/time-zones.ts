/** A local date and time of day; months count from 1. */
export type WallTime = Readonly<Record<"year" | "month" | "day" | "hour" | "minute" | "second", number>>;

/** The short names of time zones, in lower case. */
const SHORT_NAMES: readonly (readonly [zone: string, ...names: readonly string[]])[] = [
  ["UTC", "z", "utc", "gmt"],
  ["America/Los_Angeles", "pacific", "pt", "pst", "pdt"],
  ["America/Denver", "mt", "mst", "mdt"],
  ["America/Chicago", "ct", "cst", "cdt"],
  ["America/New_York", "et", "est", "edt"],
  ["Europe/London", "bst"],
  ["Europe/Berlin", "cet", "cest"],
  ["Europe/Athens", "eet", "eest"],
  ["Europe/Moscow", "msk"],
  ["Asia/Kolkata", "ist"],
  ["Asia/Singapore", "sgt", "hkt"],
  ["Asia/Seoul", "kst"],
  ["Asia/Tokyo", "jst"],
  ["Australia/Sydney", "aest", "aedt"],
];

/** The IANA name of a time zone written beside a time; undefined for other words. */
export function toTimeZone(name: string): string | undefined {
  const known = SHORT_NAMES.find(([, ...names]) => names.includes(name.toLowerCase()));
  const zone = known?.[0] ?? (name.includes("/") ? name : undefined);
  return zone !== undefined && isTimeZone(zone) ? zone : undefined;
}

/** The given time zone, or the host's if there is no such zone. */
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

/** The last format that was used, because making one takes a hundred times as long as using it. */
let lastFormat: { readonly timeZone: string; readonly format: Intl.DateTimeFormat } | undefined;

function wallTimeFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
}

export function toWallTime(instant: number, timeZone: string): WallTime {
  if (lastFormat?.timeZone !== timeZone) lastFormat = { timeZone, format: wallTimeFormat(timeZone) };
  const parts = lastFormat.format.formatToParts(instant);
  const {
    year = 0,
    month = 0,
    day = 0,
    hour = 0,
    minute = 0,
    second = 0,
  }: Partial<WallTime> = Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)]));
  return { year, month, day, hour, minute, second };
}

/** The point in time of a local time in a zone; days beyond the end of a month run on into the next month. */
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
