import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { median } from "../measure.ts";
import { awaitQuiet } from "../rivals/await-quiet.ts";
import { QUESTION } from "../rivals/contest.ts";
import { BUILT_COX } from "../rivals/copy-build.ts";
import { PAUSE_MS, WARM_UP } from "./series.ts";
import type { Stage } from "./stage.ts";

/** The first text of `cox ask`: with a running `cox serve`, and alone. */
export type TerminalFigures = { readonly servedMs: number; readonly aloneMs: number };

type Program = ChildProcessByStdio<null, Readable, null>;

/** Measures `cox ask` from its start to its first text, in turn with and without a running `cox serve`. */
export async function measureTerminal(stage: Stage, rounds: number): Promise<TerminalFigures> {
  const server = startCox(stage, ["serve", "--port", "0"]);
  const ended = once(server, "exit");
  try {
    await until(server, "http://");
    const times: { served: number[]; alone: number[] } = { served: [], alone: [] };
    for (let round = -WARM_UP - 1; round < rounds; round += 1)
      for (const kind of ["served", "alone"] as const) {
        await delay(PAUSE_MS);
        await awaitQuiet();
        const taken = await askOnce(stage, kind === "served" ? [] : ["--no-serve"]);
        if (round >= 0) times[kind].push(taken);
      }
    return { servedMs: median(times.served), aloneMs: median(times.alone) };
  } finally {
    server.kill("SIGTERM");
    await ended;
  }
}

async function askOnce(stage: Stage, options: readonly string[]): Promise<number> {
  const model = "model" in stage.settings ? ["--model", String(stage.settings["model"])] : [];
  const target = ["--provider", stage.cli.provider.id, ...model];
  const startedAt = performance.now();
  const program = startCox(stage, ["ask", "--stream-json", ...target, ...options, QUESTION.prompt]);
  const ended = once(program, "exit");
  await until(program, '"text-delta"');
  const taken = performance.now() - startedAt;
  const [code] = await ended;
  if (code !== 0) throw new Error(`cox ask ended with ${code}`);
  return taken;
}

function startCox(stage: Stage, args: readonly string[]): Program {
  return spawn(process.execPath, [BUILT_COX, ...args], { env: stage.cli.env, stdio: ["ignore", "pipe", "ignore"] });
}

/** Resolves when the program has printed these words. */
async function until({ stdout }: Program, words: string): Promise<void> {
  let said = "";
  await new Promise<void>((resolve, reject) => {
    stdout.on("data", (chunk: Buffer) => {
      if (said.includes(words)) return;
      said += chunk.toString();
      if (said.includes(words)) resolve();
    });
    stdout.once("end", () => reject(new Error(`cox ended before it printed ${words}: ${said.slice(0, 200)}`)));
  });
}
