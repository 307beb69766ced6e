/**
 * The formats that Coxswain checks, as regular expressions. They accept every valid value and refuse only what clearly is none, so
 * that no correct answer is sent back.
 */
export const FORMATS: ReadonlyMap<string, string> = new Map([
  ["date", String.raw`^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$`],
  [
    "date-time",
    String.raw`^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt ][0-2]\d:[0-5]\d:[0-6]\d(?:\.\d+)?(?:[Zz]|[+-][0-2]\d:?[0-5]\d)$`,
  ],
  ["duration", "^P[0-9YMWDTHS.,]+$"],
  ["email", String.raw`^\S+@[^\s@]+$`],
  ["hostname", String.raw`^[^\s/:@]+$`],
  ["idn-email", String.raw`^\S+@[^\s@]+$`],
  ["ipv4", String.raw`^(?:\d{1,3}\.){3}\d{1,3}$`],
  ["ipv6", String.raw`^[0-9A-Fa-f:.]+(?:%\S+)?$`],
  ["iri", String.raw`^[A-Za-z][A-Za-z0-9+.-]*:\S*$`],
  ["time", String.raw`^[0-2]\d:[0-5]\d:[0-6]\d(?:\.\d+)?(?:[Zz]|[+-][0-2]\d:?[0-5]\d)?$`],
  ["uri", String.raw`^[A-Za-z][A-Za-z0-9+.-]*:\S*$`],
  ["url", String.raw`^[A-Za-z][A-Za-z0-9+.-]*:\S*$`],
  ["uuid", "^(?:urn:uuid:)?[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"],
]);

/** Compiles a pattern of a schema: with the `u` flag, as JSON Schema wants it, or without it if only JavaScript's older syntax accepts it. */
export function toRegExp(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
}
