import type { ErrorReport } from "./host-process.ts";
import type { ContestResults } from "./run-contest.ts";
import { toRows } from "./to-rows.ts";

/** The rows of one CLI as a Markdown table with aligned columns. */
export function renderTable(results: ContestResults): string {
  const { names } = results;
  const body = toRows(results).map(({ label, cells }) => [label, ...names.map((name) => cells[name]?.text ?? "")]);
  return align([[results.cli, ...names.map((name) => (name === "bare" ? "bare CLI" : name))], ...body]);
}

/** The fields of each contestant's error for a refused key. */
export function renderRefusals({ refusals, names }: ContestResults): string {
  const body = Object.entries(refusals).flatMap(([title, figures]) =>
    names.map((name) => [
      title,
      name === "bare" ? "bare CLI" : name,
      ...describe(figures[name]?.find(({ error }) => error)?.error),
    ]),
  );
  return align([["answer", "contestant", "error", "message", "fields"], ...body]);
}

function describe(error: ErrorReport | undefined): readonly string[] {
  if (error === undefined) return ["nothing in 20 s", "", ""];
  const fields = Object.entries(error.fields).map(([name, value]) => `${name}: ${value}`);
  return [`\`${error.name}\``, shorten(error.message), fields.join(", ") || "none"];
}

function shorten(message: string): string {
  const line = message.replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1").replaceAll(/[|\n]/g, " ");
  return line.length > 100 ? `${line.slice(0, 100)}…` : line;
}

/** Lines of cells as a Markdown table with aligned columns. */
export function align(lines: readonly (readonly string[])[]): string {
  const columns = lines[0] ?? [];
  const widths = columns.map((_, column) => Math.max(3, ...lines.map((line) => line[column]?.length ?? 0)));
  const [head, ...body] = lines.map((line) => `| ${widths.map((width, at) => (line[at] ?? "").padEnd(width)).join(" | ")} |`);
  return [head, `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`, ...body].join("\n");
}
