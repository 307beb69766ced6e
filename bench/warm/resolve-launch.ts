import { rmSync } from "node:fs";
import { text } from "node:stream/consumers";
import { startProcess } from "../../src/process/child/start-process.ts";
import type { ProcessPlan } from "../../src/spec/provider/cli-data.ts";

/** The launch of a process without placeholders, so that any program can start it. */
export type Launch = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
};

/** Prints what a program is started with. */
const PRINTER = "console.log(JSON.stringify({ args: process.argv.slice(1), env: process.env, cwd: process.cwd() }))";

/** Writes the files of a plan and finds out with what the program would be started; `remove` removes the files. */
export async function resolveLaunch(
  plan: ProcessPlan,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly launch: Launch; readonly remove: () => void }> {
  const printing: ProcessPlan = { ...plan, stdout: "pipe", command: process.execPath, args: ["-e", PRINTER, "--", ...plan.args] };
  const started = await startProcess(printing, "bench", env);
  if (!("child" in started)) throw new Error(started.message);
  const { child, files } = started;
  child.stdin.end();
  const printed = JSON.parse(child.stdout === null ? "{}" : await text(child.stdout)) as Omit<Launch, "command">;
  const remove = (): void => {
    for (const file of files) rmSync(file, { recursive: true, force: true });
  };
  const { COXSWAIN_RUN: _, ...inherited } = printed.env;
  return { launch: { ...printed, env: inherited, command: plan.command }, remove };
}
