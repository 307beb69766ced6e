import { isSecretName, secretValues } from "./secret-values.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** A shorter value that no name makes a secret is found in ordinary words. */
const SHORTEST = 8;
/** A longer value is data, not a key, and its search takes time with the square of its length. */
const LONGEST = 8192;

/** Values that everybody may know, and that a message needs: without them it would say nothing. */
const ORDINARY: readonly RegExp[] = [
  // A word, or words of a media type and the like: production, application/json, text/event-stream; none has more than 20 letters.
  /^[a-z]{1,20}(?:\/[a-z.+-]{1,40})?$/i,
  // Numbers, times, versions.
  /^v?[\d.,:+-]+$/,
  // Paths and lists of paths.
  /^(?:~|\.{1,2})?\/[^:]*(?::(?:~|\.{1,2})?\/[^:]*)*$/,
  /^[A-Za-z]:[\\/]/,
  // Hosts, with a port or not.
  /^(?:localhost|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,})(?::\d+)?$/i,
  /^\[?[\da-f]*:[\da-f]*:[\da-f:.]*\]?(?::\d+)?$/i,
  // Languages and time zones.
  /^[a-z]{2,3}[_-][A-Z]{2}(?:\.[\w-]+)?$/,
  /^C\.UTF-?8$/i,
  /^[A-Z][a-z]+\/[A-Z][A-Za-z_]+$/,
];

/** Last words of the names of variables and headers whose values are no secrets. */
const PUBLIC_NAMES =
  /(?:^|[_-])(?:models?|version|level|lang|language|locale|region|zone|tz|term|color|user|agent|accept|type|format|mode|env|name|editor|shell|url|uri|host|port|path|dir|home|file)$/i;

const WEB = /^[a-z][a-z0-9+.-]*:\/\/[^\s?#@]*$/i;

/**
 * The secrets among the variables or headers that a request gives a process. Whatever their names are, they were given for this run, so each counts that is
 * not an ordinary value.
 */
export function givenValues(given: Variables): readonly string[] {
  const named = Object.entries(given).filter(([name, value]) => value !== undefined && !isOrdinary(name, value));
  return secretValues(
    given,
    named.map(([name]) => name),
  );
}

function isOrdinary(name: string, value: string): boolean {
  if (isSecretName(name)) return false;
  if (
    value.length < SHORTEST ||
    value.length > LONGEST ||
    PUBLIC_NAMES.test(name) ||
    value.startsWith("{") ||
    value.startsWith("[")
  )
    return true;
  return WEB.test(value) || ORDINARY.some((shape) => shape.test(value));
}
