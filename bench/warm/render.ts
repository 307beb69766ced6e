import { CLI_ROWS, type CliName } from "../../tests/support/real-clis/rows/index.ts";
import { WARM_SECTION } from "../document-section.ts";
import { type Limit, renderLimit } from "../limits.ts";
import { align } from "../rivals/render-table.ts";
import type { CliResults, WarmResults } from "./results.ts";
import type { Reason, SeriesFigures } from "./series.ts";

/** The tables of all CLIs and the limits, for a terminal. */
export function renderText(results: WarmResults, limits: readonly Limit[]): string {
  const tables = results.clis.flatMap((each) => [renderCalls(each), renderHosts(each)]);
  return [...tables, renderCold(results), renderRuns(results), renderLimits(limits)].join("\n\n");
}

/** The section of docs/benchmarks.md: only what this run measured. */
export function renderSection(results: WarmResults, limits: readonly Limit[]): string {
  const { surroundings, clis } = results;
  const { coxswain: _, ...others } = surroundings.versions;
  const versions = Object.entries(others).map(([name, version]) => `${name} ${version}`);
  return [
    `## ${WARM_SECTION}`,
    "Written by `npm run bench:warm`. The rows of a table were measured in one run. Do not edit.",
    `- Date: ${surroundings.date}\n- Machine: ${surroundings.machine}\n- Node: ${surroundings.node}\n- Network: ${surroundings.network}\n- Versions: ${versions.join(", ")}`,
    renderRuns(results),
    ...clis.flatMap((each) => [`### ${each.cli}`, renderCalls(each), renderHosts(each)]),
    renderCold(results),
    `### Limits\n\n\`\`\`\n${renderLimits(limits)}\`\`\``,
    `### How warm calls were measured\n\n${METHOD}`,
  ].join("\n\n");
}

function renderCalls({ cli, calls }: CliResults): string {
  const { cold } = calls;
  const line = (label: string, figures: SeriesFigures | Reason, isOurs = true): readonly string[] => {
    if ("reason" in figures) return [label, `not measured: ${shorten(figures.reason)}`, "", "", ""];
    const { firstTextMs, restedMs, warm, calls: all } = figures;
    const share = `1/${(cold.firstTextMs / firstTextMs).toFixed(1)}`;
    return [label, firstTextMs.toFixed(0), share, restedMs?.toFixed(0) ?? "", isOurs ? `${warm} of ${all}` : ""];
  };
  return align([
    [cli, "first text, ms", "of cold", "rested, ms", "warm calls"],
    line("cold", cold),
    line("warm", calls.warm),
    line("warm, another system prompt each time", calls.systems),
    line("the CLI's floor", calls.floor, false),
    line("a session's next turn", calls.continued),
    ...calls.rivals.map(({ rival, figures }) => line(rival.name, figures, false)),
  ]);
}

function renderHosts({ cli, steps, fresh, terminal, burst, waiting, exitMs, long }: CliResults): string {
  const ms = (value: number): string => `${value.toFixed(0)} ms`;
  return align([
    [cli, "measured", "compared with"],
    ...(steps === undefined
      ? []
      : [["a tool loop's next step, parked: first text", ms(steps.parkedMs), `${ms(steps.textMs)} by text in a new process`]]),
    ["first call of a new host: first text", ms(fresh.byDefault), `${ms(fresh.never)} with \`warm: false\``],
    ...(terminal === undefined
      ? []
      : [["`cox ask` with a running `cox serve`: first text", ms(terminal.servedMs), `${ms(terminal.aloneMs)} alone`]]),
    [`eight calls at once, pool of four (${burst.warm} warm)`, ms(burst.warmMs), `${ms(burst.coldMs)} cold`],
    [
      `CPU of ${waiting.processes} that wait, with the guardian`,
      `${waiting.corePercent.toFixed(2)} % of a core`,
      `${waiting.guardianPercent.toFixed(2)} % by the guardian`,
    ],
    ["exit after the last answer without `close()`", ms(exitMs), ""],
    ...(long === undefined
      ? []
      : [[`${long.calls} calls on ${long.processes} processes`, `${long.failed} failed`, memory(long)]]),
  ]);
}

function memory({ memoryMb }: NonNullable<CliResults["long"]>): string {
  return Object.entries(memoryMb)
    .map(([calls, mb]) => `${mb.toFixed(0)} MB after ${calls}`)
    .join(", ");
}

function renderCold({ clis, cold, failed }: WarmResults): string {
  const known = new Set<CliName>([...cold, ...[...clis, ...failed].map(({ cli }) => cli)]);
  const unmeasured = (Object.keys(CLI_ROWS) as CliName[]).filter((name) => !known.has(name));
  return [
    cold.length === 0
      ? "Every CLI of this run has a resident transport."
      : `Without a resident transport, always cold: ${cold.join(", ")}.`,
    ...(unmeasured.length === 0 ? [] : [`Not measured: ${unmeasured.join(", ")}.`]),
  ].join(" ");
}

/** The conditions of each run. */
function renderRuns({ runs }: WarmResults): string {
  return align([
    ["run of", "rounds", "load at its begin and end", "calls while the processors were busy", "scheduling", "Coxswain"],
    ...runs.map(({ clis, rounds, busy, load, scheduling, coxswain }) => [
      clis.join(", "),
      String(rounds),
      load.map((value) => value.toFixed(1)).join(" and "),
      String(busy),
      scheduling,
      coxswain,
    ]),
  ]);
}

function renderLimits(limits: readonly Limit[]): string {
  return limits.map(renderLimit).join("");
}

function shorten(reason: string): string {
  return reason.replaceAll(/[|\n]/g, " ").slice(0, 120);
}

const METHOD = [
  "- The real CLIs against a fake API on the loopback interface that answers at once with 14 text deltas. All rows of the first table in turn, as many rounds as the table of runs says after 3 to warm up, one second between two calls, each round beginning with another row; medians until the first text.",
  "- Before each call the runner waits until the processors were idle for a quarter of a second. When its patience has ended, it measures although they are busy; the table of runs has the number of these calls. Real-time scheduling then keeps other programs from taking the processors from the measured ones.",
  '- Cold: `transport: "spawn"`. Warm: `createClient()` with its defaults. A session\'s next turn: `session: { resume }` with `keepsProcess: true`.',
  "- The CLI's floor: the process that Coxswain would keep, started with the same arguments, environment and files, and spoken to by a minimal program without Coxswain: a waiting stream-json process (claude), `thread/start` and `turn/start` (codex), `session/new` and `session/prompt` (ACP). It prepares nothing before the call; Coxswain does so for settings that came before, and so not for the row with another system prompt each time.",
  "- Rivals with the same settings as in the tables above. `startup()` has a handle ready before each call; streaming input and acpx continue one conversation, store it and are compared with a session's next turn. Each round has two turns of these and of our session: the first follows the calls of all other rows (rested), the second one second after it.",
  '- A tool loop\'s next step: the run that brings the result of a host tool, in the parked turn and, with `hostTools: "text"` and `transport: "spawn"`, in a new process; measured in the runner itself.',
  "- `cox ask`: from the start of the command to its first text, in turn with a running `cox serve` and with `--no-serve`, one second between two.",
  "- Processes that wait: user and system time of them and of the guardian over 30 s, beginning 40 s after their start.",
].join("\n");
