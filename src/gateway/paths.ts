import type { Failure } from "../spec/failure/failure.ts";
import { refusal } from "./refusal.ts";

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
