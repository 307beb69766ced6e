import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { built } from "./built.ts";
import { instantProvider } from "./instant-provider.ts";

/** The memory of a process in kB: all mapped pages, and the pages that no other process shares. */
type Memory = { readonly resident: number; readonly private: number };

const RUNS = 40;
/** Longer than the guardian's delay before its sweep, so that each run has its own sweep. */
const PAUSE_MS = 200;

/** The memory of the guardian after many runs, compared with a Node process that waits for its stdin. */
export async function measureGuardian(recorded: string): Promise<Memory> {
  const client = built.createClient({ providers: [instantProvider("instant", recorded)] });
  for (let run = 0; run < RUNS; run += 1) {
    await client.run("instant", { prompt: "hello" }).result();
    await sleep(PAUSE_MS);
  }
  const guardian = memoryOf(findGuardian());
  await client.close();
  const bare = spawn(process.execPath, ["-e", 'process.stdin.on("data", () => {}); process.stdout.write("!");'], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  await once(bare.stdout, "data");
  const node = memoryOf(bare.pid ?? 0);
  bare.stdin.end();
  await once(bare, "exit");
  process.stdout.write(`guardian after ${RUNS} runs: ${describe(guardian)}; a Node process that waits: ${describe(node)}\n`);
  return { resident: guardian.resident / node.resident, private: guardian.private / node.private };
}

function findGuardian(): number {
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      if (readFileSync(`/proc/${name}/environ`, "utf8").includes(`COXSWAIN_GUARDIAN=${process.pid}-`)) return Number(name);
    } catch {}
  }
  throw new Error("no guardian is running");
}

function memoryOf(pid: number): Memory {
  const table = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const read = (field: string): number => Number(new RegExp(`^${field}: +(\\d+)`, "m").exec(table)?.[1]);
  return { resident: read("Rss"), private: read("Private_Clean") + read("Private_Dirty") };
}

function describe(memory: Memory): string {
  return `${(memory.resident / 1024).toFixed(1)} MB, ${(memory.private / 1024).toFixed(1)} MB of them its own`;
}
