import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { type JsonValue, parseJson } from "../../spec/json.ts";

export type FakeApiRequest = {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** With its question mark; empty when there is none. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON, or the text if it is not JSON. */
  readonly body: JsonValue;
  readonly rawBody: string;
};

export async function readFakeApiRequest(incoming: IncomingMessage): Promise<FakeApiRequest> {
  return toFakeApiRequest(incoming, await text(incoming));
}

export function toFakeApiRequest(incoming: IncomingMessage, rawBody: string): FakeApiRequest {
  const url = incoming.url ?? "/";
  const queryAt = url.includes("?") ? url.indexOf("?") : url.length;
  const parsed = parseJson(rawBody);
  const headers = Object.entries(incoming.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(", ") : (value ?? ""),
  ]);
  return {
    method: incoming.method ?? "",
    path: url.slice(0, queryAt),
    query: url.slice(queryAt),
    headers: Object.fromEntries(headers),
    body: parsed === undefined ? rawBody : parsed,
    rawBody,
  };
}
