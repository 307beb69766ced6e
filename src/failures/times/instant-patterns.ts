import { NOT_DONE, NOT_PAST, REOPENS, TRY_AGAIN, WITHIN_SENTENCE } from "./read-wait.ts";

/** Patterns for points in time, most specific first. Each pattern except `words` has the time in its first group. */
export type InstantPatterns = {
  /** Seconds or milliseconds since 1970. */
  readonly unix?: RegExp;
  readonly httpDate: RegExp;
  readonly iso: RegExp;
  /** Dates and times of day in named groups; each group may be empty. */
  readonly words: RegExp;
};

/** The first letters of the months in English. */
export const MONTHS: readonly string[] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
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

/** A whole text that is an ISO time or date. */
export const WHOLE_ISO: RegExp = new RegExp(`^(?:${ISO}|\\d{4}-\\d\\d-\\d\\d)$`, "i");

/** "unavailable" counts only before "until": any other time in such a line is the time of the log entry. */
const OPENING = `${NOT_PAST}(?:retry|retrying|${TRY_AGAIN}|wait|${REOPENS}|available|(?:unavailable|limited|blocked|locked|paused|reached|exceeded|exhausted)(?=\\suntil)|come\\sback)\\b`;
const LINK =
  "(?:[\\s:,·∙-]{1,3}(?:again|at|on|by|after|until|from|around|is|date|time|the|every\\sday|daily|your\\s(?:limits?|usage|quota))){0,3}";
const RESET_FIELD = `${NOT_DONE}reset[\\w-]{0,12}`;

/** How a quota or rate limit states its reset time. */
export const LIMIT_INSTANTS: InstantPatterns = {
  // Claude's `Claude AI usage limit reached|1790000000`, and fields such as `"resets_at":1790000000`.
  unix: /(?:\blimit reached\s?\||\breset[\w-]{0,12}[\s:="'\\]{1,8}(?:at\s)?)(\d{13}|\d{10})(?!\d)/i,
  httpDate: new RegExp(`\\b(?:retry[\\s_-]?after|${RESET_FIELD}|try again)${WITHIN_SENTENCE}{1,20}?${HTTP}`, "i"),
  iso: new RegExp(`(?:\\b${OPENING}${WITHIN_SENTENCE}{0,60}|${RESET_FIELD}[\\\\"'\\s:=]{1,8})\\b(${ISO})`, "i"),
  words: new RegExp(`\\b${OPENING}${LINK}[\\s:,·∙"'=(-]{1,4}${WORDS}`, "gi"),
};

/** How any other failure states when to retry: only as an instruction, never by a time that happens to be in the text. */
export const ORDERED_INSTANTS: InstantPatterns = {
  httpDate: new RegExp(`\\b${NOT_PAST}(?:retry[\\s_-]?after|try again)${WITHIN_SENTENCE}{1,20}?${HTTP}`, "i"),
  iso: new RegExp(`\\b${NOT_PAST}(?:retry[\\s_-]?after|try\\s{1,6}again\\s(?:at|on|after|from))[\\\\"'\\s:=]{1,6}(${ISO})`, "i"),
  words: new RegExp(`\\btry\\s{1,6}again\\s(?:at|on|after|from)\\s{1,4}${WORDS}`, "gi"),
};
