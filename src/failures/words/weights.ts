import type { FailureCategory, FailureCode } from "../../spec/failure/failure-codes.ts";

/** The weight of each kind of evidence: the heaviest evidence names the failure, and of equal weights the first. */
export const WEIGHTS = {
  /** The CLI's own name for what only it knows, such as a turn limit or an abort. */
  declared: 90,
  /** A recorded sentence of this CLI: a rule of its provider with a text. */
  recorded: 80,
  /** Words about a spent quota, credit or plan, and about a fault of this machine. */
  plain: 70,
  /** Words with the same meaning in every CLI and service. */
  sentence: 60,
  /** A rule of the provider that knows a kind, a status or an exit code, but no text. */
  sign: 50,
  /** Words that also wrap another cause. */
  wrapper: 45,
  /** An HTTP status in a field. */
  status: 40,
  /** A name of the provider protocol, in its order of categories. */
  name: 30,
  /** An HTTP status in the text, the kind as a word, and words with several meanings. */
  trace: 20,
  /** A subject and a word for what is wrong with it, somewhere in one sentence. */
  subject: 10,
  /** A rule that says only that something failed. */
  nothing: 1,
} as const;

/** What must hold beside the words; `conditionsOf` in weigh-words.ts says when each condition does. */
export type WordingCondition = "short-limit" | "long-limit" | "server-status" | "service-reached" | "for-good";

type Meaning = `${FailureCode} ${keyof typeof WEIGHTS}`;

/** What the words mean: a failure code, their weight and what must hold beside them. */
export type Wording = readonly [meaning: Meaning | `${Meaning} if ${WordingCondition}`, ...words: readonly RegExp[]];

/** The category and code of an error. A `not_found` error that does not name what is missing has the code `unclassified`. */
export type ErrorName = { readonly category: FailureCategory; readonly code: FailureCode };

export type Evidence = ErrorName & { readonly weight: number };

/** The heaviest evidence; the first of equal weight. */
export function heaviest<Piece extends Evidence>(pieces: readonly Piece[]): Piece | undefined {
  return pieces.reduce<Piece | undefined>(
    (best, piece) => (best === undefined || piece.weight > best.weight ? piece : best),
    undefined,
  );
}
