import type { EndingGuarantee } from "../../launch/ending-guarantee.ts";
import type { SpentQuota } from "../../spec/client-options.ts";
import type { Failure } from "../../spec/failure/failure.ts";
import type { HealthReport, HealthWarning } from "../../spec/health.ts";
import { clearCommand } from "../quota.ts";
import type { Colors, Page } from "../terminal/screen.ts";
import { type Cell, commandLines, hang, headings, tableLines, wrapWords } from "../terminal/table.ts";
import { shortPath, toCommandText, toDuration, toOneLine, toShortTime } from "../terminal/terminal-text.ts";
import { textWidth } from "../terminal/text-width.ts";

export type Diagnosis = {
  readonly report: HealthReport;
  /** The configuration file it comes from; empty if it is built in. */
  readonly from: string;
  readonly install: string;
  readonly spent: readonly SpentQuota[];
  /** True if the user never set it up; its lack of a login is no trouble then. */
  readonly isUnused?: boolean;
};

export type DoctorFindings = {
  readonly diagnoses: readonly Diagnosis[];
  readonly mistakes: readonly string[];
  readonly warnings: readonly HealthWarning[];
  readonly ending: EndingGuarantee;
  /** CLIs of the project that were not started, and the file that defines them. */
  readonly unasked: readonly { readonly id: string; readonly from: string }[];
};

const HEADINGS = ["PROVIDER", "STATE", "VERSION", "LOGIN", "ANSWERED", "FROM"];
/** The columns that a narrow page omits, the least important first: the file, the version, the time of the answer. */
const SPARE = [5, 2, 4];

