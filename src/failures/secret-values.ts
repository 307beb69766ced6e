type Variables = Readonly<Record<string, string | undefined>>;

/** Words that make a name that of a secret, wherever they are in it. */
const ALWAYS: ReadonlySet<string> = new Set([
  ...["token", "secret", "password", "passwd", "passphrase", "apikey", "credential", "credentials"],
  ...["bearer", "authorization", "cookie", "jwt"],
]);
/** Words that do so only at the end of a longer name: `PWD` is a directory, `SIGNING_KEY` is a secret. */
const AT_THE_END: ReadonlySet<string> = new Set(["key", "pat", "pwd", "auth", "pass"]);
/** Last words of names that are about a secret and have another value: a path, an address, a number. */
const ABOUT: ReadonlySet<string> = new Set([
  ...[
    "file",
    "path",
    "dir",
    "directory",
    "store",
    "name",
    "url",
    "uri",
    "host",
    "endpoint",
    "region",
    "provider",
    "type",
    "mode",
  ],
  ...["command", "cmd", "helper", "max", "min", "limit", "count", "ttl", "timeout", "expiry", "enabled", "sock", "socket"],
]);

/** Whether the name of a variable or a JSON key says that its value is a secret. */
export function isSecretName(name: string): boolean {
  const words = name
    .replace(/([a-z])(?=[A-Z])/g, "$1_")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== "");
  const last = words.at(-1) ?? "";
  if (ABOUT.has(last)) return false;
  return words.some((word) => ALWAYS.has(word)) || (words.length > 1 && AT_THE_END.has(last));
}

/** Shorter values are no secrets, and their letters would be removed from ordinary words. */
const SHORTEST = 6;
/** One line of a longer value, such as of a private key, is a secret too if it has this length. */
const SHORTEST_LINE = 16;

/** The secrets among these variables: those with such a name, those in `known`, and those in a value that is JSON. */
export function secretValues(variables: Variables, known: readonly string[] = []): readonly string[] {
  const values = new Set<string>();
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined || value.length < SHORTEST || value.startsWith("\0")) continue;
    if (isSecret(name, value, known)) for (const part of partsOf(value)) values.add(part);
    if (value.startsWith("{")) for (const secret of secretsInJson(value)) values.add(secret);
  }
  return [...values].toSorted((one, other) => other.length - one.length);
}

/** `GOOGLE_APPLICATION_CREDENTIALS` is the path of a file. */
function isSecret(name: string, value: string, known: readonly string[]): boolean {
  if (known.includes(name)) return true;
  return isSecretName(name) && !(/CREDENTIALS?$/i.test(name) && /^(?:\/|[A-Za-z]:\\)/.test(value));
}

/** The whole value, its lines, and what follows the name of a header; the scheme of an authorization is no secret. */
function partsOf(value: string): readonly string[] {
  const lines = value.split("\n").map((line) => withoutScheme(line.trim()));
  const parts = lines.flatMap((line) => [line, withoutScheme(line.replace(/^[\w-]+:\s+/, ""))]);
  if (lines.length === 1) return parts.filter((part) => part.length >= SHORTEST);
  return [value.trim(), ...parts.filter((part) => part.length >= SHORTEST_LINE)];
}

function withoutScheme(line: string): string {
  return line.replace(/^(?:bearer|basic|token)\s+(?=\S)/i, "");
}

function secretsInJson(text: string): readonly string[] {
  const found: string[] = [];
  try {
    JSON.parse(text, (name, value: unknown) => {
      if (typeof value === "string" && isSecretName(name)) found.push(...partsOf(value));
      return value;
    });
  } catch {
    // The value only looks like JSON.
  }
  return found;
}

/**
 * The text without these values, also where they are written with the escapes of JSON, URLs or HTML, or with other white space. A value of which the
 * beginning or the end was cut off with the text is found too.
 */
export function removeValues(text: string, values: readonly string[]): string {
  if (values.length === 0 || text === "") return text;
  const forms = values.flatMap(formsOf).toSorted((one, other) => other.length - one.length);
  const whole = new RegExp(forms.map(toPattern).join("|"), "g");
  return forms.reduce(removeCut, text.replace(whole, "[redacted]"));
}

function formsOf(value: string): readonly string[] {
  const inJson = toJson(value);
  const [inUrl, inPath] = value.isWellFormed() ? [encodeURIComponent(value), encodeURI(value)] : [value, value];
  const inSmallLetters = inUrl.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase());
  const inUrls = [inUrl, inPath, inSmallLetters, inUrl.replaceAll("%20", "+")];
  return [...new Set([value, inJson, toJson(inJson), inJson.replaceAll("/", "\\/"), inHtml(value), ...inUrls])];
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function inHtml(value: string): string {
  return value.replace(/[&<>"]/g, (letter) => ENTITIES[letter] ?? letter);
}

function toJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

function toPattern(value: string): string {
  return value.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&").replace(/\s+/g, "\\s+");
}

function removeCut(text: string, value: string): string {
  const [, body = "", mark = ""] = /^(.*?)(…?)$/s.exec(text) ?? [];
  for (let length = Math.min(value.length - 1, body.length); length >= SHORTEST; length -= 1) {
    const [start, end] = [value.slice(0, length), value.slice(-length)];
    if (body.endsWith(start)) return `${body.slice(0, -length)}[redacted]${mark}`;
    if (body.startsWith(end)) return `[redacted]${body.slice(length)}${mark}`;
  }
  return text;
}
