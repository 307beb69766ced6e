import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { installRivals } from "./install.ts";
import { endEverything } from "./processes.ts";

const INSIDE = "COXSWAIN_BENCH_NETWORK";
const NAMESPACE: readonly string[] = ["unshare", "-rn", "bash", "-c", 'ip link set lo up && exec "$@"', "-"];

/**
 * Installs the rivals and CLIs, then starts the program again in a separate network namespace if the system allows it. There it calls
 * `run` with a description of the network, and ends what is left at its end.
 */
export async function runInNamespace(program: string, run: (network: string) => Promise<void>): Promise<void> {
  const inside = process.env[INSIDE];
  if (inside === undefined) {
    process.exitCode = startInside(program);
    return;
  }
  process.once("exit", endEverything);
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  await run(inside);
}

function startInside(program: string): number {
  if (process.platform !== "linux") throw new Error("This bench reads /proc and needs Linux.");
  const installer = join(import.meta.dirname, "../../scripts/install-real-clis.ts");
  execFileSync(process.execPath, [installer], { stdio: ["ignore", 2, 2] });
  installRivals();
  const again = [process.execPath, ...process.execArgv, program, ...process.argv.slice(2)];
  const alone = start([...NAMESPACE, "true"]) === 0;
  const network = alone ? "a namespace of its own, loopback only" : "the machine's own; all endpoints on loopback";
  return start(alone ? [...NAMESPACE, ...again] : again, { ...process.env, [INSIDE]: network });
}

function start([command = "", ...args]: readonly string[], env: NodeJS.ProcessEnv = process.env): number {
  return spawnSync(command, args, { stdio: "inherit", env }).status ?? 1;
}
