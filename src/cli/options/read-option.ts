import { InvalidArgumentError } from "commander";

const MOST_SECONDS = 2_000_000;
const MOST_RETRIES = 10;

type Reader = (text: string) => number;

/** Parses a number that is right; the words say what it must be. */
function numberThat(isRight: (value: number) => boolean, words: string): Reader {
  return (text) => {
    const value = text.trim() === "" ? Number.NaN : Number(text);
    if (isRight(value)) return value;
    throw new InvalidArgumentError(`It must be ${words}.`);
  };
}

function wholeNumber(least: number, most: number, words: string): Reader {
  return numberThat((value) => Number.isInteger(value) && value >= least && value <= most, words);
}

export const readSeconds: Reader = numberThat((value) => value > 0 && value <= MOST_SECONDS, "a number of seconds above 0");
export const readWaitSeconds: Reader = numberThat(
  (value) => value >= 0 && value <= MOST_SECONDS,
  "a number of seconds, 0 or more",
);
export const readUsd: Reader = numberThat(
  (value) => value > 0 && Number.isFinite(value),
  "an amount in US dollars above 0, such as 0.50",
);
export const readRetries: Reader = wholeNumber(0, MOST_RETRIES, `a whole number from 0 to ${MOST_RETRIES}`);
export const readCount: Reader = wholeNumber(1, Number.POSITIVE_INFINITY, "a whole number above 0");
/** 0 means any free port. */
export const readPort: Reader = wholeNumber(0, 65_535, "a port, from 0 to 65535");
export const readExitCode: Reader = wholeNumber(0, 9_999_999_999, "a whole number");

export function addValue(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

/** Appends the origin of a web page: what a browser sends, so a scheme and a host without a path. */
export function addOrigin(value: string, before: readonly string[] | undefined): readonly string[] {
  if (URL.canParse(value) && new URL(value).origin === value) return addValue(value, before);
  throw new InvalidArgumentError("It must be an origin, such as http://localhost:3000.");
}

export function toMilliseconds<Seconds extends number | undefined>(seconds: Seconds): Seconds {
  return (seconds === undefined ? undefined : Math.ceil(seconds * 1000)) as Seconds;
}
