import { built } from "./built.ts";
import { instantProvider } from "./instant-provider.ts";

/** Reads a recorded stream through a client with its defaults: event by event, or only the result. */
export function readWithClient(file: string, how: "events" | "result"): () => Promise<void> {
  const client = built.createClient({ providers: [instantProvider("instant", file)] });
  return async () => {
    const run = client.run("instant", { prompt: "hello" });
    if (how === "result") await run.result();
    else for await (const event of run) if (event.seq < 0) throw new Error("an event without a number");
  };
}
