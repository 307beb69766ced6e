import { FAILURE_CODES, type FailureCode } from "../../spec/failure/failure-codes.ts";
import type { Clock } from "../times/read-reset.ts";
import { readTimes, toReturnTimes } from "../times/read-times.ts";
import { LIMIT_WORDS, LOGIN_WORDS } from "./account-words.ts";
import { MACHINE_WORDS, NETWORK_WORDS } from "./machine-and-network-words.ts";
import { codeOfStatus, compilePattern, PROTOCOL_PATTERNS, type ProtocolCategory, statusesInText } from "./names-and-statuses.ts";
import { REQUEST_WORDS } from "./request-words.ts";
import { type RequiredWords, requiredWords } from "./required-words.ts";
import { CHINESE_WORDS, SUBJECT_WORDS } from "./subject-words.ts";
import { type Evidence, WEIGHTS, type WordingCondition } from "./weights.ts";

/** What an error shows: its text, and the HTTP status, the wait and the kind that its fields state. */
export type ErrorSigns = {
  readonly text: string;
  readonly status?: number;
  readonly waitMs?: number;
  readonly kind?: string;
  /** For a time of day in the text. */
  readonly clock: Clock;
};

/** The text that identifies an error is at its beginning, and regular expressions are slow on megabytes. */
export const LONGEST_TEXT = 4096;

/** Which evidence counts: only what is heavier than `above`, and none of the excluded codes. */
type Wanted = { readonly above?: number; readonly excluded?: readonly FailureCode[] };

const FROM_HEAVIEST: readonly number[] = Object.values(WEIGHTS).toSorted((left, right) => right - left);

/**
 * The heaviest evidence for the name of an error; of equal weights the first. Lighter words are not tested, because to compile
 * the expressions of all words takes a tenth of a second.
 */
export function weighWords(signs: ErrorSigns, { above = 0, excluded = [] }: Wanted = {}): Evidence | undefined {
  const evidence = evidenceOf(signs);
  for (const weight of FROM_HEAVIEST) {
    if (weight <= above) return undefined;
    for (const piece of evidence(weight)) if (!excluded.includes(piece.code)) return piece;
  }
  return undefined;
}

/** The evidence of one weight, in the order in which it is preferred. */
function evidenceOf({ text: whole, status, waitMs, kind = "", clock }: ErrorSigns): (weight: number) => Iterable<Evidence> {
  const text = whole.slice(0, LONGEST_TEXT).replaceAll("\u2019", "'");
  const texts = [...new Set([text, joinWrapped(text)])].map((one) => ({ text: one, lower: one.toLowerCase() }));
  const inText = statusesInText(text);
  const conditions = conditionsOf(text, status === undefined ? inText : [status, ...inText], waitMs, clock);
  const ofStatus = (weight: number, known: number | undefined): readonly Evidence[] => {
    const code = known === undefined ? undefined : codeOfStatus(known);
    return code === undefined ? [] : [toEvidence(code, weight)];
  };
  return function* (weight) {
    yield* weighWording(texts, conditions, weight);
    if (weight === WEIGHTS.status) yield* ofStatus(weight, status);
    if (weight === WEIGHTS.name) yield* weighNames(text, inText, weight);
    if (weight !== WEIGHTS.trace) return;
    yield* ofStatus(weight, inText[0]);
    yield* weighNames(kind, [], weight);
  };
}

export function toEvidence(code: FailureCode, weight: number): Evidence {
  return { category: FAILURE_CODES[code].category, code, weight };
}

type Conditions = Readonly<Record<WordingCondition, () => boolean>>;

