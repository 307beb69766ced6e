import { toOneLine } from "./terminal-text.ts";

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAY_MS = 24 * 60 * 60 * 1000;
const LONGEST_WORDS = 40;

/** An ISO time in local time: `19:04`, `Tue 19:04`, `24 Nov 19:04`. Any other text stays as it is, on one line. */
export function toShortTime(iso: string, now: number = Date.now()): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return toOneLine(iso, LONGEST_WORDS);
  const clock = `${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`;
  const today = new Date(now);
  if (time.toDateString() === today.toDateString()) return clock;
  if (Math.abs(time.getTime() - now) < 6 * DAY_MS) return `${DAYS[time.getDay()]} ${clock}`;
  const year = time.getFullYear() === today.getFullYear() ? "" : ` ${time.getFullYear()}`;
  return `${time.getDate()} ${MONTHS[time.getMonth()]}${year} ${clock}`;
}

/** The text with this ISO time in it replaced by the local time. */
export function withShortTime(text: string, iso: string | undefined): string {
  return iso === undefined ? text : text.replaceAll(iso, () => toShortTime(iso));
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
