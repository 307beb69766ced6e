import { request } from "node:http";
import { join } from "node:path";
import type { Client } from "../src/client.ts";
import { built } from "./built.ts";
import { builtProvider, instantProvider } from "./instant-provider.ts";
import { interleave } from "./measure.ts";
import { writeCodexStreamFile } from "./rivals/codex-stream-file.ts";

type BuiltGateway = Pick<typeof import("../src/gateway/index.ts"), "serveGateway">;

const ROUNDS = 3;
const BODIES = {
  "Chat Completions": { path: "/v1/chat/completions", body: { messages: [{ role: "user", content: "hello" }] } },
  Messages: { path: "/v1/messages", body: { max_tokens: 1000, messages: [{ role: "user", content: "hello" }] } },
} as const;

/** The processor time of a stream of the gateway and its reader against reading the run, on 50 MB of Codex's messages. */
export async function measureGatewayStreams(folder: string): Promise<Readonly<Record<keyof typeof BODIES, number>>> {
  const file = join(folder, "streamed-messages.jsonl");
  writeCodexStreamFile(file, 50);
  const { serveGateway } = (await import(new URL("../dist/gateway/index.js", import.meta.url).href)) as BuiltGateway;
  const client = built.createClient({ providers: [instantProvider("instant", file, builtProvider("codex"))] });
  const gateway = await serveGateway({ client, token: false, port: 0 });
  const medians = await interleave(ROUNDS, {
    read: () => readRun(client),
    "Chat Completions": () => readStream(gateway.port, "Chat Completions"),
    Messages: () => readStream(gateway.port, "Messages"),
  });
  await gateway.close();
  await client.close();
  const cpu = (name: string): number => medians[name]?.cpuMs ?? Number.NaN;
  return { "Chat Completions": cpu("Chat Completions") / cpu("read"), Messages: cpu("Messages") / cpu("read") };
}

async function readRun(client: Client): Promise<void> {
  for await (const batch of client.run("instant", { prompt: "hello" }).batches())
    if (batch.length === 0) throw new Error("empty");
}

/** Reads a stream as bytes, and throws it away. */
async function readStream(port: number, name: keyof typeof BODIES): Promise<void> {
  const { path, body } = BODIES[name];
  const text = JSON.stringify({ model: "instant", stream: true, ...body });
  const bytes = await new Promise<number>((resolve, reject) => {
    let count = 0;
    const asked = request({ port, path, method: "POST", headers: { "content-type": "application/json" } }, (response) => {
      response.on("data", (chunk: Buffer) => {
        count += chunk.length;
      });
      response.on("end", () => resolve(count)).on("error", reject);
    });
    asked.on("error", reject).end(text);
  });
  if (bytes < 40 * 1024 * 1024) throw new Error(`The stream had only ${bytes} bytes.`);
}
