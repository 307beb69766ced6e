import { FEATURE_NAMES, FEATURES, type Feature } from "../../compatibility/features.ts";
import type { Cell as FeatureCell, Support } from "../../compatibility/matrix.ts";
import type { Colors, Page } from "./screen.ts";
import { type Cell, tableLines, wrapWords } from "./table.ts";

/** The cells of one provider, or of all models of LangChain. */
export type MatrixRow = {
  readonly id: string;
  readonly label: string;
  readonly features: Readonly<Record<Feature, FeatureCell>>;
};

/** What each word of the matrix means. */
const MEANINGS: Readonly<Record<Support, string>> = {
  supported: "the feature works",
  automatic: "nothing to switch on: it works by itself, or the CLI does it in its own way",
  refused: 'asking for it is an error; with compatibility "lenient" it stays off, with a warning',
  ignored: "it has no effect, with a warning",
};

/** The matrix of features, with one column for all providers that have the same cells, and who they are below it. */
export function matrixTable(rows: readonly MatrixRow[], colors: Colors, page: Page): string {
  const groups = [...Map.groupBy(rows, supportsOf).values()].map((members) => ({ members, name: nameOf(members) }));
  const headings = ["FEATURE", ...groups.map(({ name }) => name.toUpperCase())].map((text) => ({ text, color: colors.bold }));
  const body = FEATURES.map((feature): readonly Cell[] => [
    { text: FEATURE_NAMES[feature] },
    ...groups.map(({ members: [first] }) => supportCell(first?.features[feature].support ?? "ignored", colors)),
  ]);
  const shared = groups.filter(({ members }) => members.length > 1);
  const legend = shared.flatMap(({ name, members }) => wrap(`${name}: ${members.map(({ id }) => id).join(", ")}`, page));
  return inLines([...tableLines([headings, ...body], page), "", ...legend, "", ...meanings(page)]);
}

/** The cells of one provider with their reasons. */
export function matrixDetail(row: MatrixRow, colors: Colors, page: Page): string {
  const lines = FEATURES.flatMap((feature) => {
    const { support, reason } = row.features[feature];
    const [name, { text, color = (same: string) => same }] = [FEATURE_NAMES[feature], supportCell(support, colors)];
    return [`${name}: ${color(text)}`, ...wrap(reason, { ...page, width: page.width - 2 }).map((line) => `  ${line}`)];
  });
  return inLines([...wrap(`${row.label} (${row.id})`, page).map((line) => colors.bold(line)), ...lines, "", ...meanings(page)]);
}

function inLines(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}

function wrap(text: string, { width, isStrict }: Page): readonly string[] {
  return wrapWords(text, width, isStrict);
}

function meanings(page: Page): readonly string[] {
  return Object.entries(MEANINGS).flatMap(([support, meaning]) => wrap(`${support}: ${meaning}`, page));
}

function supportsOf({ id, features }: MatrixRow): string {
  return JSON.stringify([id === "langchain", FEATURES.map((feature) => features[feature].support)]);
}

function nameOf([first, ...others]: readonly MatrixRow[]): string {
  return `${first?.id ?? ""}${others.length === 0 ? "" : ` +${others.length}`}`;
}

function supportCell(support: Support, colors: Colors): Cell {
  const color = { supported: colors.green, automatic: colors.green, refused: colors.red, ignored: colors.yellow }[support];
  return { text: support, color };
}
