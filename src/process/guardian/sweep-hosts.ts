import { lstatSync } from "node:fs";
import { join } from "node:path";
import { hostOfName, isOwnDirectory, type NamedHost, runOfName } from "../../files/host-directory.ts";
import { removeSoon } from "../../files/leftovers.ts";
import { sweepTree } from "../tree/end-tree.ts";
import { canListProcesses, GUARDIAN_MARKER, listProcesses, namesIn, type ProcessEntry } from "../tree/process-table.ts";
import { RunTree } from "../tree/run-tree.ts";
import { isRunning } from "../tree/signals.ts";

/** How many hosts one sweep takes on; the next one takes the others. */
const MOST_HOSTS = 20;
/** How many runs of one host one sweep takes on. A host may have as many runs at once. */
const MOST_RUNS = 100;

/**
 * Ends the processes of hosts that died together with their guardians, and removes their directories from the directory `base`. Those of other users and of
 * other machines are left alone, and those of a living host or guardian. So is the host of the run `around` this one, which would end too. Two
 * sweeps at once do no harm.
 */
export async function sweepDeadHosts(base: string, around: string | undefined): Promise<void> {
  const hosts = namesIn(base).flatMap((name) => {
    const host = hostOfName(name);
    const isLeft = host === undefined || isGuardedHere(host) || isRunning(host) || around?.startsWith(`${host.hostId}.`) === true;
    return isLeft ? [] : [{ host, path: join(base, name) }];
  });
  if (hosts.length === 0 || !canListProcesses()) return;
  const processes = listProcesses() ?? [];
  const dead = hosts.filter(({ host, path }) => isOwn(path) && !processes.some(({ guards }) => guards === host.hostId));
  await Promise.all(dead.slice(0, MOST_HOSTS).map(({ host, path }) => sweepHost(host, path, processes)));
}

/** A guardian ends the runs of its own host in another way, and is not among the processes that it lists. */
function isGuardedHere({ hostId }: NamedHost): boolean {
  return process.env[GUARDIAN_MARKER] === hostId;
}

async function sweepHost(host: NamedHost, path: string, processes: readonly ProcessEntry[]): Promise<void> {
  const named = namesIn(path).flatMap((name) => runOfName(host, name) ?? []);
  const marked = processes.flatMap(({ run }) => (run?.startsWith(`${host.hostId}.`) === true ? [run] : []));
  const runs = [...new Set([...marked, ...named])].slice(0, MOST_RUNS);
  await Promise.all(runs.map((run) => sweepTree(new RunTree(run)).catch(() => {})));
  await removeSoon([path]);
}

function isOwn(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && isOwnDirectory(stats);
}
