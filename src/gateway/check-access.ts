import { isSameText } from "../host-tools/bridge/same-text.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { GatewayOptions } from "./gateway-options.ts";
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
