import type { ServerResponse } from "node:http";
import type { JsonObject } from "../../spec/json.ts";

/** A CLI drops a server that is silent: Gemini after 60 s without headers and 300 s without data, Copilot after 180 s. */
const SIGN_EVERY_MS = 10_000;

/**
 * Answers a request as a stream that shows signs of life until the answer is there. Resolves with whether the answer was written
 * to an open connection.
 */
export async function replyWhenDone(
  response: ServerResponse,
  answer: Promise<JsonObject>,
  signOfLife: (count: number) => JsonObject | undefined,
): Promise<boolean> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  response.flushHeaders();
  let count = 0;
  const timer = setInterval(() => {
    count += 1;
    const message = signOfLife(count);
    response.write(message === undefined ? ": waiting\n\n" : toEvent(message));
  }, SIGN_EVERY_MS).unref();
  const closed = new Promise<undefined>((resolve) => response.once("close", () => resolve(undefined)));
  const message = await Promise.race([answer, closed]);
  clearInterval(timer);
  if (message === undefined || response.destroyed) return false;
  return await new Promise<boolean>((resolve) => {
    response.once("close", () => resolve(response.writableFinished));
    response.end(toEvent(message), () => resolve(true));
  });
}

function toEvent(message: JsonObject): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}
