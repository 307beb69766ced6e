import { LONGEST_WAIT_MS, NOT_DONE, NOT_PAST, REOPENS, TRY_AGAIN, WITHIN_SENTENCE } from "./read-wait.ts";

/** The clock and zone for times without a date or zone. */
export type Clock = { readonly now: number; readonly timeZone: string };

/** The time in milliseconds since 1970 at which the text says to retry; `isLimit` selects the patterns. */
export function readReset(text: string, clock: Clock, isLimit = true): number | undefined {
  const patterns = isLimit ? LIMIT_INSTANTS : ORDERED_INSTANTS;
  const unix = patterns.unix?.exec(text)?.[1];
  if (unix !== undefined) return withinBounds(fromUnix(Number(unix)), clock);
  const date = patterns.httpDate.exec(text)?.[1];
  if (date !== undefined) return withinBounds(Date.parse(date), clock);
  const iso = patterns.iso.exec(text)?.[1];
  if (iso !== undefined) return withinBounds(readIso(iso, clock.timeZone), clock);
  const groups = [...text.matchAll(patterns.words)].map((match) => match.groups ?? {}).find(namesAnything);
  return groups === undefined ? undefined : withinBounds(readWords(groups, clock), clock);
}

/** The time that a field states: ISO, HTTP date, unix seconds or unix milliseconds. */
export function readResetField(value: string | number, clock: Clock): number | undefined {
  const number = Number(typeof value === "string" && value.trim() === "" ? Number.NaN : value);
  if (!Number.isNaN(number)) return number > 0 ? withinBounds(fromUnix(number), clock) : undefined;
  const text = String(value).trim();
  return withinBounds(WHOLE_ISO.test(text) ? readIso(text, clock.timeZone) : Date.parse(text), clock);
}

function namesAnything(groups: Groups): boolean {
  return Object.values(groups).some((group) => group !== undefined);
}

function withinBounds(instant: number | undefined, { now }: Clock): number | undefined {
  return instant !== undefined && instant - now <= LONGEST_WAIT_MS ? instant : undefined;
}

function fromUnix(number: number): number {
  return number < 100_000_000_000 ? number * 1000 : number;
}

function readIso(text: string, timeZone: string): number | undefined {
  const [date = "", time = "", zone = ""] = (/^([\d-]{10})(?:[T ]([\d:.]{4,18}))?\s?(.{0,6})$/.exec(text) ?? []).slice(1);
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
  const [hour = 0, minute = 0, second = 0] = time.split(":").map(Number);
  if (!isDay(year, month, day) || hour > 24 || minute > 59 || second >= 61) return undefined;
  if (zone === "") return toInstant({ year, month, day, hour, minute, second: Math.floor(second) }, timeZone);
  const offset = /^[+-]/.test(zone) ? zone.replace(/^(...):?(..)$/, "$1:$2") : "Z";
  const instant = Date.parse(`${date}T${time.length === 5 ? `${time}:00` : time}${offset}`);
  return Number.isNaN(instant) ? undefined : instant;
}

type Groups = Readonly<Record<string, string | undefined>>;
type Day = Pick<WallTime, "year" | "month" | "day">;
type TimeOfDay = Pick<WallTime, "hour" | "minute" | "second">;

function readWords(groups: Groups, { now, timeZone: given }: Clock): number | undefined {
  const timeZone = toTimeZone(groups["zone"] ?? "") ?? given;
  const time = readTime(groups);
  if (time === undefined) return undefined;
  const shift = readOffset(groups);
  const today = toWallTime(shift === undefined ? now : now + shift, shift === undefined ? timeZone : "UTC");
  const { days, isWhole } = daysIn(groups, today);
  return days
    .map((day) => ({ ...day, ...time }))
    .map((wall) => (shift === undefined ? toInstant(wall, timeZone) : toInstant(wall, "UTC") - shift))
    .find((instant) => isWhole || instant > now);
}

