import { QUESTION } from "../rivals/contest.ts";
import type { CallReport, Host, Question } from "../rivals/host-process.ts";
import { toQuestion } from "./question.ts";
import { measureSeries, type Reason, type Series, type SeriesFigures } from "./series.ts";
import type { Stage } from "./stage.ts";
import { rivalsOf, startRival, type WarmRival } from "./warm-rivals.ts";

/** The times of single calls of one CLI. */
export type CallResults = {
  readonly cold: SeriesFigures;
  readonly warm: SeriesFigures;
  /** Warm calls, each with another system prompt. */
  readonly systems: SeriesFigures | Reason;
  /** Turns of one session. */
  readonly continued: SeriesFigures | Reason;
  /** What the CLI itself can do for a call without a past. */
  readonly floor: SeriesFigures;
  readonly rivals: readonly { readonly rival: WarmRival; readonly figures: SeriesFigures | Reason }[];
};

/** Cold, warm and continued calls, the floor and the rivals in one interleaved run. */
export async function measureCalls(stage: Stage, rounds: number): Promise<CallResults> {
  const coxswain = await stage.startCoxswain();
  const floor = await stage.startOther("warm-floor");
  const rivals: { rival: WarmRival; host: Host | Reason }[] = [];
  for (const rival of rivalsOf(stage.cli.name)) rivals.push({ rival, host: await startRival(stage, rival) });
  const working = rivals.flatMap(({ rival, host }) => ("reason" in host ? [] : [{ rival, host }]));
  try {
    const others = working.map(({ rival: { name, continues }, host }) => {
      return { name, host, ask: () => toQuestion(), continues, mayFail: true };
    });
    const measured = await measureSeries([...ownSeries(stage, coxswain, floor), ...others], rounds);
    const { cold, warm, systems = PART_OF_LAUNCH, continued, floor: raw } = measured as Record<string, SeriesFigures>;
    if (!cold || !warm || !continued || !raw) throw new Error("nothing was measured");
    const results = rivals.map(({ rival, host }) => ({
      rival,
      figures: "reason" in host ? host : (measured[rival.name] ?? { reason: "not measured" }),
    }));
    return { cold, warm, systems, continued, floor: raw, rivals: results };
  } finally {
    for (const { end } of [coxswain, floor, ...working.map(({ host }) => host)]) await end();
  }
}

const PART_OF_LAUNCH: Reason = { reason: "its system prompt is part of the launch" };

function ownSeries({ warmly, takesAnySystem }: Stage, coxswain: Host, floor: Host): readonly Series[] {
  const systems = (round: number): Question => toQuestion(warmly, `${QUESTION.system} This is call ${round}.`);
  return [
    { name: "cold", host: coxswain, ask: () => toQuestion({ transport: "spawn" }) },
    { name: "warm", host: coxswain, ask: () => toQuestion(warmly) },
    ...(takesAnySystem ? [{ name: "systems", host: coxswain, ask: systems }] : []),
    { name: "continued", host: coxswain, ask: (_, last) => continueSession(warmly, last), continues: true, mayFail: true },
    { name: "floor", host: floor, ask: () => toQuestion() },
  ];
}

function continueSession(warmly: Stage["warmly"], last: CallReport | undefined): Question {
  const session = last?.sessionId === undefined ? { keep: true } : { resume: last.sessionId };
  return toQuestion({ ...warmly, session });
}
