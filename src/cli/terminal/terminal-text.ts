import { relative } from "node:path";

/** Control characters of both sets except newline and tab, and characters that change the direction of the text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to make visible
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Bidi_Control}/gu;

/**
 * The text with each character visible that could move the cursor, change the terminal or reorder the text: `\u009b` stands for
 * U+009B. Newlines and tabs stay; carriage returns are removed.
 */
export function toTerminalText(text: string): string {
  return text.replaceAll("\r", "").replace(STEERING, escapeCharacter);
}

/** The value as JSON in which these characters are escaped; it has the same meaning for a program. */
export function toJsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(STEERING, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

export function toOneLine(text: string, length: number): string {
  const line = toTerminalText(text.replace(/\s+/g, " ").trim());
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

/** The whole text on one line, with leading and trailing blanks. */
export function toUnbrokenText(text: string): string {
  return toTerminalText(text.replace(/[\t\r\n\u2028\u2029]+/g, " "));
}

/** A command to copy: complete, on one line, without invisible characters and without those that change the text direction. */
export function toCommandText(command: string): string {
  return toUnbrokenText(command.replace(/[\t\r\n]+/g, " ").replace(/\p{Cf}|\p{Cc}/gu, ""));
}

/** A duration for people: `300 ms`, `1.2 s`, `4 min 10 s`, `1 h 46 min`, `3 d 4 h`. */
export function toDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  const [minutes, hours, days] = [Math.floor(seconds / 60), Math.floor(seconds / 3600), Math.floor(seconds / 86_400)];
  if (hours === 0) return twoParts(minutes, "min", seconds % 60, "s");
  return days === 0 ? twoParts(hours, "h", minutes % 60, "min") : twoParts(days, "d", hours % 24, "h");
}

function twoParts(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

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

export function withShortTime(text: string, iso: string | undefined): string {
  return iso === undefined ? text : text.replaceAll(iso, () => toShortTime(iso));
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

/** The path relative to the current directory or to the home (`~`), whichever applies. */
export function shortPath(path: string): string {
  const [home, here] = [process.env["HOME"] ?? "", relative(".", path)];
  if (here !== "" && !here.startsWith("..")) return here;
  return home !== "" && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
