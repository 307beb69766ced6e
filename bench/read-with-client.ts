import { built } from "./built.ts";
import { instantProvider } from "./instant-provider.ts";

/** Reads a recorded stream, in which an agent uses tools, through a client with its defaults: event by event, or the result alone. */
export function readWithClient(file: string, how: "events" | "result"): () => Promise<void> {
  const client = built.createClient({ providers: [instantProvider("instant", file)] });
  return async () => {
    const run = client.run("instant", { prompt: "hello", mode: "agent" });
    if (how === "events") for await (const event of run) if (event.seq < 0) throw new Error("an event without a number");
    await run.result();
  };
}
