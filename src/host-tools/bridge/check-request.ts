import type { IncomingMessage } from "node:http";
import { isSameText } from "./same-text.ts";

/** Where a bridge listens, and the token that a request must carry. */
export type Door = { readonly host: string; readonly path: string; readonly token: string };

/** A refusal by its HTTP status. */
export type Refused = { readonly status: number; readonly headers?: Readonly<Record<string, string>> };

/**
 * The refusal of a request that is not from the CLI of this run. Host and Origin keep web pages out, also those that point their own name
 * at this machine; the path and the token keep other programs out.
 */
export function checkRequest({ headers, url, method }: IncomingMessage, door: Door): Refused | undefined {
  if (headers.host !== door.host) return { status: 403 };
  if (headers.origin !== undefined && headers.origin !== `http://${door.host}`) return { status: 403 };
  if (!isSameText(url ?? "", door.path)) return { status: 404 };
  if (!isSameText(headers.authorization ?? "", `Bearer ${door.token}`))
    return { status: 401, headers: { "www-authenticate": "Bearer" } };
  if (method !== "POST") return { status: 405, headers: { allow: "POST" } };
  if (!/^application\/json\s*(?:;|$)/i.test(headers["content-type"] ?? "")) return { status: 415 };
  return headers["content-encoding"] === undefined ? undefined : { status: 415 };
}
