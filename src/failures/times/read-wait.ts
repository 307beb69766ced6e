const UNIT = "(?:milliseconds?|millis|msecs?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w)";
const PART = `\\d{1,9}(?:\\.\\d{1,9})?\\s{0,4}${UNIT}(?![a-z])`;
const DURATION = `(?:${PART}(?:,?\\s?(?:and\\s)?${PART}){0,5}|(?:a|an|one)\\s(?:second|minute|hour|day|week)\\b)`;
/** A complete duration, in group 1. A wait that is over ("wait 10m0s exceeded") does not match. */
const AHEAD = `(?=(${DURATION}))\\1(?!\\s(?:(?:was|is|has|have|been)\\s){0,2}(?:exceeded|elapsed|expired|passed|reached|over)\\b)`;

/** Excludes earlier retries, which state nothing about the next one. */
export const NOT_PAST = "(?<!\\b(?:last|previous|final|gave\\sup\\sto)\\s)";
/** Excludes a connection that was reset: that is not a limit that resets. */
export const NOT_DONE = "(?<!\\b(?:connection|socket|stream|was|been|got)\\s|econn)";
/** "try again", also with what to try: "try your request again". */
export const TRY_AGAIN = "try\\s{1,6}(?:(?:it|(?:this|the|your)\\s\\w{1,20})\\s)?again";
export const REOPENS: string = `${NOT_DONE}resets?|resetting|refresh(?:es|ed)?|renews?|renewed|restored?|unlocks?|lifted|regain\\s(?:\\w{1,20}\\s)?access`;
const WAITING = `${NOT_PAST}(?:retry(?:\\s(?:this|the|your)\\s\\w{1,20})?|retrying|${TRY_AGAIN}|wait|${REOPENS}|(?:un)?available|come\\sback|\\bagain(?=\\s(?:in|after)\\s))\\b`;
/** The rest of a sentence; a point within a number does not end it. */
export const WITHIN_SENTENCE = "(?:[^.!?;\\n]|\\.(?=\\w))";
const LINK = "(?:[\\s:,(]{1,6}(?:again|in|after|for|at\\sleast|about|approximately|around|another|up\\sto))";
/** Words before "in 3 hours" that make it a future time; "no answer in 300 seconds, try again" is about the past. */
const TO_COME =
  "(?:^|[.,;:!?(\\n]\\s{0,4}|\\b(?:please|can|will|may|should|back|again|only|lifted|renewed|over|opens?|ends?)\\s)";

const FIELD: RegExp = new RegExp(`\\bretry[\\s_-]?(?:after|delay|in)[\\\\"'\\s]{0,4}[:=][\\\\"'\\s]{0,4}(${DURATION})`, "i");

/** How a limit states a wait, most specific first: a field of a body or header, the text, "in …" elsewhere in the sentence. */
const STATED: readonly RegExp[] = [
  FIELD,
  new RegExp(`\\b${WAITING}${LINK}{0,3}[\\s:,(~≈]{1,6}${AHEAD}`, "i"),
  new RegExp(`\\b${WAITING}${WITHIN_SENTENCE}{0,80}\\sin\\s(?:about\\s)?(${DURATION})`, "i"),
  new RegExp(
    `\\b(?:limited|blocked|locked|paused|suspended|cooldown)(?:\\sout)?(?:\\sof|\\sfor|\\speriod|:){1,2}\\s(?:the\\snext\\s|another\\s)?(${DURATION})`,
    "i",
  ),
  new RegExp(`(?<![\\w.])(${DURATION})\\s(?:remaining\\b|until\\s(?:\\w{1,20}\\s){0,2}resets?\\b)`, "i"),
  new RegExp(`${TO_COME}in\\s(${DURATION})${WITHIN_SENTENCE}{0,60}\\b${WAITING}`, "i"),
];

const ABOUT = "(?:(?:at\\sleast|about|approximately|around|another|up\\sto)\\s{1,4})?";
const OBJECT = "(?:\\s(?:it|(?:this|the|your)\\s\\w{1,20}))?";