export function healthView(findings: DoctorFindings, colors: Colors, page: Page): string {
  const { diagnoses, mistakes, warnings, ending, unasked } = findings;
  const missing = diagnoses.filter(({ report, install }) => isMissing(report) && install !== "");
  const rows = diagnoses.map((diagnosis) => toRow(diagnosis, colors));
  const blocks = [
    tableLines([headings(HEADINGS, colors.bold, rows), ...rows], page, SPARE),
    ...mistakes.map((mistake) => trouble({ mark: colors.red("✗"), message: mistake, hint: "Correct the file." }, colors, page)),
    ...warnings.map(({ message, hint }) => trouble({ mark: colors.yellow("!"), message, hint }, colors, page)),
    ...diagnoses
      .filter((each) => !missing.includes(each) && each.isUnused !== true)
      .flatMap((each) => troublesOf(each, colors, page)),
    unknownLogins(diagnoses, colors, page),
    ...[...new Set(missing.map(({ from }) => from))].map((from) => missingLines(missing, from, colors, page)),
    unasked.flatMap(({ id, from }) =>
      trouble({ mark: "–", message: `${id} comes from ${from} and was not started.`, ...ASK_BY_NAME(id) }, colors, page),
    ),
    wrapWords(ending.message, page.width, page.isStrict).map((line) => colors.dim(line)),
  ];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join("\n"))
    .join("\n\n")}\n`;
}

const ASK_BY_NAME = (id: string) => ({
  hint: "Coxswain starts a program of a project's configuration only if you name its provider.",
  fixCommand: `cox doctor ${id}`,
});

function unknownLogins(diagnoses: readonly Diagnosis[], colors: Colors, page: Page): readonly string[] {
  const ids = diagnoses
    .filter(({ report }) => report.usable && report.login.state === "unknown")
    .map(({ report }) => report.provider);
  if (ids.length === 0) return [];
  const message = `${ids.join(", ")}: the login cannot be checked without an API request.`;
  const fixCommand = `cox doctor --deep ${ids.join(" ")}`;
  return trouble({ mark: "?", message, hint: "A tiny request checks it; the request is billed.", fixCommand }, colors, page);
}

/** The program is not installed, which is the normal case for most of the CLIs. */
function isMissing({ failures }: HealthReport): boolean {
  return failures.length === 1 && failures[0]?.code === "cli-missing" && failures[0].evidence.errno === "ENOENT";
}

function toRow({ report, from, spent, isUnused }: Diagnosis, colors: Colors): readonly Cell[] {
  const { deep } = report;
  const answered = deep === undefined ? "" : deep.answered ? `in ${toDuration(deep.durationMs)}` : "no";
  const login = report.login.by === "environment" ? "from env" : LOGINS[report.login.state];
  const texts = [toOneLine(report.version ?? "–", 40), login, answered, from];
  return [
    report.provider,
    isUnused === true ? { text: "not set up", color: colors.dim } : stateOf(report, spent, colors),
    ...texts.map((text) => (isMissing(report) && text === "unknown" ? "–" : text)),
  ];
}

const LOGINS: Readonly<Record<HealthReport["login"]["state"], string>> = {
  "logged-in": "yes",
  "logged-out": "no",
  unknown: "unknown",
  "not-needed": "not needed",
};

function stateOf(report: HealthReport, spent: readonly SpentQuota[], { green, yellow, red, dim }: Colors): Cell {
  if (report.failures.some(({ code }) => code === "cli-missing") && report.version === undefined)
    return { text: "not installed", color: dim };
  if (!report.usable) return { text: "✗ trouble", color: red };
  if (report.login.state === "unknown" && report.deep?.answered !== true) return { text: "? login unknown", color: yellow };
  return report.warnings.length + spent.length > 0 ? { text: "! ready", color: yellow } : { text: "✓ ready", color: green };
}

function troublesOf({ report, from, install, spent }: Diagnosis, colors: Colors, page: Page): readonly (readonly string[])[] {
  const name = (message: string): string => `${report.provider}: ${message}`;
  const toTrouble = (mark: string, each: Failure | HealthWarning): readonly string[] => {
    const { hint, fixFrom } = each;
    const isOwn = each.fixCommand !== undefined;
    const fixCommand = each.fixCommand ?? (each.code === "cli-not-executable" ? install : undefined);
    const file = isOwn ? fixFrom && shortPath(fixFrom) : from;
    return trouble({ mark, message: name(each.message), hint, ...(fixCommand && { fixCommand, file }) }, colors, page);
  };
  return [
    ...report.failures.map((failure) =>
      toTrouble(failure.code === "cli-missing" ? colors.yellow("!") : colors.red("✗"), failure),
    ),
    ...report.warnings.map((warning) => toTrouble(colors.yellow("!"), warning)),
    ...spent.map(({ provider, model, resetAt, message }) => {
      const whose = model === undefined ? "The quota" : `The quota of ${model}`;
      const until = `${provider}: ${whose} is used up until ${toShortTime(resetAt)}. It is not used before.`;
      return trouble(
        { mark: colors.yellow("!"), message: until, hint: message, fixCommand: clearCommand(provider) },
        colors,
        page,
      );
    }),
  ];
}

type Trouble = {
  readonly mark: string;
  readonly message: string;
  readonly hint: string;
  readonly fixCommand?: string;
  /** The configuration file that the command comes from, if it is not ours. */
  readonly file?: string | undefined;
};

function trouble({ mark, message, hint, fixCommand, file }: Trouble, { bold, dim }: Colors, page: Page): readonly string[] {
  const wrap = (text: string): readonly string[] => wrapWords(text, page.width - 2, page.isStrict);
  return [
    ...hang(`${mark} `, wrap(toOneLine(message, 600)), 2),
    ...wrap(toOneLine(hint, 600)).map((line) => `  ${dim(line)}`),
    ...(fixCommand === undefined || !file ? [] : wrap(`${file} names this command:`).map((line) => `  ${line}`)),
    ...(fixCommand === undefined ? [] : fixLines(toCommandText(fixCommand), page).map((line) => `  ${bold(line)}`)),
  ];
}

function fixLines(command: string, { width, isStrict }: Page): readonly string[] {
  return hang("$ ", isStrict ? commandLines(command, width - 4) : [command]);
}

/** The install commands of the missing CLIs from one configuration file, or of those that are built in (`""`). */
function missingLines(missing: readonly Diagnosis[], file: string, { bold }: Colors, page: Page): readonly string[] {
  const known = missing.filter(({ from }) => from === file);
  const rows = known.map(({ report, install }) => [`  ${report.provider}`, { text: toCommandText(install), color: bold }]);
  const heading = file === "" ? "To install the missing CLIs:" : `To install missing CLIs, ${toOneLine(file, 200)} names:`;
  const lines = [...wrapWords(heading, page.width, page.isStrict), ...tableLines(rows)];
  if (!page.isStrict || lines.every((line) => textWidth(line) <= page.width)) return lines;
  const stacked = known.flatMap(({ report, install }) => [
    `  ${report.provider}`,
    ...commandLines(toCommandText(install), page.width - 4).map((line) => `    ${bold(line)}`),
  ]);
  return [...wrapWords(heading, page.width, page.isStrict), ...stacked];
}
