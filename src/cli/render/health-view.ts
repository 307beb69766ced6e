import type { Failure } from "../../spec/failure.ts";
import type { HealthReport, HealthWarning } from "../../spec/health.ts";
import type { SpentQuota } from "../../spec/policy.ts";
import { clearCommand } from "./quota-view.ts";
import type { Colors } from "./screen.ts";
import { shortPath } from "./short-path.ts";
import { type Cell, tableLines, wrapWords } from "./table.ts";
import { toCommandText, toDuration, toOneLine, toShortTime } from "./terminal-text.ts";

/** What `cox doctor` found out about one CLI. */
export type Diagnosis = {
  readonly report: HealthReport;
  /** The configuration file it comes from; empty if it is built in. */
  readonly from: string;
  readonly install: string;
  /** The used-up quotas of its accounts. */
  readonly spent: readonly SpentQuota[];
  /** True if the user never set it up; its lack of a login is no trouble then. */
  readonly isUnused?: boolean;
};

/** Everything that `cox doctor` prints. */
export type DoctorFindings = {
  readonly diagnoses: readonly Diagnosis[];
  /** Mistakes in configuration files, a line each. */
  readonly mistakes: readonly string[];
  /** Warnings about the machine. */
  readonly warnings: readonly HealthWarning[];
  /** CLIs of the project that were not started, and the file that defines them. */
  readonly unasked: readonly { readonly id: string; readonly from: string }[];
};

/** The findings for people: a table, then each problem with its hint and fix command. */
export function healthView(findings: DoctorFindings, colors: Colors, width: number): string {
  const { diagnoses, mistakes, warnings, unasked } = findings;
  const missing = diagnoses.filter(({ report }) => isMissing(report));
  const blocks = [
    tableLines([headings(diagnoses, colors), ...diagnoses.map((diagnosis) => toRow(diagnosis, colors))]),
    ...mistakes.map((mistake) => trouble({ mark: colors.red("✗"), message: mistake, hint: "Correct the file." }, colors, width)),
    ...warnings.map(({ message, hint }) => trouble({ mark: colors.yellow("!"), message, hint }, colors, width)),
    ...diagnoses
      .filter((each) => !missing.includes(each) && each.isUnused !== true)
      .flatMap((each) => troublesOf(each, colors, width)),
    unknownLogins(diagnoses, colors, width),
    ...[...new Set(missing.map(({ from }) => from))].map((from) => missingLines(missing, from, colors)),
    unasked.flatMap(({ id, from }) =>
      trouble({ mark: "–", message: `${id} comes from ${from} and was not started.`, ...ASK_BY_NAME(id) }, colors, width),
    ),
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

function unknownLogins(diagnoses: readonly Diagnosis[], colors: Colors, width: number): readonly string[] {
  const ids = diagnoses
    .filter(({ report }) => report.usable && report.login.state === "unknown")
    .map(({ report }) => report.provider);
  if (ids.length === 0) return [];
  const message = `${ids.join(", ")}: the login cannot be checked without an API request.`;
  const fixCommand = `cox doctor --deep ${ids.join(" ")}`;
  return trouble({ mark: "?", message, hint: "A tiny request checks it; the request is billed.", fixCommand }, colors, width);
}

/** The program is not installed, which is the normal case for most of the CLIs. */
function isMissing({ failures }: HealthReport): boolean {
  return failures.length === 1 && failures[0]?.code === "cli-missing" && failures[0].evidence.errno === "ENOENT";
}

function headings(diagnoses: readonly Diagnosis[], { bold }: Colors): readonly Cell[] {
  const isDeep = diagnoses.some(({ report }) => report.deep !== undefined);
  const isMixed = diagnoses.some(({ from }) => from !== "");
  const words = ["PROVIDER", "STATE", "VERSION", "LOGIN", isDeep ? "ANSWERED" : "", isMixed ? "FROM" : ""];
  return words.map((text) => ({ text, color: bold }));
}

function toRow({ report, from, spent, isUnused }: Diagnosis, colors: Colors): readonly Cell[] {
  const { deep } = report;
  const answered = deep === undefined ? "" : deep.answered ? `in ${toDuration(deep.durationMs)}` : "no";
  const login = report.login.by === "environment" ? "from env" : LOGINS[report.login.state];
  const texts = [toOneLine(report.version ?? "–", 40), login, answered, from];
  return [
    { text: report.provider },
    isUnused === true ? { text: "not set up", color: colors.dim } : stateOf(report, spent, colors),
    ...texts.map((text) => ({ text: isMissing(report) && text === "unknown" ? "–" : text })),
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
  return report.warnings.length + spent.length > 0 ? { text: "! ready", color: yellow } : { text: "✓ ready", color: green };
}

function troublesOf({ report, from, install, spent }: Diagnosis, colors: Colors, width: number): readonly (readonly string[])[] {
  const name = (message: string): string => `${report.provider}: ${message}`;
  const toTrouble = (mark: string, each: Failure | HealthWarning): readonly string[] => {
    const { hint, fixFrom } = each;
    const isOwn = each.fixCommand !== undefined;
    const fixCommand = each.fixCommand ?? (each.code === "cli-not-executable" ? install : undefined);
    const file = isOwn ? fixFrom && shortPath(fixFrom) : from;
    return trouble({ mark, message: name(each.message), hint, ...(fixCommand && { fixCommand, file }) }, colors, width);
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
        width,
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

function trouble({ mark, message, hint, fixCommand, file }: Trouble, { bold, dim }: Colors, width: number): readonly string[] {
  const [first = "", ...rest] = wrapWords(toOneLine(message, 600), width - 2);
  return [
    `${mark} ${first}`,
    ...rest.map((line) => `  ${line}`),
    ...wrapWords(toOneLine(hint, 600), width - 2).map((line) => `  ${dim(line)}`),
    ...(fixCommand === undefined || !file ? [] : wrapWords(`${file} names this command:`, width - 2).map((line) => `  ${line}`)),
    ...(fixCommand === undefined ? [] : [`  $ ${bold(toCommandText(fixCommand))}`]),
  ];
}

/** The install commands of the missing CLIs from one configuration file, or of those that are built in (`""`). */
function missingLines(missing: readonly Diagnosis[], file: string, { bold }: Colors): readonly string[] {
  const known = missing.filter(({ install, from }) => install !== "" && from === file);
  if (known.length === 0) return [];
  const rows = known.map(({ report, install }) => [
    { text: `  ${report.provider}` },
    { text: toCommandText(install), color: bold },
  ]);
  const heading = file === "" ? "To install the missing CLIs:" : `To install missing CLIs, ${toOneLine(file, 200)} names:`;
  return [heading, ...tableLines(rows)];
}
