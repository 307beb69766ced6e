// The guardian: a separate process that ends the CLIs of its host when the host exits or crashes.
// It reads JSON lines from its host; EOF on that pipe means that the host has exited.
import { setTimeout as delay } from "node:timers/promises";
import { endTree, type Root, sweepRun } from "./end-tree.ts";
import type { GuardianMessage } from "./guardian-protocol.ts";
import { removeLeftovers } from "./leftovers.ts";
import { removeQuietly } from "./private-files.ts";
import { startTimeOf } from "./process-table.ts";

type Guarded = Extract<GuardianMessage, { op: "start" }> & { readonly root: Root; released: boolean };

type EndedRun = { readonly run: string; readonly leftovers: readonly string[] };

const RELEASED_GRACE_MS = 700;
const SWEEP_DELAY_MS = 150;

const guarded = new Map<string, Guarded>();
let ended: EndedRun[] = [];
let sweeping: Promise<void> = Promise.resolve();

function receive(message: GuardianMessage): void {
  if (message.op === "start") guarded.set(message.run, { ...message, root: rootOf(message.pid), released: false });
  else if (message.op === "release") {
    const run = guarded.get(message.run);
    if (run !== undefined) run.released = true;
  } else {
    ended.push({ run: message.run, leftovers: guarded.get(message.run)?.leftovers ?? [] });
    guarded.delete(message.run);
    if (ended.length === 1) sweeping = sweeping.then(sweepEnded).catch(() => {});
  }
}

/** The start time is stored, because the pid may be reused before the run is ended. */
function rootOf(pid: number): Root {
  const startTime = startTimeOf(pid);
  return startTime === undefined ? { pid } : { pid, startTime };
}

/** Sweeps several ended runs together, because listing all processes takes milliseconds. */
async function sweepEnded(): Promise<void> {
  await delay(SWEEP_DELAY_MS);
  const runs = ended;
  ended = [];
  await Promise.all(runs.map(({ run }) => sweepRun(run)));
  removeLeftovers(runs.flatMap(({ leftovers }) => leftovers));
}

async function endGuarded(run: Guarded): Promise<void> {
  if (run.released) await delay(RELEASED_GRACE_MS);
  await endTree({ run: run.run, root: run.root }, run.signal, { keepAlive: true }).catch(() => {});
  removeQuietly(run.files);
}

/** Removes leftovers only after all runs have ended, because two runs may share a directory. */
async function endAll(): Promise<void> {
  await Promise.all([sweeping, ...[...guarded.values()].map(endGuarded)]);
  removeLeftovers([...guarded.values()].flatMap(({ leftovers = [] }) => leftovers));
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (text: string) => {
  const lines = (rest + text).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) receive(JSON.parse(line) as GuardianMessage);
});
process.stdin.on("error", () => {});
process.stdin.on("close", () => void endAll());
// One byte reports to the host that the guardian works; a write to a host that has exited fails.
process.stdout.on("error", () => {});
process.stdout.write("!");
