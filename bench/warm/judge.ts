import { type Limit, rowAtLeast, rowAtMost } from "../limits.ts";
import type { CliResults, WarmResults } from "./results.ts";
import type { Reason, SeriesFigures } from "./series.ts";

/** How many times faster than cold a warm call must be, by CLI. */
const FASTER: Readonly<Partial<Record<CliResults["cli"], number>>> = {
  ...{ claude: 8, codex: 4, gemini: 10, qwen: 10, copilot: 10, opencode: 6, grok: 8 },
};
/** The same for the turns of a session. */
const FASTER_CONTINUED: typeof FASTER = { claude: 20 };
/** How many times faster than by text in a new process a parked step must be. */
const FASTER_STEPS: typeof FASTER = { claude: 12, codex: 4 };
/** How many times faster `cox ask` must be with a running `cox serve`. */
const FASTER_TERMINAL: typeof FASTER = { claude: 3 };
const ABOVE_FLOOR_MS = 15;
const FRESH = 1.1;
const WAITING_PERCENT = 1;
const EXIT_MS = 300;

/** The limits of all CLIs; one that could not be measured keeps none. */
export function judgeAll({ clis, failed }: WarmResults): readonly Limit[] {
  const unmeasured = failed.map(({ cli, reason }) => ({ what: cli, measured: reason, limit: "measured to the end", ok: false }));
  return [...clis.flatMap(judge), ...unmeasured];
}

function judge(results: CliResults): readonly Limit[] {
  return [...judgeCalls(results), ...judgeSteps(results), ...judgeRivals(results), ...judgeHosts(results)];
}

function judgeCalls({ cli, calls }: CliResults): readonly Limit[] {
  const { cold, warm, systems, continued, floor } = calls;
  const faster = (what: string, ms: number | undefined, limit: number | undefined): readonly Limit[] =>
    ms === undefined || limit === undefined
      ? []
      : [rowAtLeast(`${cli}: cold against ${what}`, cold.firstTextMs / ms, limit, "x")];
  const { firstTextMs, restedMs } = "reason" in continued ? {} : continued;
  return [
    ...faster("warm", warm.firstTextMs, FASTER[cli]),
    ...faster("a continued session", firstTextMs, FASTER_CONTINUED[cli]),
    ...faster("a continued session that rested", restedMs, FASTER_CONTINUED[cli]),
    ...noneCold(`${cli}: calls that were not warm`, warm),
    ...noneCold(`${cli}: calls with another system prompt each that were not warm`, systems),
    ...(keepsSessions(cli, continued) ? noneCold(`${cli}: turns of a session that were not warm`, continued) : []),
    rowAtMost(`${cli}: warm above the floor`, warm.firstTextMs - floor.firstTextMs, ABOVE_FLOOR_MS, " ms"),
  ];
}

/** A CLI that can continue no session in a process that waits has no limit for it. */
function keepsSessions(cli: CliResults["cli"], continued: SeriesFigures | Reason): boolean {
  return FASTER_CONTINUED[cli] !== undefined || (!("reason" in continued) && continued.warm > 0);
}

function noneCold(what: string, figures: SeriesFigures | Reason): readonly Limit[] {
  return "reason" in figures ? [] : [rowAtMost(what, figures.calls - figures.warm, 0, "")];
}

function judgeSteps({ cli, steps }: CliResults): readonly Limit[] {
  if (steps === undefined) return [];
  const limit = FASTER_STEPS[cli] ?? 1;
  return [
    rowAtLeast(`${cli}: a tool loop's next step by text, cold, against parked`, steps.textMs / steps.parkedMs, limit, "x"),
    rowAtMost(`${cli}: steps that were not parked`, steps.steps - steps.parked, 0, ""),
  ];
}

/** A rival that continues a conversation is compared with the turns of a session. */
function judgeRivals({ cli, calls }: CliResults): readonly Limit[] {
  return calls.rivals.flatMap(({ rival, figures }) => {
    const ours = rival.continues ? calls.continued : calls.warm;
    if ("reason" in figures || "reason" in ours) return [];
    const what = `${cli}: ${rival.name}`;
    const rested =
      figures.restedMs === undefined || ours.restedMs === undefined
        ? []
        : [rowAtLeast(`${what} that rested, against ours`, figures.restedMs / ours.restedMs, 1, "x")];
    return [rowAtLeast(`${what}, against ours`, figures.firstTextMs / ours.firstTextMs, 1, "x"), ...rested];
  });
}

function judgeHosts({ cli, fresh, terminal, burst, waiting, exitMs, long }: CliResults): readonly Limit[] {
  const faster = FASTER_TERMINAL[cli] ?? 1;
  const served = `${cli}: \`cox ask\` alone against one with a running \`cox serve\``;
  return [
    ...(terminal === undefined ? [] : [rowAtLeast(served, terminal.aloneMs / terminal.servedMs, faster, "x")]),
    rowAtMost(`${cli}: first call of a new host against one without warm processes`, fresh.byDefault / fresh.never, FRESH, "x"),
    rowAtMost(`${cli}: eight calls at once with a pool of four against cold`, burst.warmMs / burst.coldMs, 1, "x"),
    rowAtMost(`${cli}: ${waiting.processes} processes that wait, share of a core`, waiting.corePercent, WAITING_PERCENT, " %"),
    rowAtMost(`${cli}: exit after the last answer without close()`, exitMs, EXIT_MS, " ms"),
    ...(long === undefined ? [] : [rowAtMost(`${cli}: of ${long.calls} calls failed`, long.failed, 0, "")]),
  ];
}
