import type { ComparedResult } from "../../compare/compare-targets.ts";
import { costOf } from "../show/summary-line.ts";
import { printFailure } from "../terminal/failure-lines.ts";
import { MarkdownWriter } from "../terminal/markdown/markdown-writer.ts";
import { pageWidth, type Screen, tablePage } from "../terminal/screen.ts";
import { type Cell, headings, tableLines, wrapWords } from "../terminal/table.ts";
import { toDuration, toTerminalText, toUnbrokenText } from "../terminal/terminal-text.ts";
import { cutToWidth, textWidth } from "../terminal/text-width.ts";

/** The targets of a comparison in one line: a check mark for each that has answered, a cross for each that has failed, a bare name for the others. */
export function progressWords(names: readonly string[], results: ReadonlyMap<string, ComparedResult>): string {
  const marked = names.map((name) => {
    const result = results.get(name);
    if (result === undefined) return `… ${name}`;
    return `${result.failure === undefined ? "✓" : "✗"} ${name}`;
  });
  return marked.join(" · ");
}

export function showCompared(screen: Screen, result: ComparedResult): void {
  const { target, failure, warnings, text } = result;
  const hasAnswered = failure === undefined;
  if (hasAnswered || screen.isTerminal) screen.out(`${headingOf(target, screen)}\n`);
  const width = screen.noteWidth?.();
  for (const { message } of warnings) {
    const line = `! ${target}: ${toUnbrokenText(message)}`;
    for (const part of width === undefined ? [line] : wrapWords(line, width)) screen.note(`${screen.noteColors.dim(part)}\n`);
  }
  if (hasAnswered) screen.out(`${answerOf(text, screen)}\n\n`);
  else {
    const named = { ...failure, message: screen.isTerminal ? failure.message : `${target}: ${failure.message}` };
    printFailure(screen, named);
    if (screen.isTerminal) screen.out("\n");
  }
}

function headingOf(target: string, { isTerminal, outColors }: Screen): string {
  if (!isTerminal) return `## ${toUnbrokenText(target)}`;
  const name = cutToWidth(toUnbrokenText(target), pageWidth() - 6);
  const rule = "─".repeat(Math.max(2, pageWidth() - textWidth(name) - 4));
  return `${outColors.dim("──")} ${outColors.bold(name)} ${outColors.dim(rule)}`;
}

function answerOf(text: string, { isTerminal, markdownWidth, outColors }: Screen): string {
  const shown = isTerminal ? toTerminalText(text) : text;
  if (markdownWidth === undefined) return shown.trimEnd();
  const markdown = new MarkdownWriter(outColors, markdownWidth);
  return (markdown.write(shown) + markdown.flush()).trimEnd();
}

const COLUMNS = ["cli", "result", "first text", "total", "tokens in", "out", "cost"];
/** On a narrow page these columns are left out first: tokens in, tokens out, first text. */
const SPARE = [4, 5, 2];

export function compareTable(results: readonly ComparedResult[], { outColors }: Screen): string {
  const rows = results.map((result) => rowOf(result, outColors));
  return `${tableLines([headings(COLUMNS, outColors.dim, rows), ...rows], tablePage(), SPARE).join("\n")}\n`;
}

function rowOf(result: ComparedResult, { green, red }: Screen["outColors"]): readonly Cell[] {
  const { target, failure, firstTextMs, durationMs, usage, costUsd } = result;
  const numbers = new Intl.NumberFormat("en-US");
  const tokens = (count: number | undefined): string =>
    count === undefined ? "" : `${usage?.estimated ? "~" : ""}${numbers.format(count)}`;
  return [
    target,
    failure === undefined ? { text: "answered", color: green } : { text: failure.code, color: red },
    firstTextMs === undefined ? "" : toDuration(firstTextMs),
    toDuration(durationMs),
    tokens(usage?.inputTokens),
    tokens(usage?.outputTokens),
    costOf(costUsd),
  ];
}