const LONGEST_SHORT_WAIT_MS = 60_000;
const SHORTEST_LONG_WAIT_MS = 3_600_000;
const CONNECTION_ERRNO = /\b(?:ECONN(?:RESET|REFUSED|ABORTED)|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|E(?:NET|HOST)UNREACH|EPIPE)\b/;
const PER_MINUTE = /(?<![a-z])per[\s_-]?min(?:ute)?(?![a-z])|PerMinute|\b[RT]PM\b/i;
const PER_DAY =
  /(?<![a-z])per[\s_-]?(?:day|week|month)(?![a-z])|\b(?:daily|weekly|monthly)\b|\b[RT]PD\b|\b(?:until|again|reset\w*|back) (?:tomorrow|next (?:week|month))\b|\b(?:today's|for today)\b/i;
/** Google's name of a quota; it lists the violated quotas of a minute beside it. */
const QUOTA_PER_DAY = /Per(?:Day|Week|Month)(?![a-z])/;

function conditionsOf(text: string, statuses: readonly number[], waitMs: number | undefined, clock: Clock): Conditions {
  const isServerError = statuses.some((status) => status >= 500);
  const isReached = !CONNECTION_ERRNO.test(text);
  const isForNow = /\b(?:temporarily|currently)\b/i.test(text);
  // "retrying 1/5 in 210ms" is the back-off of the CLI; it says nothing about the limit.
  const stated = text.replace(/\bretrying\b (?:\(?\d+\/\d+\)?|attempt)[^.\n]{0,40}/gi, "");
  const worded = (): number | undefined => toReturnTimes(readTimes(stated, clock), "unknown", clock.now).retryAfterMs;
  return {
    "short-limit": () => PER_MINUTE.test(text) || (waitMs ?? worded() ?? Infinity) <= LONGEST_SHORT_WAIT_MS,
    "long-limit": () =>
      QUOTA_PER_DAY.test(text) || (PER_DAY.test(text) && !PER_MINUTE.test(text)) || (worded() ?? 0) >= SHORTEST_LONG_WAIT_MS,
    "server-status": () => isServerError,
    "service-reached": () => isReached,
    "for-good": () => isReached && !isServerError && !isForNow,
  };
}

type ReadWording = {
  readonly code: FailureCode;
  readonly weight: number;
  readonly beside: WordingCondition | undefined;
  readonly patterns: readonly RegExp[];
};

type Searched = { readonly text: string; readonly lower: string };

function* weighWording(texts: readonly Searched[], conditions: Conditions, wanted: number): Iterable<Evidence> {
  for (const { code, weight, beside, patterns } of WORDING) {
    if (weight !== wanted || !patterns.some((pattern) => texts.some((one) => isFound(pattern, one)))) continue;
    if (beside === undefined || conditions[beside]()) yield toEvidence(code, wanted);
  }
}

const required = new Map<RegExp, RequiredWords>();

/** Node compiles an expression when it is tested first. That takes longer than to look for the words without which it cannot match. */
function isFound(pattern: RegExp, { text, lower }: Searched): boolean {
  if (!required.has(pattern)) required.set(pattern, requiredWords(pattern));
  return required.get(pattern)?.some((word) => lower.includes(word)) !== false && pattern.test(text);
}

/** Joins the lines of a sentence that a terminal has wrapped: the next line goes on in lower case, or is indented and no list or stack. */
function joinWrapped(text: string): string {
  return text.replace(/(?<![\n \t])[ \t]{0,200}\n(?:[ \t]{0,9}(?=[a-z0-9(])|[ \t]{1,9}(?=[A-Z[])(?!\w{1,40}:))(?!at )/g, " ");
}

type CompiledCategory = Pick<ProtocolCategory, "category" | "code"> & {
  readonly patterns: readonly { readonly words: RegExp | number; readonly code?: FailureCode }[];
};

const COMPILED: readonly CompiledCategory[] = PROTOCOL_PATTERNS.map(({ category, code, codes, patterns }) => ({
  category,
  code,
  patterns: patterns.map((spelling) => {
    const special = codes?.[spelling];
    return { words: compilePattern(spelling) ?? Number(spelling), ...(special !== undefined && { code: special }) };
  }),
}));

/** The names of the provider protocol in a text, in the order of its categories. */
function weighNames(text: string, statuses: readonly number[], weight: number): readonly Evidence[] {
  const spaced = spaceCamelCase(text);
  return COMPILED.flatMap(({ category, code, patterns }) => {
    const found = patterns.filter(({ words }) =>
      typeof words === "number" ? statuses.includes(words) : words.test(text) || words.test(spaced),
    );
    if (found.length === 0) return [];
    const specific = found.find((pattern) => pattern.code !== undefined)?.code ?? code;
    const isModel = specific === "unclassified" && /\bmodel/i.test(spaced);
    return [{ category, code: isModel ? "model-unknown" : specific, weight }];
  });
}

/** Splits camel case: "RateLimitError" becomes "Rate Limit Error". */
function spaceCamelCase(text: string): string {
  return text.replace(/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$2 ");
}

/** The words of the CLIs, their services and the operating system; of equal weights the first entry counts. */
export const WORDING: readonly ReadWording[] = [
  ...MACHINE_WORDS,
  ...LIMIT_WORDS,
  ...NETWORK_WORDS,
  ...REQUEST_WORDS,
  ...LOGIN_WORDS,
  ...CHINESE_WORDS,
  ...SUBJECT_WORDS,
].map(([meaning, ...patterns]) => {
  const [code, weight, , beside] = meaning.split(" ") as [FailureCode, keyof typeof WEIGHTS, "if"?, WordingCondition?];
  return { code, weight: WEIGHTS[weight], beside, patterns };
});
