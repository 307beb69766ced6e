import { InvalidArgumentError } from "commander";

const MOST_SECONDS = 2_000_000;
const MOST_RETRIES = 10;

/** Parses a positive number of seconds. */
export function readSeconds(value: string): number {
  const seconds = readNumber(value);
  if (seconds > 0 && seconds <= MOST_SECONDS) return seconds;
  throw new InvalidArgumentError("It must be a number of seconds above 0.");
}

/** Parses a number of seconds that may be 0. */
export function readWaitSeconds(value: string): number {
  const seconds = readNumber(value);
  if (seconds >= 0 && seconds <= MOST_SECONDS) return seconds;
  throw new InvalidArgumentError("It must be a number of seconds, 0 or more.");
}

export function readRetries(value: string): number {
  const retries = readNumber(value);
  if (Number.isInteger(retries) && retries >= 0 && retries <= MOST_RETRIES) return retries;
  throw new InvalidArgumentError(`It must be a whole number from 0 to ${MOST_RETRIES}.`);
}

/** Parses a whole number above 0, such as a number of steps. */
export function readCount(value: string): number {
  const count = readNumber(value);
  if (Number.isInteger(count) && count > 0) return count;
  throw new InvalidArgumentError("It must be a whole number above 0.");
}

/** Parses the number of a port; 0 means any free one. */
export function readPort(value: string): number {
  const port = readNumber(value);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError("It must be a port, from 0 to 65535.");
}

/** Adds the origin of a web page to those of a repeatable option: what a browser sends, so a scheme and a host without a path. */
export function addOrigin(value: string, before: readonly string[] | undefined): readonly string[] {
  if (URL.canParse(value) && new URL(value).origin === value) return addValue(value, before);
  throw new InvalidArgumentError("It must be an origin, such as http://localhost:3000.");
}

export function readUsd(value: string): number {
  const usd = readNumber(value);
  if (usd > 0 && Number.isFinite(usd)) return usd;
  throw new InvalidArgumentError("It must be an amount in US dollars above 0, such as 0.50.");
}

function readNumber(value: string): number {
  return value.trim() === "" ? Number.NaN : Number(value);
}

/** Appends a value of an option that may be repeated. */
export function addValue(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}
