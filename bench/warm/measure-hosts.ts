import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { median } from "../measure.ts";
import { awaitQuiet } from "../rivals/await-quiet.ts";
import { BENCH_MARKER, endAll, findCaused } from "../rivals/processes.ts";
import { toQuestion } from "./question.ts";
import type { Stage } from "./stage.ts";

/** The first call of a new host: with the defaults, and without warm processes. */
export type FreshFigures = { readonly byDefault: number; readonly never: number };

/** Measures the first text of the first call of hosts that make only one, in turn with and without warm processes. */
export async function measureFresh(stage: Stage, rounds: number): Promise<FreshFigures> {
  const times: { byDefault: number[]; never: number[] } = { byDefault: [], never: [] };
  for (let round = -1; round < rounds; round += 1)
    for (const kind of ["byDefault", "never"] as const) {
      const host = await stage.startCoxswain(kind === "never" ? { warm: false } : {});
      await awaitQuiet();
      const { firstTextMs, error } = await host.ask(toQuestion(kind === "never" ? {} : stage.warmly));
      await host.end();
      if (firstTextMs === undefined) throw new Error(`no answer in a new host: ${error?.message}`);
      if (round >= 0) times[kind].push(firstTextMs);
    }
  return { byDefault: median(times.byDefault), never: median(times.never) };
}

/** The time between the last answer of a program that closes nothing and its exit, with a process that waits. */
export async function measureExit(stage: Stage, rounds: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await exitOnce(stage, round));
  return median(times);
}

async function exitOnce(stage: Stage, round: number): Promise<number> {
  const marker = `${process.pid}-exit${round}`;
  const program = fileURLToPath(new URL("./never-closes.ts", import.meta.url));
  const args = ["--disable-warning=ExperimentalWarning", program, JSON.stringify({ ...stage.settings, warmly: stage.warmly })];
  const env = { ...stage.cli.env, [BENCH_MARKER]: marker };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  const [code] = (await once(child, "exit")) as [number | null];
  const exitedAt = performance.timeOrigin + performance.now();
  endAll(findCaused(marker, child.pid ?? Number.NaN));
  const answeredAt = Number(said);
  if (code !== 0 || !(answeredAt > 0)) throw new Error(`the program that closes nothing ended with ${code}: ${said}`);
  return exitedAt - answeredAt;
}
