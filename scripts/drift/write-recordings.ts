import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Observation, RunObservation } from "./probe.ts";

const LONGEST_INPUT = 20_000;

/** Writes the output of a version in each run as fixture folders: case.json, stdout and stderr; expectations are written by hand. */
export function writeRecordings(directory: string, cli: string, version: string, observations: readonly Observation[]): number {
  let written = 0;
  for (const { probe, runs, root } of observations) {
    for (const [index, run] of runs.entries()) {
      const name = `${probe.replaceAll(/[^a-z0-9]+/gi, "-").toLowerCase()}${runs.length === 1 ? "" : `-${index + 1}`}`;
      const folder = join(directory, name);
      const clean = (text: string): string => text.replaceAll(root, "/sandbox").replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT");
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "case.json"), `${JSON.stringify(toCase(cli, version, probe, run, clean), null, 2)}\n`);
      writeFileSync(join(folder, "stdout"), clean(run.stdout));
      writeFileSync(join(folder, "stderr"), clean(run.stderr));
      written += 1;
    }
  }
  return written;
}

function toCase(cli: string, version: string, what: string, run: RunObservation, clean: (text: string) => string): object {
  const { argv, stdin, env, exitCode, signal, durationMs } = run;
  const input = stdin.length <= LONGEST_INPUT ? stdin : `${stdin.slice(0, 200)}… (${stdin.length} characters)`;
  const variables = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, clean(value)]));
  return {
    cli,
    version,
    what,
    argv: [cli, ...argv.map(clean)],
    stdin: clean(input),
    env: variables,
    exitCode,
    signal,
    durationMs,
    upstream: what,
  };
}
