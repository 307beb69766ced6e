import type { Change, Drift, ProbeChanges } from "./compare.ts";
import type { SuiteReport } from "./run-suite.ts";

/** The subject of the report. */
export type DriftFacts = {
  readonly cli: string;
  readonly from: string;
  readonly to: string;
  readonly drift: Drift;
  /** Absent if the suite was not run. */
  readonly suite?: SuiteReport;
};

/** The report as Markdown. */
export function toMarkdown({ cli, from, to, drift, suite }: DriftFacts): string {
  const { probes, newEvents, goneEvents, fields } = drift;
  const section = (title: string, of: (probe: ProbeChanges) => readonly Change[]): readonly string[] => [
    `## ${title}`,
    "",
    ...table(grouped(probes, of)),
  ];
  const same = probes.filter((probe) => changesOf(probe) === 0).map(({ probe }) => probe);
  return [
    `# Drift of ${cli}: ${from} → ${to}`,
    "",
    ...summarize({ cli, from, to, drift, ...(suite && { suite }) }).map((line) => `- ${line}`),
    "",
    ...section("What Coxswain reports", ({ outcome }) => outcome),
    "## Events",
    "",
    `New: ${quoted(newEvents)}`,
    "",
    `Gone: ${quoted(goneEvents)}`,
    "",
    ...fields.map(({ event, added, gone }) => `- \`${event}\`: new ${quoted(added)}; gone ${quoted(gone)}`),
    "",
    ...section("Lines on stdout", ({ lines }) => lines),
    ...section("Requests for the model", ({ requests }) => requests),
    ...section("Left behind", ({ left }) => left),
    ...section("Processes", ({ process }) => process),
    "## Without a difference",
    "",
    same.join(", ") || "none",
    "",
    ...(suite === undefined ? [] : toSuiteSection(suite)),
  ].join("\n");
}

/** The most important lines, for a terminal. */
export function summarize({ drift, suite }: DriftFacts): readonly string[] {
  const { probes, newEvents, goneEvents, fields } = drift;
  const count = (of: (probe: ProbeChanges) => readonly Change[]): number => probes.filter((probe) => of(probe).length > 0).length;
  return [
    `${probes.length} probes; in ${count(({ outcome }) => outcome)} Coxswain reports something else, in ${count(({ requests }) => requests)} the model gets something else, in ${count(({ left }) => left)} other things are left behind`,
    `events: ${newEvents.length} new, ${goneEvents.length} gone, ${fields.length} with other fields`,
    ...(suite === undefined ? [] : [`real suite: ${suite.passed} passed, ${suite.failed.length} failed`]),
  ];
}

/** The same change in several probes is one row. */
function grouped(
  probes: readonly ProbeChanges[],
  of: (probe: ProbeChanges) => readonly Change[],
): readonly (readonly string[])[] {
  const rows = new Map<string, { readonly change: Change; readonly names: string[] }>();
  for (const probe of probes) {
    for (const change of of(probe)) {
      const key = JSON.stringify(change);
      const row = rows.get(key) ?? { change, names: [] };
      row.names.push(probe.probe);
      rows.set(key, row);
    }
  }
  return [...rows.values()].map(({ change, names }) => [namesOf(names), change.what, change.from, change.to]);
}

function namesOf(names: readonly string[]): string {
  return names.length <= 4 ? names.join(", ") : `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`;
}

function toSuiteSection({ failed, passed, problem }: SuiteReport): readonly string[] {
  const lines = failed.map(({ file, title, message }) => `- ${file}: ${title}\n  \`${message.replaceAll("`", "'")}\``);
  return [
    "## Real suite",
    "",
    `${passed} tests passed with the new version; the pins are taken to be green. Others:`,
    "",
    ...(problem === undefined ? [] : [problem, ""]),
    ...(lines.length === 0 ? ["none"] : lines),
    "",
  ];
}

function changesOf({ outcome, lines, requests, left, process }: ProbeChanges): number {
  return outcome.length + lines.length + requests.length + left.length + process.length;
}

const HEADER = ["probe", "what", "before", "after"];

function table(rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return ["No difference.", ""];
  const lines = [HEADER, HEADER.map(() => "---"), ...rows.map((row) => row.map(toCell))];
  return [...lines.map((cells) => `| ${cells.join(" | ")} |`), ""];
}

function toCell(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").slice(0, 700);
}

function quoted(names: readonly string[]): string {
  return names.length === 0 ? "none" : names.map((name) => `\`${name}\``).join(", ");
}
