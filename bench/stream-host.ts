// Reads one long stream in a process of its own, bare or with a client, after one short call of the same kind, and prints the
// time it took and the most memory the process used.
import { runBare } from "./bare.ts";
import { built } from "./built.ts";
import { instantProvider } from "./instant-provider.ts";

const [how, short = "", long = ""] = process.argv.slice(2);
const client = built.createClient({ providers: [instantProvider("short", short), instantProvider("long", long)] });

async function read(which: "short" | "long"): Promise<number> {
  if (how === "bare") return runBare("/bin/cat", [which === "short" ? short : long]);
  const run = client.run(which, { prompt: "hello" });
  let count = 0;
  if (how === "events") for await (const event of run) count += event.seq >= 0 ? 1 : 0;
  await run.result();
  return count;
}

await read("short");
const began = performance.now();
const count = await read("long");
const wallMs = performance.now() - began;
process.stdout.write(JSON.stringify({ wallMs, maxRssMb: process.resourceUsage().maxRSS / 1024, count }));
