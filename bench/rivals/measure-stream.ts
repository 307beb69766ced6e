import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { median } from "../measure.ts";
import { writeStreamFile } from "../stream-file.ts";
import { awaitQuiet } from "./await-quiet.ts";
import { writeCodexStreamFile } from "./codex-stream-file.ts";
import { type Contest, toQuestion } from "./contest.ts";
import { peakMemoryMb } from "./processes.ts";

/** How fast one contestant reads a long stream, and the peak memory of its host. */
export type StreamFigures = { readonly wallMs: number; readonly megabytesPerSecond: number; readonly hostPeakMb: number };

/** A CLI that prints 50 MB of its own lines at once, read event by event, each time in a new host. */
export async function measureStream(contest: Contest, rounds: number): Promise<Readonly<Record<string, StreamFigures>>> {
  const { cli, folder } = contest.arena;
  const file = join(folder, "stream.jsonl");
  if (cli === "claude") writeStreamFile(file, 50, "text");
  else writeCodexStreamFile(file, 50);
  const command = join(folder, "streaming-cli");
  writeFileSync(command, `#!/bin/sh\nexec cat '${file}'\n`, { mode: 0o755 });
  const samples: Record<string, { wallMs: number; hostPeakMb: number }[]> = {};
  for (let round = 0; round < rounds; round += 1)
    for (const name of contest.names) {
      samples[name] ??= [];
      samples[name].push(await readOnce(contest, name, command));
    }
  const megabytes = statSync(file).size / 1024 / 1024;
  const figures = Object.entries(samples).map(([name, list]) => {
    const wallMs = median(list.map((sample) => sample.wallMs));
    const hostPeakMb = median(list.map((sample) => sample.hostPeakMb));
    return [name, { wallMs, megabytesPerSecond: (megabytes / wallMs) * 1000, hostPeakMb }];
  });
  return Object.fromEntries(figures) as Record<string, StreamFigures>;
}

async function readOnce(contest: Contest, name: string, command: string): Promise<{ wallMs: number; hostPeakMb: number }> {
  const host = await contest.start(name, command);
  await awaitQuiet();
  const report = await host.ask(toQuestion("pure"));
  const hostPeakMb = peakMemoryMb(host.pid);
  await host.end();
  if (report.text?.endsWith("Done.") !== true)
    throw new Error(`${name} did not read to the end: ${JSON.stringify(report).slice(0, 300)}`);
  return { wallMs: report.totalMs, hostPeakMb };
}
