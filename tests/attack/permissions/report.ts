import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pins from "../../support/real-clis/pinned-clis.json" with { type: "json" };
import type { ModeReport, Version } from "./attack-cli.ts";
import { MODES } from "./modes.ts";
import { type AttackedCli, CLIS } from "./tricks/cli-tools.ts";

const DOCUMENT = join(import.meta.dirname, "../../../docs/permissions.md");
const [BEGIN, END] = ["<!-- attack:permissions begin -->", "<!-- attack:permissions end -->"];
/** The least share of the tricks that must work where everything is allowed; below it the tricks prove nothing. */
const LEAST_LIVE = 0.5;
const SHOWN = 60;

/** What is wrong: tricks that left something, tricks that were not tried, and a control in which too few work. */
export function judge(reports: readonly ModeReport[]): readonly string[] {
  if (reports.length === 0) return ["nothing was attacked"];
  return reports.flatMap((report) => {
    const { cli, version, mode, tricks, left, refused, live, dead, untried } = report;
    const where = `${cli} ${version} ${mode}`;
    if (mode === "bypass") {
      const share = live / Math.max(live + dead.length, 1);
      return share < LEAST_LIVE ? [`${where}: only ${liveOf(report)} tricks work where everything is allowed`] : [];
    }
    if (tricks === 0 && refused.length === 0) return [`${where}: no trick was ordered`];
    return [
      ...(left.length === 0 ? [] : [`${where}: ${left.length} traces`]),
      ...untried.map((run) => `${where}: the CLI did not take all orders of the run "${run}"`),
    ];
  });
}

/** Prints what was left, then a line for each CLI and mode. */
export function printReports(reports: readonly ModeReport[]): void {
  for (const { cli, version, mode, left, refused, failed } of reports.filter((report) => report.mode !== "bypass")) {
    const lines = [
      ...left.slice(0, SHOWN).map((name) => `trace: ${name}`),
      ...(left.length > SHOWN ? [`… and ${left.length - SHOWN} more`] : []),
      ...refused.map((text) => `refused: ${text}`),
      ...failed.map((text) => `failed: ${text}`),
    ];
    if (lines.length > 0) console.log(`${cli} ${version} ${mode}\n${lines.map((line) => `  ${line.split("\n")[0]}\n`).join("")}`);
  }
  for (const { cli, version, dead, failed } of reports.filter((report) => report.mode === "bypass")) {
    console.log(`${cli} ${version}: without effect where everything is allowed: ${dead.join(" | ") || "none"}`);
    for (const text of failed) console.log(`  failed: ${text}`);
  }
  console.log(`\n${"CLI".padEnd(16)} ${"mode".padEnd(13)} tricks        live  traces  seconds`);
  for (const report of sorted(reports)) {
    const { cli, version, mode, tricks, left, seconds } = report;
    const [live, traces] = mode === "bypass" ? [liveOf(report), "–"] : ["", left.length];
    const columns = [
      `${cli} ${version}`.padEnd(16),
      mode.padEnd(13),
      pad(tricks, 6),
      pad(live, 11),
      pad(traces, 7),
      pad(seconds.toFixed(1), 8),
    ];
    console.log(columns.join(" "));
  }
}

function pad(value: number | string, width: number): string {
  return String(value).padStart(width);
}

/** How many tricks work, of those that should. */
function liveOf({ live, dead }: ModeReport): string {
  return `${live} of ${live + dead.length}`;
}

function sorted(reports: readonly ModeReport[]): readonly ModeReport[] {
  const modes: readonly string[] = ["bypass", ...MODES];
  const rank = ({ cli, version, mode }: ModeReport): number =>
    CLIS.indexOf(cli) * 100 + (version === "oldest" ? 50 : 0) + modes.indexOf(mode);
  return reports.toSorted((one, other) => rank(one) - rank(other));
}

/**
 * Writes the table of the document: for each CLI and version the tricks and traces of each mode. Rows of CLIs and versions that were not
 * attacked, or not in all modes, stay as they are.
 */
export function writeTable(reports: readonly ModeReport[]): void {
  const text = readFileSync(DOCUMENT, "utf8");
  const [before, rest] = [text.split(BEGIN)[0] ?? "", text.split(BEGIN)[1]?.split(END)];
  if (rest?.[1] === undefined) throw new Error(`${DOCUMENT} has no marks for the table`);
  const written = new Map([...rowsIn(rest[0] ?? ""), ...rowsOf(reports)]);
  const order = CLIS.flatMap((cli) => [keyOf(cli, "newest"), keyOf(cli, "oldest")]);
  const head = ["CLI", "work with `bypass`", ...MODES.map((mode) => `\`${mode}\``)];
  const lines = [`| ${head.join(" | ")} |`, `|${"---|".repeat(head.length)}`, ...order.flatMap((key) => written.get(key) ?? [])];
  writeFileSync(DOCUMENT, `${before}${BEGIN}\n${lines.join("\n")}\n${END}${rest[1]}`);
}

function keyOf(cli: AttackedCli, version: Version): string {
  return `\`${cli}\`, ${version}`;
}

function rowsIn(table: string): readonly (readonly [string, string])[] {
  return table.split("\n").flatMap((line) => {
    const key = /^\| (`\w+`, \w+)/.exec(line)?.[1];
    return key === undefined ? [] : [[key, line] as const];
  });
}

function rowsOf(reports: readonly ModeReport[]): readonly (readonly [string, string])[] {
  const groups = Map.groupBy(sorted(reports), ({ cli, version }) => keyOf(cli, version));
  return [...groups].flatMap(([key, ofCli]) => {
    const control = ofCli.find(({ mode }) => mode === "bypass");
    const [first] = ofCli;
    if (control === undefined || first === undefined || ofCli.length <= MODES.length) return [];
    const pin: { readonly version: string; readonly oldest?: string } = pins[first.cli];
    const name = `${key} (${first.version === "oldest" ? pin.oldest : pin.version})`;
    const cells = MODES.map((mode) => cellOf(ofCli.find((report) => report.mode === mode)));
    return [[key, `| ${[name, liveOf(control), ...cells].join(" | ")} |`] as const];
  });
}

function cellOf(report: ModeReport | undefined): string {
  if (report === undefined) return "–";
  if (report.tricks === 0) return "refused";
  return `${report.tricks} / ${report.left.length}`;
}
