import type { IncomingMessage } from "node:http";

/** The body of a request as text; undefined if it has more bytes than this, or if the connection broke. */
export async function readBody(request: IncomingMessage, mostBytes: number): Promise<string | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > mostBytes) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request) {
      bytes += chunk.length;
      if (bytes > mostBytes) return undefined;
      chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks).toString("utf8");
}
