import { isAbsolute } from "node:path";
import { realPathInside } from "../files/path-inside.ts";
import { isSameText } from "../host-tools/bridge/same-text.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { RunRequest } from "../spec/request.ts";
import type { AgentAccess, GatewayOptions } from "./gateway-options.ts";
import { refusal } from "./refusal.ts";

/** The names by which a machine calls itself. */
const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"];

/** Parameters of a query that would carry a token: queries end in logs and histories. */
const SECRET_PARAMETERS = ["token", "access_token", "auth", "authorization", "key", "api_key", "api-key", "apikey", "x-api-key"];

type Access = Pick<GatewayOptions, "hosts" | "origins" | "token">;

/**
 * The refusal of a request that is not from a program of the user. Host and Origin keep web pages out, also those that point their own
 * name at this machine; the token keeps other users of the machine out.
 */
export function checkAccess(request: Request, access: Access): Failure | undefined {
  return checkHost(request, access) ?? checkOrigin(request, access) ?? checkQuery(request);
}

/** True for an address that only this machine can reach. */
export function isLoopback(address: string): boolean {
  return address === "localhost" || address === "::1" || address === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(address);
}

/** The refusal of a request without the token: as `Authorization: Bearer`, or as `x-api-key`, which Anthropic's clients send. */
export function checkToken({ headers }: Request, token: GatewayOptions["token"]): Failure | undefined {
  if (token === false) return undefined;
  const bearer = /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  const given = bearer ?? headers.get("x-api-key") ?? "";
  if (isSameText(given, token)) return undefined;
  const message = given === "" ? "The request has no token." : "The token is wrong.";
  return refusal(401, message, "Send the token that cox serve token prints, as API key.");
}

function checkHost({ headers, url }: Request, { hosts = [] }: Access): Failure | undefined {
  const host = (headers.get("host") ?? new URL(url).host).toLowerCase();
  const name = host.replace(/:\d*$/, "");
  const allowed = [...LOOPBACK_NAMES, ...hosts.map((one) => one.toLowerCase())];
  if (allowed.includes(name) || allowed.includes(host)) return undefined;
  return refusal(403, "The Host header names another machine.", "Use 127.0.0.1 or localhost, or start with --allow-host.");
}

function checkOrigin({ headers }: Request, { origins = [] }: Access): Failure | undefined {
  const origin = headers.get("origin");
  if (origin === null || origins.includes(origin)) return undefined;
  return refusal(403, "Web pages may not use this gateway.", "Name the origin of the page with --allow-origin.");
}

function checkQuery({ url }: Request): Failure | undefined {
  const names = [...new URL(url).searchParams.keys()].map((name) => name.toLowerCase());
  if (!names.some((name) => SECRET_PARAMETERS.includes(name))) return undefined;
  return refusal(401, "A token is not accepted in the URL.", "Send it in the header Authorization: Bearer, or x-api-key.");
}

/** True for a path that servers and proxies read differently: empty or dotted segments, backslashes, escaped dots and control characters. */
export function isAmbiguousPath(path: string): boolean {
  return !path.startsWith("/") || /\/\/|\\|%(?:2e|5c|[01][\da-f]|7f)|\/\.{1,2}(?:\/|$)/i.test(path);
}

/** The refusal of a path or method that the gateway does not have: 405 for a known path, else 404. */
export function refuseUnknown(
  path: string,
  asking: readonly string[],
): { readonly failure: Failure; readonly headers: Readonly<Record<string, string>> } {
  const allowed = asking.includes(path) ? "POST" : READING.test(path) ? "GET" : undefined;
  if (allowed !== undefined) {
    const failure = refusal(405, `This path takes ${allowed} only.`, `Send the request as ${allowed}.`);
    return { failure, headers: { allow: allowed } };
  }
  const meant = asking.find((one) => one === `/v1${path}`);
  const hint = meant === undefined ? `The gateway has ${[...asking, "/v1/models"].join(", ")}.` : `Did you mean ${meant}?`;
  return { failure: refusal(404, "There is no such path.", hint), headers: {} };
}

const READING = /^\/(?:healthz|v1\/models(?:\/.+)?)$/;

/** The header with which a client asks for agent mode: `agent`. */
const MODE_HEADER = "x-coxswain-mode";
/** The header with the working directory of the agent. */
const DIRECTORY_HEADER = "x-coxswain-cwd";

export type AgentSettings = Pick<RunRequest, "mode" | "cwd" | "permissions" | "trustProject">;

/** Reads whether a request asks for agent mode; a failure if it may not, or names a directory outside of the allowed one. */
export function readAgentSettings({ headers }: Request, access: AgentAccess | undefined): AgentSettings | Failure {
  const [mode, directory] = [headers.get(MODE_HEADER) ?? "completion", headers.get(DIRECTORY_HEADER)];
  if (mode !== "agent" && mode !== "completion")
    return refusal(400, `${MODE_HEADER} is neither agent nor completion.`, "Correct the header, or leave it out.");
  if (mode === "completion" && directory === null) return {};
  if (mode === "completion")
    return refusal(400, `${DIRECTORY_HEADER} needs ${MODE_HEADER}: agent.`, "Add it, or leave both out.");
  if (access === undefined)
    return refusal(403, "Agent mode is off.", "Start the gateway with cox serve --allow-agent DIR to allow it there.");
  const cwd = agentDirectory(directory ?? access.directory, access);
  if (cwd === undefined)
    return refusal(
      403,
      "The agent may not work in this directory.",
      `${DIRECTORY_HEADER} must name a directory below the allowed one.`,
    );
  const { permissions, trustProject } = access;
  return { mode, cwd, ...(permissions !== undefined && { permissions }), ...(trustProject !== undefined && { trustProject }) };
}

/** The real path of a directory in which agents may work; undefined if it does not exist, is relative or leads outside. */
function agentDirectory(path: string, { directory }: AgentAccess): string | undefined {
  try {
    return isAbsolute(path) ? realPathInside(directory, path) : undefined;
  } catch {
    return undefined;
  }
}