/** The candidate days, in order. A full date may be in the past; any other is in the future. */
function daysIn(groups: Groups, today: Day): { readonly days: readonly Day[]; readonly isWhole: boolean } {
  const { iso, relative } = groups;
  const tomorrow = { ...today, day: today.day + 1 };
  if (relative !== undefined) return { days: [relative.toLowerCase() === "today" ? today : tomorrow], isWhole: true };
  const [isoYear, isoMonth, isoDay] = iso?.split("-") ?? readNumericDay(groups);
  const month = Number(isoMonth ?? MONTHS.indexOf((groups["month"] ?? groups["monthLast"] ?? "").slice(0, 3).toLowerCase()) + 1);
  if (month === 0) return { days: [today, tomorrow], isWhole: false };
  const day = Number(isoDay ?? groups["day"] ?? groups["dayFirst"]);
  const year = isoYear ?? groups["year"] ?? groups["yearLast"];
  const years = year === undefined ? [today.year, today.year + 1] : [Number(year)];
  const days = years.filter((candidate) => isDay(candidate, month, day)).map((candidate) => ({ year: candidate, month, day }));
  return { days, isWhole: year !== undefined };
}

/** The year, month and day of `07-27` and, as JavaScript prints dates in English, of `7/27/2026`. */
function readNumericDay({ monthDay, slashed }: Groups): readonly (string | undefined)[] {
  if (monthDay !== undefined) return [undefined, ...monthDay.split("-")];
  const [month, day, year] = slashed?.split("/") ?? [];
  return [year, month, day];
}

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** The time of day; midnight when only a date is given; undefined when it is not a valid time. */
function readTime(groups: Groups): TimeOfDay | undefined {
  if (groups["named"] !== undefined) return { hour: groups["named"].toLowerCase() === "noon" ? 12 : 0, minute: 0, second: 0 };
  const minute = Number(groups["minute"] ?? groups["minute24"] ?? 0);
  const second = Number(groups["second"] ?? groups["second24"] ?? 0);
  const half = groups["half"]?.toLowerCase();
  const shown = Number(groups["hour"] ?? groups["hour24"] ?? 0);
  if (minute > 59 || second > 59 || shown > 23 || (half !== undefined && (shown < 1 || shown > 12))) return undefined;
  return { hour: half === undefined ? shown : (shown % 12) + (half === "p" ? 12 : 0), minute, second };
}

