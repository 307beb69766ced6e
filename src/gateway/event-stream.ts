import type { Frame } from "./protocol.ts";

/** A comment: clients skip it, and proxies see that the connection is alive. */
const COMMENT = ": keep-alive\n\n";

export type StreamOptions = {
  readonly headers: Readonly<Record<string, string>>;
  /** After how many milliseconds without frames a comment is sent. */
  readonly silenceMs: number;
  /** Cancels the run; called when the client leaves. */
  readonly leave: () => void;
};

/**
 * The response that sends frames as server-sent events. It asks the source for more only when the client has read the frames before, so
 * a slow client holds back nothing but itself.
 */
export function toEventStream(source: AsyncGenerator<readonly Frame[]>, { headers, silenceMs, leave }: StreamOptions): Response {
  const encoder = new TextEncoder();
  let coming: ReturnType<typeof source.next> | undefined;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      coming ??= source.next();
      const next = await withinTime(coming, silenceMs);
      if (next === undefined) return controller.enqueue(encoder.encode(COMMENT));
      coming = undefined;
      if (next.done === true) controller.close();
      else controller.enqueue(encoder.encode(next.value.map(toText).join("")));
    },
    async cancel() {
      // A source that waits for the CLI returns only when the run has ended.
      leave();
      await source.return(undefined);
    },
  });
  return new Response(stream, {
    headers: {
      ...headers,
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache",
      // Without it the Node server waits a moment for more before it sends the first frames.
      "transfer-encoding": "chunked",
    },
  });
}

async function withinTime<Value>(promise: Promise<Value>, ms: number): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** JSON has no line breaks, so one data line is enough. */
function toText({ event, data }: Frame): string {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${text}\n\n`;
}
