import type { Failure } from "../spec/failure/failure.ts";
import type { JsonValue } from "../spec/json.ts";
import type { LaunchPlan } from "../spec/provider/cli-data.ts";
import type { Provider } from "../spec/provider/provider.ts";
import { knownSecrets, type RunSecrets, SHORTEST_SECRET, secretValues } from "./secrets.ts";

/**
 * Where a key may begin: not inside a word, but behind an escape such as `\n`, `\012` or `\u000a`, behind `%20`, also encoded twice, and behind what steers a
 * terminal: colours, cursors, character sets.
 */
const BEGIN = `(?:${[
  String.raw`(?<!\w)`,
  String.raw`(?<=\\(?:[abefnrtv]|[0-3]?[0-7]{1,2}|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}))`,
  String.raw`(?<=%(?:25){0,3}[\da-fA-F]{2})`,
  String.raw`(?<=\[[\d;:]{0,60}m)`,
  String.raw`(?<=(?:\u001b|\\e|\\033|\\x1[bB]|\\u001[bB]|\^\[)(?:\[[\d;:?]{0,60}[A-Za-z]|[()][A-Z0-9]|[A-Z78]))`,
].join("|")})`;

/** The letters are looked at first: what stands before each position of a long text would take ten times as long. */
function beginning(shape: string): string {
  return `(?=${shape})${BEGIN}${shape}`;
}

/** Keys with a known prefix: model vendors, code hosts, clouds, chat services, and signed tokens. */
const SECRETS: readonly RegExp[] = [
  /(?:sk|pk|rk)[-_][A-Za-z0-9_-]{8,}/,
  /(?:ghp|gho|ghu|ghs|ghr|github_pat|glpat|xai|gsk|hf|npm|pypi)[-_][A-Za-z0-9_-]{16,}/,
  /xox[a-z]-[A-Za-z0-9-]{10,}/,
  /(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])/,
  /AIza[A-Za-z0-9_-]{20,}/,
  /ya29\.[A-Za-z0-9_-]{10,}/,
  /eyJ[A-Za-z0-9_-]{10,500}\.[A-Za-z0-9_-]{10,4000}(?:\.[A-Za-z0-9_-]{0,1000})?/,
].map(({ source }) => new RegExp(beginning(source), "g"));
const AUTHORIZATION = new RegExp(
  beginning(String.raw`((?:bearer|basic)(?:\s|%20|\+)+)(?=[A-Za-z._~+/-]{0,200}\d)[A-Za-z0-9._~+/-]{8,}=*`),
  "gi",
);
const ASSIGNED =
  /\b([A-Z0-9_-]{0,60}(?:api[_-]?key|access[_-]?key|secret|password)\\?["']?\s{0,4}(?:[=:]|%3[AD])\s{0,4}\\?["']?)[^\s"',;\\]{6,}/gi;
/** Parsers print "token" too, so a token counts as a secret only if it contains a digit. */
const ASSIGNED_TOKEN = /\b([A-Z0-9_-]{0,60}token\\?["']?\s{0,4}[=:]\s{0,4}\\?["']?)(?=[^\s"',;\\]{0,200}\d)[^\s"',;\\]{6,}/gi;
const IN_URL = /(:\/\/[^\s/:@]{0,100}:)[^\s/@]{1,200}(?=@)/g;

/** The text without these values and without everything that looks like a secret. */
export function redact(text: string, values: readonly string[] = []): string {
  let clean = removeValues(text, values);
  for (const shape of SECRETS) clean = clean.replace(shape, "[redacted]");
  for (const named of [AUTHORIZATION, ASSIGNED, ASSIGNED_TOKEN, IN_URL]) clean = clean.replace(named, "$1[redacted]");
  return clean;
}

export function redactFailure(failure: Failure, values: readonly string[] = []): Failure {
  const { stderrTail, event, ...evidence } = failure.evidence;
  return {
    ...failure,
    message: redact(failure.message, values),
    evidence: {
      ...evidence,
      ...(stderrTail !== undefined && { stderrTail: redact(stderrTail, values) }),
      ...(event !== undefined && { event: redactValue(event, values) }),
    },
  };
}

const LONGEST_STRING = 4096;

/** The value without these values and without everything in its strings that looks like a secret; long strings are cut. */
export function redactValue(value: JsonValue, values: readonly string[]): JsonValue {
  return changeTexts(value, (text) => redact(text.slice(0, LONGEST_STRING), values)) as JsonValue;
}

function changeTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((entry) => changeTexts(entry, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, changeTexts(entry, change)]));
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
  for (let length = Math.min(value.length - 1, body.length); length >= SHORTEST_SECRET; length -= 1) {
    const [start, end] = [value.slice(0, length), value.slice(-length)];
    if (body.endsWith(start)) return `${body.slice(0, -length)}[redacted]${mark}`;
    if (body.startsWith(end)) return `[redacted]${body.slice(length)}${mark}`;
  }
  return text;
}

/** The plan without secrets, for people: the values of secret variables, and each place where such a value is repeated. */
export function redactPlan<Plan extends LaunchPlan>(plan: Plan, provider: Provider, secrets: RunSecrets): Plan {
  const known = knownSecrets(provider);
  const values = [...new Set([...secrets(), ...secretValues(plan.env, known)])];
  const env = Object.entries(plan.env).map(([name, value]) => {
    const isKnown = known.includes(name) && value !== "" && !value.startsWith("\0");
    return [name, isKnown ? "[redacted]" : removeValues(value, values)];
  });
  const { stdin, ...rest } = plan;
  const clean = changeTexts({ ...rest, env: {}, stdin }, (text) => removeValues(text, values)) as Plan;
  return { ...clean, env: Object.fromEntries(env) };
}
