import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Subject, Verdict } from "./attack-case.ts";
import { AttackHost } from "./attack-host.ts";
import { SUBJECTS } from "./subjects.ts";

/** How often a host without work looks for a case. */
const IDLE_MS = 50;

/** The size of an attack. */
export type AttackOptions = {
  readonly seed: number;
  /** No case begins after this time. */
  readonly seconds: number;
  /** Runs the cases with this name or beginning of a name; those of all subjects without it. */
  readonly only?: string;
  /** Ends all hosts; the report has what was found before. */
  readonly signal?: AbortSignal;
  readonly onCase?: (report: AttackReport) => void;
};

/** A case that broke a rule. */
export type AttackFailure = { readonly name: string; readonly problems: readonly string[] };

/** What an attack did so far. */
export type AttackReport = {
  readonly seed: number;
  seconds: number;
  readonly subjects: readonly SubjectReport[];
  readonly failures: AttackFailure[];
};

/** The totals of one subject. */
export type SubjectReport = {
  readonly name: string;
  readonly cases: number;
  ran: number;
  failed: number;
  /** The time of all its cases, added up. */
  busySeconds: number;
  readonly counts: Record<string, number>;
};

type Line = { readonly subject: Subject; readonly pending: string[]; readonly report: SubjectReport; running: number };

/** Runs cases of all subjects side by side, each subject for its share of the time, until all ran or the time is over. */
export async function runAttack({ seed, seconds, only = "", signal, onCase }: AttackOptions): Promise<AttackReport> {
  const startedAt = performance.now();
  const lines = SUBJECTS.map((subject) => openLine(subject, selectCases(subject, only, seed)));
  const report: AttackReport = { seed, seconds: 0, subjects: lines.map((line) => line.report), failures: [] };
  const elapsed = (): number => (performance.now() - startedAt) / 1000;
  const work = async (): Promise<void> => {
    const host = new AttackHost();
    signal?.addEventListener("abort", () => host.end());
    while (elapsed() < seconds && lines.some(({ pending }) => pending.length > 0)) {
      const line = nextLine(lines);
      if (line === undefined) {
        await sleep(IDLE_MS);
        continue;
      }
      const name = line.pending.shift() ?? "";
      const before = elapsed();
      line.running += 1;
      const verdict = await host.take({ name, seed }, line.subject.deadlineMs);
      line.running -= 1;
      if (signal?.aborted) break;
      note(report, line.report, name, verdict, elapsed() - before);
      report.seconds = elapsed();
      onCase?.(report);
    }
    await host.end();
  };
  // Programs mostly wait, so there are more hosts than cores.
  const cases = lines.reduce((total, { pending }) => total + pending.length, 0);
  await Promise.all(Array.from({ length: Math.min(cases, availableParallelism() + 3) }, work));
  report.seconds = elapsed();
  return report;
}

/** The cases of a subject; the name of one may be the beginning of another. */
export function selectCases(subject: Subject, only: string, seed: number): readonly string[] {
  const names = subject.select(only, seed);
  return names.includes(only) ? [only] : names;
}

function openLine(subject: Subject, pending: readonly string[]): Line {
  const report = { name: subject.name, cases: pending.length, ran: 0, failed: 0, busySeconds: 0, counts: {} };
  return { subject, pending: [...pending], report, running: 0 };
}

/** The subject that has used the least of its share, of those that may begin a case; a running case counts as a second. */
function nextLine(lines: readonly Line[]): Line | undefined {
  const open = lines.filter(({ subject, pending, running }) => pending.length > 0 && running < subject.atOnce);
  return open.toSorted((one, other) => usedShare(one) - usedShare(other))[0];
}

function usedShare({ subject, report, running }: Line): number {
  return (report.busySeconds + running) / subject.share;
}

function note(report: AttackReport, subject: SubjectReport, name: string, verdict: Verdict, seconds: number): void {
  subject.ran += 1;
  subject.busySeconds += seconds;
  for (const [what, count] of Object.entries(verdict.counts)) subject.counts[what] = (subject.counts[what] ?? 0) + count;
  if (verdict.problems.length === 0) return;
  subject.failed += 1;
  report.failures.push({ name, problems: verdict.problems });
}
