import { FAILURE_CODES, type FailureCategory, type FailureCode } from "../spec/failure-codes.ts";
import { CLI_WORDING, type WordingCondition } from "./cli-wording.ts";
import { compilePattern, PROTOCOL_PATTERNS, type ProtocolCategory } from "./protocol-patterns.ts";
import { readWait } from "./read-wait.ts";
import { codeOfStatus, statusesInText } from "./status-codes.ts";

/** The text of an error, its HTTP status if a field has one, and its wait if a field states one. */
export type ErrorSigns = { readonly text: string; readonly status?: number; readonly waitMs?: number };

/** The category and code of an error. A `not_found` error that does not name what is missing has the code `unclassified`. */
export type ErrorName = { readonly category: FailureCategory; readonly code: FailureCode };

/** The text that identifies an error is at its beginning, and regular expressions are slow on megabytes. */
export const LONGEST_TEXT = 4096;

/** Classifies an error by the CLIs' wording, then its HTTP status, then the patterns of the provider protocol, if one matches. */
export function nameWords({ text: whole, status, waitMs }: ErrorSigns): ErrorName | undefined {
  const text = whole.slice(0, LONGEST_TEXT).replaceAll("\u2019", "'");
  const statuses = statusesInText(text);
  const worded = nameByWording(text, status === undefined ? statuses : [status, ...statuses], waitMs);
  if (worded !== undefined) return named(worded);
  const spaced = spaceCamelCase(text);
  const byPattern = (entries: readonly CompiledCategory[]): ErrorName | undefined =>
    nameByPattern(entries, text, spaced, statuses);
  // A used-up quota is a 429 too, and the text is more specific than the status.
  const spent = status === 429 ? byPattern(QUOTA) : undefined;
  if (spent !== undefined) return spent;
  const byStatus = status === undefined ? undefined : codeOfStatus(status);
  return byStatus === undefined ? byPattern(COMPILED) : named(byStatus);
}

function named(code: FailureCode): ErrorName {
  return { category: FAILURE_CODES[code].category, code };
}

const LONGEST_SHORT_WAIT_MS = 60_000;
const CONNECTION_ERRNO = /\b(?:ECONN(?:RESET|REFUSED|ABORTED)|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|E(?:NET|HOST)UNREACH|EPIPE)\b/;

function nameByWording(text: string, statuses: readonly number[], waitMs: number | undefined): FailureCode | undefined {
  const isServerError = statuses.some((status) => status >= 500);
  const isReached = !CONNECTION_ERRNO.test(text);
  const holds: Readonly<Record<WordingCondition, boolean>> = {
    always: true,
    "short-wait": /\bper[\s_-]?minute|PerMinute/i.test(text) || (waitMs ?? readWait(text) ?? Infinity) <= LONGEST_SHORT_WAIT_MS,
    "server-status": isServerError,
    "service-reached": isReached,
    "for-good": isReached && !isServerError && !/\b(?:temporarily|currently)\b/i.test(text),
  };
  const found = CLI_WORDING.find(([, beside, ...words]) => holds[beside] && words.some((pattern) => pattern.test(text)));
  return found?.[0] ?? (statuses.includes(529) ? "overloaded" : undefined);
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
const QUOTA: readonly CompiledCategory[] = COMPILED.filter(({ category }) => category === "quota");

function nameByPattern(
  entries: readonly CompiledCategory[],
  text: string,
  spaced: string,
  statuses: readonly number[],
): ErrorName | undefined {
  for (const { category, code, patterns } of entries) {
    const found = patterns.filter(({ words }) =>
      typeof words === "number" ? statuses.includes(words) : words.test(text) || words.test(spaced),
    );
    if (found.length === 0) continue;
    const specific = found.find((pattern) => pattern.code !== undefined)?.code ?? code;
    if (specific !== "unclassified") return { category, code: specific };
    return { category, code: /\bmodel/i.test(spaced) ? "model-unknown" : specific };
  }
  return undefined;
}

/** Splits camel case: "RateLimitError" becomes "Rate Limit Error". */
function spaceCamelCase(text: string): string {
  return text.replace(/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$2 ");
}
