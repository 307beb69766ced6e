import type { Frame } from "./protocol.ts";

/** The response that sends frames as server-sent events; a client that leaves ends the source. */
export function toEventStream(source: AsyncGenerator<readonly Frame[]>, headers: Readonly<Record<string, string>>): Response {
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await source.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value.map(toText).join("")));
    },
    async cancel() {
      await source.return(undefined);
    },
  });
  return new Response(stream, {
    headers: { ...headers, "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" },
  });
}

/** JSON has no line breaks, so one data line is enough. */
function toText({ event, data }: Frame): string {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${text}\n\n`;
}
