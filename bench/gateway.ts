import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../src/client.ts";
import type { Provider } from "../src/spec/provider/provider.ts";
import { rememberingProvider } from "../tests/support/clis/remembering-provider.ts";
import { built } from "./built.ts";
import { instantProvider } from "./instant-provider.ts";
import { median } from "./measure.ts";

type BuiltGateway = Pick<typeof import("../src/gateway/index.ts"), "serveGateway">;

const ROUNDS = 40;
/** A process that has just started is not ready yet. */
const SETTLE_MS = 250;

/** How many milliseconds after the library's first text the first byte of a stream of the gateway comes: from a cold process and a warm one. */
export async function measureGateway(recorded: string): Promise<{ readonly cold: number; readonly warm: number }> {
  return { cold: await measure(instantProvider("instant", recorded)), warm: await measure(rememberingProvider(), untilWarm) };
}

async function measure(provider: Provider, prepare: (client: Client) => Promise<void> = async () => {}): Promise<number> {
  const url = new URL("../dist/gateway/index.js", import.meta.url).href;
  const { serveGateway } = (await import(url)) as BuiltGateway;
  const client = built.createClient({ providers: [provider] });
  const gateway = await serveGateway({ client, token: false, port: 0 });
  const agent = new Agent({ keepAlive: true });
  const times: Record<"library" | "gateway", number[]> = { library: [], gateway: [] };
  for (let round = -5; round < ROUNDS; round += 1) {
    if (round >= -3) await prepare(client);
    const library = await firstText(client, provider.id);
    if (round >= -3) await prepare(client);
    const served = await firstByte(gateway.port, agent, provider.id);
    if (round < 0) continue;
    times.library.push(library);
    times.gateway.push(served);
  }
  agent.destroy();
  await gateway.close();
  await client.close();
  return median(times.gateway) - median(times.library);
}

/** Waits until a process is ready; two runs have shown that it pays. */
async function untilWarm(client: Client): Promise<void> {
  while (client.warmProcesses().length === 0) await sleep(5);
  await sleep(SETTLE_MS);
}

async function firstText(client: Client, id: string): Promise<number> {
  const began = performance.now();
  let first = Number.NaN;
  for await (const event of client.run(id, { prompt: "hello" }))
    if (event.type === "text-delta" && Number.isNaN(first)) first = performance.now() - began;
  return first;
}

async function firstByte(port: number, agent: Agent, model: string): Promise<number> {
  const body = JSON.stringify({ model, stream: true, messages: [{ role: "user", content: "hello" }] });
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  return await new Promise((resolve, reject) => {
    const began = performance.now();
    const sent = request({ port, agent, headers, method: "POST", path: "/v1/chat/completions" }, (response) => {
      let first: number | undefined;
      response.on("data", () => {
        first ??= performance.now() - began;
      });
      response.on("end", () => resolve(first ?? Number.NaN));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
