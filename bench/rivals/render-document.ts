import { findBehind, LEVEL, LEVEL_MS } from "./find-behind.ts";
import { renderRefusals, renderTable } from "./render-table.ts";
import type { ContestResults, Effort } from "./run-contest.ts";
import type { Surroundings } from "./surroundings.ts";

/** A whole run. */
export type Results = {
  readonly surroundings: Surroundings;
  readonly effort: Effort;
  readonly contests: readonly ContestResults[];
  /** How many measurements were made although the machine was busy. */
  readonly busy: number;
};

/** The limit for a cold call of Coxswain against the bare CLI with the same launch. */
export const PAIR_LIMIT = 1.05;

/** docs/benchmarks.md: only what this run measured. */
export function renderDocument(results: Results): string {
  const { surroundings, effort, contests, busy } = results;
  const versions = Object.entries(surroundings.versions).map(([name, version]) => `${name} ${version}`);
  return `${[
    "# Benchmarks",
    "Written by `npm run bench:rivals`, the section about warm calls by `npm run bench:warm`; each was measured in one run. Do not edit.",
    `- Date: ${surroundings.date}\n- Machine: ${surroundings.machine}\n- Node: ${surroundings.node}\n- Network: ${surroundings.network}\n- Versions: ${versions.join(", ")}`,
    "Figures are medians. Less is better, except MB/s.",
    ...contests.flatMap((contest) => [`## ${titleOf(contest)}`, renderTable(contest)]),
    "## Against the bare CLI",
    `One cold call with the same arguments, environment and input, until the CLI's terminal event was read; two bare hosts and Coxswain in turn. Limit: ${PAIR_LIMIT.toFixed(2)}.`,
    contests.map(renderPairs).join("\n"),
    "## Where Coxswain is not ahead",
    `Behind means worse than the best rival by more than ${LEVEL * 100} %, and for the end of an aborted call by more than ${LEVEL_MS} ms.`,
    contests.flatMap(renderBehind).join("\n") || "Nowhere in this run.",
    "## What a refused key looks like",
    ...contests.map(renderRefusals),
    "## How it was measured",
    toMethod(effort, busy),
    "## How each is configured",
    CONFIGURATION,
  ].join("\n\n")}\n`;
}

/** One line for each CLI: the ratio of the pairs and whether it is within the limit. */
export function renderPairs({ cli, pairs }: ContestResults): string {
  const [low, high] = pairs.quartiles.map((ratio) => ratio.toFixed(2));
  const verdict = pairs.ratio <= PAIR_LIMIT ? "kept" : "MISSED";
  return `- ${cli}: ${pairs.ratio.toFixed(3)}× (median of ${pairs.pairs} pairs, half of them between ${low} and ${high}; bare ${pairs.bareMs.toFixed(0)} ms, Coxswain ${pairs.coxswainMs.toFixed(0)} ms): ${verdict}. The bare CLI against itself: ${pairs.control.toFixed(3)}×.`;
}

/** One sentence for each row in which a rival did better. */
export function renderBehind(contest: ContestResults): readonly string[] {
  return findBehind(contest).map(({ row, rival, reason }) => {
    const [ours, theirs] = [row.cells["coxswain"]?.text, row.cells[rival]?.text];
    return `- ${contest.cli}, ${row.label}: Coxswain ${ours}, ${rival} ${theirs}. ${reason}`;
  });
}

function titleOf({ cli }: ContestResults): string {
  return cli === "claude" ? "Claude Code" : "Codex";
}

function toMethod(effort: Effort, busy: number): string {
  return [
    "- All contestants use the same CLI binary, the same prompt and the same fake API on the loopback interface, which answers at once with 14 text deltas; in a temporary home with a fake key. Each contestant lives in a host process of its own; the next call begins when everything the last one started is gone.",
    `- Before each call the runner waits until the processors were idle for a quarter of a second; its patience ended before ${busy === 0 ? "no call" : `${busy} calls`} of this run.`,
    `- Cold call: a new CLI process for each call, ${effort.calls} rounds after ${effort.warmUp} to warm up (${effort.plainCalls} rounds with defaults), the contestants one after the other in each round, each round beginning with another one. First text and total are what the caller sees; for the bare CLI the total ends at its terminal event. CPU is that of the host process until the CLI is gone.`,
    "- Peak memory is VmHWM of the host process. A helper process is one that stays between calls: Coxswain's guardian, which ends everything when the host dies; pages that it shares with the host count in both.",
    `- 50 MB stream: the CLI is replaced by a program that prints a file of its language (text, tool calls and results); read event by event, ${effort.streams} times, each as the first call of a new host.`,
    `- Abort while a tool waits: the real CLI runs \`tail -f\` with its shell tool, the call is aborted by its AbortSignal, and six seconds later every process that carries the host's marker in its environment, or that command in its command line, is counted; ${effort.aborts} times. The bare CLI is sent SIGTERM.`,
    `- A CLI that ignores signals is a shell program that prints the beginning of a run and traps SIGTERM and SIGINT; ${effort.aborts} times, bounded at 15 s.`,
    `- Refused key: the API answers 401; ${effort.refusals} times, bounded at 20 s.`,
  ].join("\n");
}

const CONFIGURATION: string = [
  "- bare CLI: spawned with the launch plan of Coxswain (`client.plan()`); with defaults: `claude -p --output-format stream-json --verbose --include-partial-messages`, `codex exec --json`.",
  "- coxswain: `createClient({ warm: false })`, the events of `run()` read one by one, then `result()`.",
  "- coxswain-ai-sdk: the same client behind `createCoxswain()`, read by `streamText()` of the AI SDK.",
  "- coxswain-gateway: the same client behind `serveGateway()` in the same process, a stream of Chat Completions read by `fetch()`.",
  '- claude-agent-sdk: `query()` with `pathToClaudeCodeExecutable`, `includePartialMessages`, and what Coxswain sets by flags: the system prompt, `tools: []`, `settingSources: []`, `strictMcpConfig`, `persistSession: false`, `extraArgs: { "disable-slash-commands": null }`. With defaults: without the latter.',
  "- ai-sdk-provider-claude-code: `streamText()` of `ai` with the same settings.",
  "- codex-sdk: `runStreamed()` with `codexPathOverride`, and every `-c` and `--disable` of Coxswain's launch, system prompt included, as `configOverrides`. With defaults: the endpoint alone.",
  "- ai-sdk-provider-codex-cli: `streamText()` of `ai` with `codexPath` and the same settings, in its exec mode.",
  "- The wrappers' own ways to keep a CLI warm (`startup()` of claude-agent-sdk, the app-server mode of ai-sdk-provider-codex-cli) are not part of this run; `npm run bench:warm` measures them.",
  "- The variables with which Coxswain turns off telemetry, updates and other traffic of Claude Code are set for all. Its `CLAUDE_CODE_MAX_RETRIES=0` is its own (and the bare CLI's) alone: it decides how long a refused key takes.",
  "- With defaults: the time that Codex takes after its answer was measured without the internet.",
  "- Abort while a tool waits: the CLI's own tools on, all permissions given, system prompt untouched.",
].join("\n");