/** In milliseconds. */
function readOffset(groups: Groups): number | undefined {
  const [, sign, hours = "0", minutes = "0"] = /^([+-])(\d{1,2}):?(\d\d)?$/.exec(groups["offset"] ?? "") ?? [];
  if (sign === undefined) return undefined;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** Patterns for points in time, most specific first. Each pattern except `words` has the time in its first group. */
type InstantPatterns = {
  /** Seconds or milliseconds since 1970. */
  readonly unix?: RegExp;
  readonly httpDate: RegExp;
  readonly iso: RegExp;
  /** Dates and times of day in named groups; each group may be empty. */
  readonly words: RegExp;
};

const MONTHS: readonly string[] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH = `(?:${MONTHS.join("|")})[a-z]{0,6}`;
const WEEKDAY = "(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}";
const NTH = "(?:st|nd|rd|th)?";
const DATE = [
  "(?<iso>\\d{4}-\\d\\d-\\d\\d)",
  "(?<monthDay>\\d\\d-\\d\\d)(?=\\s\\d\\d:\\d\\d)",
  "(?<slashed>\\d{1,2}/\\d{1,2}/\\d{4})",
  `(?<month>${MONTH})\\.?\\s(?<day>\\d{1,2})${NTH}\\b(?:,?\\s(?<year>\\d{4})\\b)?`,
  `(?<dayFirst>\\d{1,2})${NTH}\\s(?<monthLast>${MONTH})\\b\\.?(?:,?\\s(?<yearLast>\\d{4})\\b)?`,
  "(?<relative>today|tomorrow)",
].join("|");
const TIME = [
  "(?<hour>\\d{1,2})(?::(?<minute>\\d\\d)(?::(?<second>\\d\\d)(?:\\.\\d{1,9})?)?)?\\s?(?<half>[ap])\\.?m\\b\\.?",
  "(?<hour24>\\d{1,2}):(?<minute24>\\d\\d)(?::(?<second24>\\d\\d)(?:\\.\\d{1,9})?)?",
  "(?<named>midnight|noon)",
].join("|");
const ZONE =
  "(?:\\s{0,2}(?:\\n\\s{0,20})?\\(?(?<zone>[A-Za-z]{2,20}(?:/[A-Za-z_+0-9-]{1,30}){1,2}|(?<![a-z])z|[A-Z]{2,4}|Pacific)\\b)?(?<offset>[+-]\\d{1,2}:?(?:\\d\\d)?\\b)?";
const WORDS = `(?:(?:${WEEKDAY},?\\s)?(?:${DATE})(?:,?\\sat\\s|,?\\s@\\s?|,\\s?|\\s|T)?)?(?:(?:${TIME})${ZONE})?`;
const HTTP = `(${WEEKDAY}, \\d{1,2} ${MONTH} \\d{4} \\d\\d:\\d\\d:\\d\\d (?:GMT|UTC))`;
const ISO = "\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?\\s?(?:Z\\b|UTC\\b|[+-]\\d\\d:?\\d\\d)?";

const WHOLE_ISO: RegExp = new RegExp(`^(?:${ISO}|\\d{4}-\\d\\d-\\d\\d)$`, "i");

/** "unavailable" counts only before "until": any other time in such a line is the time of the log entry. */
const OPENING = `${NOT_PAST}(?:retry|retrying|${TRY_AGAIN}|wait|${REOPENS}|available|(?:unavailable|limited|blocked|locked|paused|reached|exceeded|exhausted)(?=\\suntil)|come\\sback)\\b`;
const LINK =
  "(?:[\\s:,·∙-]{1,3}(?:again|at|on|by|after|until|from|around|is|date|time|the|every\\sday|daily|your\\s(?:limits?|usage|quota))){0,3}";
const RESET_FIELD = `${NOT_DONE}reset[\\w-]{0,12}`;

/** How a quota or rate limit states its reset time. */
const LIMIT_INSTANTS: InstantPatterns = {
  // Claude's `Claude AI usage limit reached|1790000000`, and fields such as `"resets_at":1790000000`.
  unix: /(?:\blimit reached\s?\||\breset[\w-]{0,12}[\s:="'\\]{1,8}(?:at\s)?)(\d{13}|\d{10})(?!\d)/i,
  httpDate: new RegExp(`\\b(?:retry[\\s_-]?after|${RESET_FIELD}|try again)${WITHIN_SENTENCE}{1,20}?${HTTP}`, "i"),
  iso: new RegExp(`(?:\\b${OPENING}${WITHIN_SENTENCE}{0,60}|${RESET_FIELD}[\\\\"'\\s:=]{1,8})\\b(${ISO})`, "i"),
  words: new RegExp(`\\b${OPENING}${LINK}[\\s:,·∙"'=(-]{1,4}${WORDS}`, "gi"),
};

/** How any other failure states when to retry: only as an instruction, never by a time that happens to be in the text. */
const ORDERED_INSTANTS: InstantPatterns = {
  httpDate: new RegExp(`\\b${NOT_PAST}(?:retry[\\s_-]?after|try again)${WITHIN_SENTENCE}{1,20}?${HTTP}`, "i"),
  iso: new RegExp(`\\b${NOT_PAST}(?:retry[\\s_-]?after|try\\s{1,6}again\\s(?:at|on|after|from))[\\\\"'\\s:=]{1,6}(${ISO})`, "i"),
  words: new RegExp(`\\btry\\s{1,6}again\\s(?:at|on|after|from)\\s{1,4}${WORDS}`, "gi"),
};

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
  const parts = lastFormat.format.formatToParts(instant).filter(({ type }) => type !== "literal");
  // The format names these parts and no other.
  return Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)])) as WallTime;
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
