import { median } from "../measure.ts";
import type { AbortFigures } from "./measure-abort.ts";
import type { CallFigures } from "./measure-calls.ts";
import type { ContestResults } from "./run-contest.ts";

/** One line of the table: the text for each contestant, and the number that is compared. */
export type Row = {
  readonly id: string;
  readonly label: string;
  readonly better: "less" | "more";
  readonly cells: Readonly<Record<string, Cell>>;
};

type Cell = { readonly text: string; readonly value: number };

/** The rows of one CLI, in the order of the table. */
export function toRows(results: ContestResults): readonly Row[] {
  return [...callRows(results), ...plainRows(results), ...streamRows(results), ...abortRows(results), ...refusalRows(results)];
}

function callRows(results: ContestResults): readonly Row[] {
  const row = rowOf(results, (name) => results.calls[name] as CallFigures);
  return [
    row("first-text", "cold call: first text, ms", ({ firstTextMs }) => whole(firstTextMs)),
    row("total", "cold call: total, ms", ({ totalMs }) => whole(totalMs)),
    row("cpu", "host CPU per call, ms", ({ hostCpuMs }) => tenths(hostCpuMs)),
    row("memory", "host peak memory, MB", ({ hostPeakMb }) => whole(hostPeakMb)),
    row("memory-all", "… with helper processes, MB", ({ hostPeakMb, helperPeakMb }) => whole(hostPeakMb + helperPeakMb)),
    row("request", "sent upstream, kB", ({ requestBytes }) => tenths(requestBytes / 1000)),
  ];
}

function plainRows(results: ContestResults): readonly Row[] {
  const row = rowOf(results, (name) => results.plain[name] as CallFigures);
  return [
    row("plain-first-text", "with its defaults: first text, ms", ({ firstTextMs }) => whole(firstTextMs)),
    row("plain-total", "with its defaults: total, ms", ({ totalMs }) => whole(totalMs)),
    row("plain-request", "with its defaults: sent upstream, kB", ({ requestBytes }) => tenths(requestBytes / 1000)),
  ];
}

function streamRows(results: ContestResults): readonly Row[] {
  const row = rowOf(results, (name) => results.stream[name]);
  return [
    row("stream", "50 MB stream, MB/s", (figures) => tenths(figures?.megabytesPerSecond ?? Number.NaN), "more"),
    row("stream-memory", "50 MB stream: host peak memory, MB", (figures) => whole(figures?.hostPeakMb ?? Number.NaN)),
  ];
}

function abortRows(results: ContestResults): readonly Row[] {
  const survivors = rowOf(results, (name) => results.survivors[name] ?? []);
  const stubborn = rowOf(results, (name) => results.stubborn[name] ?? []);
  const settledMs = (list: readonly AbortFigures[]): Cell =>
    bounded(
      list.map((figures) => figures.settledMs),
      15,
    );
  return [
    survivors("survivors", "abort while a tool waits: alive 6 s later", (list) => {
      const counts = list.map((figures) => figures.survivors ?? Number.NaN);
      return { text: [...new Set(counts)].join(" or "), value: Math.max(...counts) };
    }),
    survivors("abort-settled", "… call settled after, ms", settledMs),
    stubborn("stubborn-settled", "abort, CLI ignores TERM and INT: call settled after, ms", settledMs),
    stubborn("stubborn-gone", "… CLI gone after, ms", (list) =>
      bounded(
        list.map((figures) => figures.goneMs),
        15,
      ),
    ),
  ];
}

function refusalRows(results: ContestResults): readonly Row[] {
  return Object.entries(results.refusals).map(([title, figures], index) =>
    rowOf(results, (name) => figures[name] ?? [])(`refusal-${index}`, `${title}: reported after, ms`, (list) =>
      bounded(
        list.map(({ reportedMs }) => reportedMs),
        20,
      ),
    ),
  );
}

type MakeRow<Figures> = (id: string, label: string, toCell: (figures: Figures) => Cell, better?: Row["better"]) => Row;

function rowOf<Figures>({ names }: ContestResults, figuresOf: (name: string) => Figures): MakeRow<Figures> {
  return (id, label, toCell, better = "less") => ({
    ...{ id, label, better },
    cells: Object.fromEntries(names.map((name) => [name, toCell(figuresOf(name))])),
  });
}

function whole(value: number): Cell {
  return { text: value.toFixed(0), value };
}

function tenths(value: number): Cell {
  return { text: value.toFixed(1), value };
}

/** The median; a value that did not come within the limit counts as infinite. */
function bounded(times: readonly (number | undefined)[], limitSeconds: number): Cell {
  const value = median(times.map((time) => time ?? Number.POSITIVE_INFINITY));
  return Number.isFinite(value) ? whole(value) : { text: `not in ${limitSeconds} s`, value };
}
