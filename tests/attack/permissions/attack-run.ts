import type { McpServers, Permissions, RunRequest } from "../../../src/spec/request.ts";
import type { RunResult } from "../../../src/spec/result.ts";
import type { Random } from "../../support/random.ts";
import { pick } from "../../support/random.ts";
import { agentTargetOf } from "../../support/real-clis/agent-request.ts";
import { prepareRealCli, type RealCli } from "../../support/real-clis/real-cli.ts";
import { type ModeOrControl, mayEdit, permissionsOf, type Subject } from "./modes.ts";
import { MAIN_PROMPT, Orders, type Script } from "./orders.ts";
import { type AttackPlace, plantPlace } from "./place.ts";
import { lookAround, type Trace, tracesOf } from "./traces.ts";
import { markOf, type Trick } from "./trick.ts";
import type { AttackedCli } from "./tricks/cli-tools.ts";

/** One start of a CLI with the orders of its model. */
export type AttackRun = {
  readonly name: string;
  readonly subject: Subject;
  /** It goes on where it was if the CLI is started again. */
  readonly script: Script;
  /** Changes the place before the run. */
  readonly plant?: (place: AttackPlace) => void;
  /** Permissions besides those of the mode `pattern`. */
  readonly allow?: readonly string[];
  readonly mcpServers?: McpServers;
  readonly totalMs?: number;
  /** Marks that the planted files leave, without a call of their own. */
  readonly planted?: readonly Trick[];
  /** True if the host is asked and denies. */
  readonly hostDenies?: boolean;
  /** How often the CLI may be started; a host's no ends the run of some CLIs. */
  readonly starts?: number;
};

/** What became of a run. */
export type RunOutcome = {
  readonly run: string;
  /** The tricks whose calls the CLI received. */
  readonly sent: readonly Trick[];
  /** How many calls the model made, those that only prepare others among them. */
  readonly ordered: number;
  readonly traces: readonly Trace[];
  /** Why the run was refused before the CLI started. */
  readonly refused?: string;
  /** The code of the failure with which the run ended. */
  readonly failure?: string;
  /** True if the model had nothing more to order. */
  readonly finished: boolean;
  readonly seconds: number;
};

/** Where and how the runs of a CLI happen. */
export type RunSetting = {
  readonly cli: AttackedCli;
  readonly folder: string | undefined;
  readonly mode: ModeOrControl;
  readonly random: Random;
};

/** How often a CLI is started for one run. */
const STARTS = 12;

/**
 * Starts the CLI and compares the disk, again with the rest of the tricks if it ended too early. If it refuses the first permissions of the
 * mode, it gets the next ones.
 */
export async function attack(run: AttackRun, setting: RunSetting, signal: AbortSignal): Promise<readonly RunOutcome[]> {
  const [first = {}, ...others] = permissionsOf(setting.mode, run.subject);
  const outcomes: RunOutcome[] = [];
  let permissions = first;
  while (outcomes.length < (run.starts ?? STARTS) && !signal.aborted) {
    const outcome = await attackOnce(permissions, run, setting);
    const next = outcome.refused === undefined ? undefined : others.shift();
    if (next !== undefined) {
      permissions = next;
      continue;
    }
    const isStuck = outcome.ordered === 0 && outcomes.at(-1)?.ordered === 0;
    outcomes.push(outcome);
    if (outcome.finished || outcome.refused !== undefined || isStuck) break;
  }
  return outcomes;
}

async function attackOnce(permissions: Permissions, run: AttackRun, setting: RunSetting): Promise<RunOutcome> {
  const cli = await prepareRealCli(setting.cli, undefined, setting.folder);
  const place = plantPlace(cli);
  try {
    return await attackIn(place, cli, withAllowed(permissions, run, setting.mode), run, setting);
  } finally {
    await cli[Symbol.asyncDispose]();
    place.remove();
  }
}

async function attackIn(
  place: AttackPlace,
  cli: RealCli,
  permissions: Permissions,
  run: AttackRun,
  setting: RunSetting,
): Promise<RunOutcome> {
  const startedAt = performance.now();
  run.plant?.(place);
  const orders = new Orders(run.script, place, fileChooser(place, setting));
  cli.api.answerWith(orders.answer);
  const before = lookAround(place);
  const context = run.hostDenies ? { onPermission: () => ({ behavior: "deny", message: "No." }) as const } : {};
  const result = await cli.client.run(agentTargetOf(cli.name), toRequest(place, permissions, run), context).outcome();
  const asked = cli.api.modelRequests.length > 0;
  // Ends what still runs, so that nothing is written after the look.
  await cli.client.close();
  return {
    run: run.name,
    sent: [...orders.sent.filter(({ prepares }) => prepares !== true), ...(asked ? (run.planted ?? []) : [])],
    ordered: orders.sent.length,
    traces: tracesOf(place, before, setting.mode),
    ...describeEnd(result, asked, orders.sent.at(-1)),
    finished: orders.finished,
    seconds: (performance.now() - startedAt) / 1000,
  };
}

function toRequest(
  { workspace, env }: AttackPlace,
  permissions: Permissions,
  { mcpServers, totalMs = 120_000 }: AttackRun,
): RunRequest {
  return {
    prompt: MAIN_PROMPT,
    mode: "agent",
    cwd: workspace,
    permissions,
    env,
    timeouts: { totalMs, idleMs: Math.min(totalMs, 60_000), backgroundMs: 3_000 },
    ...(mcpServers !== undefined && { mcpServers }),
  };
}

function describeEnd({ failure }: RunResult, asked: boolean, last: Trick | undefined): Pick<RunOutcome, "refused" | "failure"> {
  if (failure === undefined) return {};
  const isRefusal = !asked && failure.category === "validation";
  if (isRefusal) return { refused: failure.message };
  return { failure: `${failure.code} after "${last?.name}": ${failure.message}` };
}

function withAllowed(permissions: Permissions, { allow }: AttackRun, mode: ModeOrControl): Permissions {
  if (mode !== "pattern" || allow === undefined) return permissions;
  return { ...permissions, allow };
}

/** Chooses where each trick leaves its file: in the workspace or outside, by a path of some kind. */
function fileChooser({ workspace, outside, home }: AttackPlace, { mode, random }: RunSetting): (trick: Trick) => string {
  const further = ["../outside/", `${outside}/`, "link/", `${workspace}/link/inner/`, `${home}/`] as const;
  return (trick) => {
    const folder = mayEdit(mode) ? pick(random, [...further]) : pick(random, ["", "", "", `${workspace}/`, ...further]);
    return `${folder}${markOf(trick)}`;
  };
}
