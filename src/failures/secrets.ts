import type { Provider } from "../spec/provider/provider.ts";
import type { Surroundings } from "../spec/provider/provider-facts.ts";
import type { McpServer, PromptRequest } from "../spec/request.ts";

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
  ..."file path dir directory store name url uri host endpoint region provider type mode command cmd helper".split(" "),
  ..."max min limit count ttl timeout expiry enabled sock socket".split(" "),
]);

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
export const SHORTEST_SECRET = 6;
/** One line of a longer value, such as of a private key, is a secret too if it has this length. */
const SHORTEST_LINE = 16;

/** The secrets among these variables: those with such a name, those in `known`, and those in a value that is JSON. */
export function secretValues(variables: Variables, known: readonly string[] = []): readonly string[] {
  const values = new Set<string>();
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined || value.length < SHORTEST_SECRET || value.startsWith("\0")) continue;
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
  if (lines.length === 1) return parts.filter((part) => part.length >= SHORTEST_SECRET);
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

/** A shorter value that no name makes a secret is found in ordinary words. */
const SHORTEST_GIVEN = 8;
/** A longer value is data, not a key, and its search takes time with the square of its length. */
const LONGEST_GIVEN = 8192;

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
  const named = Object.entries(given).flatMap(([name, value]) => (value === undefined || isOrdinary(name, value) ? [] : [name]));
  return secretValues(given, named);
}

function isOrdinary(name: string, value: string): boolean {
  if (isSecretName(name)) return false;
  if (value.length < SHORTEST_GIVEN || value.length > LONGEST_GIVEN || PUBLIC_NAMES.test(name) || /^[{[]/.test(value))
    return true;
  return WEB.test(value) || ORDINARY.some((shape) => shape.test(value));
}

const URL_START = /^[a-z][a-z0-9+.-]*:\/\//i;
const ASSIGNMENT = /^-*([\w.-]+)(?:=|:\s)\s*(.+)$/s;
/** How many names an argument may have before its value, as in `--header=Authorization: …`. */
const DEEPEST = 3;

/** The secrets in the settings of an MCP server: in its variables and headers, its arguments and its URL. */
export function secretsOfServer(server: McpServer): readonly string[] {
  if ("url" in server) return [...givenValues(server.headers ?? {}), ...secretsOfUrl(server.url)];
  return [...givenValues(server.env ?? {}), ...secretsOfArguments(server.args ?? [])];
}

function secretsOfArguments(args: readonly string[]): readonly string[] {
  return args.flatMap((argument, index) => {
    const before = args[index - 1] ?? "";
    const isValue = /^-+[\w.-]+$/.test(before) && isSecretOption(before) && !argument.startsWith("--");
    return isValue ? secretOf(argument) : secretsOfArgument(argument);
  });
}

/** An argument may be a URL, or have a name in itself: `--api-key=…`, `API_KEY=…`, `Authorization: …`, `--url=https://…`. */
function secretsOfArgument(argument: string, depth = 0): readonly string[] {
  if (URL_START.test(argument)) return secretsOfUrl(argument);
  const [, name, value] = ASSIGNMENT.exec(argument) ?? [];
  if (name === undefined || value === undefined || depth === DEEPEST) return secretValues({ argument });
  return isSecretOption(name) ? secretOf(value) : secretsOfArgument(value, depth + 1);
}

/** `key` alone is no name of a secret variable, but `--key` is the option of one. */
function isSecretOption(name: string): boolean {
  return isSecretName(`option-${name}`);
}

/** All values of the query count, because some have a whole configuration in them. Short ones are found in ordinary words and do not. */
function secretsOfUrl(url: string): readonly string[] {
  const [, userInfo = ""] = /^[^/]*\/\/([^/?#]*)@/.exec(url) ?? [];
  const [, query = ""] = /\?([^#]*)/.exec(url) ?? [];
  const values = query.split("&").map((part) => part.slice(part.indexOf("=") + 1));
  return [...secretsOfUserInfo(userInfo), ...values.flatMap(inUrl)];
}

/** A password counts together with its user even if it is short, because the pair is in no ordinary word. */
function secretsOfUserInfo(userInfo: string): readonly string[] {
  const at = userInfo.indexOf(":");
  return at === -1 ? inUrl(userInfo) : [`${userInfo}@`, ...inUrl(userInfo.slice(at + 1))];
}

function inUrl(value: string): readonly string[] {
  return [...new Set([value, decoded(value)].flatMap(secretOf))];
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function secretOf(value: string): readonly string[] {
  return secretValues({ value }, ["value"]);
}

/** Returns the secret values that the process of a run knows; they are computed once, at the first use. */
export type RunSecrets = () => readonly string[];

/** The secrets in the environment of a run's process, in the variables that its request gives, and in the settings of its MCP servers. */
export function secretsOf(
  provider: KnownSecrets,
  request: Pick<PromptRequest, "env" | "mcpServers">,
  env: Surroundings,
): RunSecrets {
  let values: readonly string[] | undefined;
  return () => {
    values ??= [
      ...secretValues({ ...env, ...request.env }, knownSecrets(provider)),
      ...givenValues(request.env ?? {}),
      ...Object.values(request.mcpServers ?? {}).flatMap(secretsOfServer),
    ];
    return values;
  };
}

type KnownSecrets = { readonly env: Pick<Provider["env"], "apiKeys" | "secrets"> };

export function knownSecrets({ env }: KnownSecrets): readonly string[] {
  return [...env.apiKeys, ...(env.secrets ?? [])];
}
