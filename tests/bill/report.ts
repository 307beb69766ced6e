import type { Conversation } from "./conversation.ts";

/** BILL_SEED repeats the conversations of an earlier run. */
export const BILL_SEED: number = Number(process.env["BILL_SEED"] ?? Math.floor(Math.random() * 2 ** 31));

const CASE = process.env["BILL_CASE"];

/** The conversations with their numbers; BILL_CASE repeats one of them. */
export function casesOf(drawn: readonly Conversation[]): [number, Conversation][] {
  return [...drawn.entries()].filter(([at]) => CASE === undefined || at === Number(CASE));
}

/** A conversation whose counts are not the bill, and how to repeat it. */
type Report = { readonly steps: number; readonly text: string };

/** Says what is wrong with a conversation. */
function reportOf(
  cli: string,
  [at, { warmth, mode, steps }]: readonly [number, Conversation],
  faults: readonly string[],
): Report {
  const told = steps.map((step) => [step.do, ...("to" in step ? [step.to] : []), ...step.acts].join(" "));
  const head = `BILL_SEED=${BILL_SEED} BILL_CASE=${at} ${cli}, ${mode}, ${warmth}: ${told.join(", ")}`;
  return { steps: steps.length, text: [head, ...faults.map((fault) => `  ${fault}`)].join("\n") };
}

/** The reports for a person, those of the shortest conversations first; empty if there are none. */
export function textOf(reports: readonly Report[]): string {
  if (reports.length === 0) return "";
  const texts = reports.toSorted((one, other) => one.steps - other.steps).map(({ text }) => text);
  return [`${reports.length} conversations, of which:`, ...texts.slice(0, 8)].join("\n");
}

/** Plays conversations, some at the same time. */
export async function playAll(
  cli: string,
  cases: [number, Conversation][],
  atOnce: number,
  play: (conversation: Conversation) => Promise<readonly string[]>,
): Promise<readonly Report[]> {
  const reports: Report[] = [];
  const next = async (): Promise<void> => {
    for (let entry = cases.shift(); entry !== undefined; entry = cases.shift()) {
      const faults = await play(entry[1]);
      if (faults.length > 0) reports.push(reportOf(cli, entry, faults));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, next));
  return reports;
}