/** How any other failure states a wait: only as an instruction to wait or to retry. */
const ORDERED: readonly RegExp[] = [
  FIELD,
  new RegExp(
    `\\b${NOT_PAST}(?:retry|try\\s{1,6}again)${OBJECT}[\\s_-]{1,6}(?:again\\s)?(?:in|after)\\s{1,6}${ABOUT}${AHEAD}`,
    "i",
  ),
  new RegExp(
    `(?:^|[.,;!?(\\n]\\s{0,4}|\\b(?:please|must|should|then|and|(?:need|have)\\sto)\\s{1,4})wait\\s{1,4}(?:for\\s{1,4})?${ABOUT}${AHEAD}`,
    "i",
  ),
];

const MILLISECONDS_FIELD = /\bretry[\s_-]?(?:after|delay)[_-]?ms[\\"'\s]{0,4}[:=][\\"'\s]{0,4}(\d{1,12}(?:\.\d{1,12})?)/i;
const SECONDS_FIELD: RegExp = new RegExp(
  `\\b(?:retry(?:[\\s_-]?after(?:[_-]?seconds)?[\\\\"'\\s]{0,4}[:=][\\\\"'\\s]{0,4}|[_-]after\\s)|resets?[_-](?:in|after)[_-]seconds[\\\\"'\\s]{0,4}[:=][\\\\"'\\s]{0,4})(\\d{1,9}(?:\\.\\d{1,9})?)(?![\\d.]*\\d|[ \\t]?${UNIT}(?![a-z])|[:/-]\\d)`,
  "i",
);

/** A year and a day; longer waits are ignored. */
export const LONGEST_WAIT_MS: number = 366 * 86_400_000;

/** The wait in milliseconds that the text states; other durations are ignored, and `isLimit` selects the patterns. */
export function readWait(text: string, isLimit = true): number | undefined {
  const fields: readonly (readonly [RegExp, number])[] = [
    [MILLISECONDS_FIELD, 1],
    [SECONDS_FIELD, 1000],
  ];
  for (const [field, factor] of fields) {
    const number = field.exec(text)?.[1];
    if (number !== undefined) return toWait(Number(number) * factor);
  }
  for (const stated of isLimit ? STATED : ORDERED) {
    const duration = stated.exec(text)?.[1];
    if (duration !== undefined) return toWait(readDuration(duration));
  }
  return undefined;
}

/** The wait that a field states: a number in its unit, or text with its own unit such as "12s". */
export function readWaitField(value: string | number, unitMs: number): number | undefined {
  const number = typeof value === "number" || value.trim() === "" ? value : Number(value);
  if (typeof number === "number" && !Number.isNaN(number)) return toWait(number * unitMs);
  const text = String(value).trim();
  return WHOLE_DURATION.test(text) ? toWait(readDuration(text)) : undefined;
}

const WHOLE_DURATION: RegExp = new RegExp(`^${DURATION}$`, "i");
const PARTS: RegExp = new RegExp(`(\\d{1,9}(?:\\.\\d{1,9})?|\\b(?:an?|one)\\b)\\s{0,4}(${UNIT})(?![a-z])`, "gi");

function readDuration(text: string): number {
  let total = 0;
  for (const [, amount = "", unit = ""] of text.matchAll(PARTS)) {
    total += (/^\d/.test(amount) ? Number(amount) : 1) * unitInMs(unit.toLowerCase());
  }
  return total;
}

function unitInMs(unit: string): number {
  if (unit.startsWith("ms") || unit.startsWith("mil")) return 1;
  const [minute, hour] = [60_000, 3_600_000];
  const byLetter: Readonly<Record<string, number>> = { s: 1000, m: minute, h: hour, d: 24 * hour, w: 7 * 24 * hour };
  return byLetter[unit.charAt(0)] ?? 0;
}

/** Rounds up to whole milliseconds, but not for the error of a decimal fraction; undefined out of bounds. */
function toWait(milliseconds: number): number | undefined {
  const whole = Math.ceil(milliseconds - 1e-6);
  return whole >= 0 && whole <= LONGEST_WAIT_MS ? Math.abs(whole) : undefined;
}
