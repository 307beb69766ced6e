import { isRival } from "./contest.ts";
import { REASONS } from "./reasons.ts";
import type { ContestResults } from "./run-contest.ts";
import { type Row, toRows } from "./to-rows.ts";

/** A row in which a rival did better than Coxswain, and why. */
export type Behind = { readonly row: Row; readonly rival: string; readonly reason: string };

/** Values within this share of the best count as equal: two runs differ by more. */
export const LEVEL = 0.05;

/** Times within this distance of the best count as equal in rows where a call only has to end soon. */
export const LEVEL_MS = 50;

/** The rows of one CLI in which Coxswain is not ahead of, or level with, the best rival; the bare CLI is no rival. */
export function findBehind(results: ContestResults): readonly Behind[] {
  const rivals = results.names.filter(isRival);
  return toRows(results).flatMap((row) => {
    const best = rivals.reduce((left, right) => (isBetter(row, figureOf(row, right), figureOf(row, left)) ? right : left));
    const [ours, theirs] = [figureOf(row, "coxswain"), figureOf(row, best)];
    const level = row.id.endsWith("-settled") ? theirs + LEVEL_MS : theirs * (row.better === "less" ? 1 + LEVEL : 1 - LEVEL);
    if (ours === level || isBetter(row, ours, level)) return [];
    return [
      { row, rival: best, reason: REASONS[`${results.cli}:${row.id}`] ?? REASONS[row.id] ?? "The reason is not known yet." },
    ];
  });
}

function figureOf(row: Row, name: string): number {
  return row.cells[name]?.value ?? Number.NaN;
}

function isBetter(row: Row, left: number, right: number): boolean {
  return row.better === "less" ? left < right : left > right;
}
