import type { FailureCode } from "../spec/failure-codes.ts";

/** What an HTTP status of the upstream service means when the words say nothing better. */
export function codeOfStatus(status: number): FailureCode | undefined {
  const known = STATUS_CODES[status];
  if (known !== undefined) return known;
  if (status >= 500) return "server-error";
  return status >= 400 ? "bad-request" : undefined;
}

const STATUS_CODES: Readonly<Record<number, FailureCode>> = {
  401: "not-logged-in",
  402: "quota-exhausted",
  403: "access-denied",
  404: "model-unknown",
  408: "upstream-timeout",
  413: "prompt-too-large",
  429: "rate-limited",
  504: "upstream-timeout",
  529: "overloaded",
};

/** A word that makes the number after it a status, with what may stand between them. */
const NAMED =
  /(?:error|http(?:\/\d(?:\.\d)?)?|status|code|api)[\s:=_#("'`\\[{<>*,|·–—]{0,8}-?([45]\d\d)(?!\w|[,:]\d|[./-]\w|\/)/gi;
const ALONE = /^[\s"'([{]*([45]\d\d)[\s"')\].}!]*$/;

/** What a number counts is no status ("Error: 500 lines"); a reason phrase and a path into a body are none of these words. */
const COUNTED =
  /^[ -]?(?:%|(?:m?s|secs|seconds|mins?|minutes|hours|days|times|bytes|[kKMG]i?B|lines|files|items|tokens|characters|chars|words|rows|records|entries|tests|steps|tries|retries|attempts|errors|warnings|requests|messages|pages|results|users|objects|chunks)(?!\w|\.\w|:))/;
const AFTER_EXIT = /\bexit(?:ed|s|ing)?\b[^.;,\n]{0,24}$/i;

/** The statuses that an error text names as such: alone, or right after error, http, status, code or api. */
export function statusesInText(text: string): readonly number[] {
  const alone = ALONE.exec(text)?.[1];
  if (alone !== undefined) return [Number(alone)];
  return [...text.matchAll(NAMED)].filter((match) => isStatus(text, match)).map((match) => Number(match[1]));
}

function isStatus(text: string, match: RegExpExecArray): boolean {
  const [whole] = match;
  if (!beginsWord(text, match.index) || AFTER_EXIT.test(text.slice(Math.max(0, match.index - 40), match.index))) return false;
  // `error-429` is a name, `code -429` is a number below zero.
  if (/[^a-z]-\d+$/i.test(whole)) return false;
  return !COUNTED.test(text.slice(match.index + whole.length, match.index + whole.length + 24));
}

/** Words begin after anything but a letter or digit, and at a capital: statusCode, APIError. */
function beginsWord(text: string, index: number): boolean {
  const [before = "", first = "", second = ""] = [text[index - 1], text[index], text[index + 1]];
  if (!/[a-z0-9]/i.test(before)) return true;
  return /[A-Z]/.test(first) && (/[a-z]/.test(before) || /[a-z]/.test(second));
}
