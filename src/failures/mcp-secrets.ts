import type { McpServer } from "../spec/request.ts";
import { givenValues } from "./given-values.ts";
import { isSecretName, secretValues } from "./secret-values.ts";

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

/** A value as it is in a URL, and decoded. */
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
