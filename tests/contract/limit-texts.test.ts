import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { classifyError } from "../../src/index.ts";
import type { Failure } from "../../src/spec/failure/failure.ts";
import { answerWith, type Beside, failWith, succeedBeside, type WildText } from "./wild-runs.ts";

/** What a text about a limit, an account or a login must be read as; decided from the text and from what the service had answered. */
type LimitText = Pick<WildText, "cli" | "text"> & {
  readonly where?: WildText["where"];
  /** The kind and the status that the CLI printed with the text. */
  readonly beside?: Beside;
  readonly code: string;
  /** The time that the text states, or null. */
  readonly resetAt: string | null;
  /** True if it ends by itself: a window that resets, or a moment. */
  readonly mayWait: boolean;
  /** A word that the hint must have: who or what helps. */
  readonly help?: string;
};

const NOW = "2026-11-18T04:00:00.000Z";
const texts: readonly LimitText[] = readFileSync(new URL("limit-texts.jsonl", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line));

/** By code: whether a retry and a fallback make sense. Another provider has another quota; no provider mends an account. */
const NEXT: Readonly<Record<string, Pick<Failure, "shouldRetry" | "shouldFallback">>> = {
  "quota-exhausted": { shouldRetry: false, shouldFallback: true },
  "rate-limited": { shouldRetry: true, shouldFallback: false },
  "access-denied": { shouldRetry: false, shouldFallback: false },
  "not-logged-in": { shouldRetry: false, shouldFallback: false },
};

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(NOW), toFake: ["Date"] });
  const resolve = Intl.DateTimeFormat.prototype.resolvedOptions;
  vi.spyOn(Intl.DateTimeFormat.prototype, "resolvedOptions").mockImplementation(function (this: Intl.DateTimeFormat) {
    return { ...resolve.call(this), timeZone: "UTC" };
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe.for(texts)("$cli: $text", (row) => {
  const { cli, text, where = "error-event", beside } = row;

  test("by classifyError", () => judge(row, classifyError(text)));
  test("in a run", () => judge(row, failWith({ id: "", cli, text, where, exit: 1 }, beside)));
  test("as an answer, as the output of a tool and beside a success it is no failure", () => {
    expect(answerWith(text)).toBeUndefined();
    expect(succeedBeside(text)).toBeUndefined();
  });
});

test("the table has limits that end by themselves and limits that do not", () => {
  expect(texts.filter(({ mayWait }) => mayWait).length).toBeGreaterThan(10);
  expect(texts.filter(({ mayWait }) => !mayWait).length).toBeGreaterThan(20);
});

function judge(
  { code, resetAt, mayWait, help = "" }: LimitText,
  read: (Pick<Failure, "code" | "hint" | "shouldRetry" | "shouldFallback"> & { readonly resetAt?: string }) | undefined,
): void {
  expect({ ...read, resetAt: read?.resetAt ?? null }).toMatchObject({ code, resetAt, ...NEXT[code] });
  const hint = read?.hint ?? "";
  expect(hint).toContain(help);
  if (code === "quota-exhausted") expect(/\b(?:wait|resets?)\b/i.test(hint), hint).toBe(mayWait);
  else if (!mayWait) expect(hint).not.toMatch(/\b(?:wait|resets?|moment|later)\b/i);
}

describe("near words that mean something else", () => {
  test.for([
    ["You're now using usage credits", "unclassified"],
    ["You're now using your usage allocation", "unclassified"],
    ["Now using usage credits", "unclassified"],
    ["Now using extra usage", "unclassified"],
    ["You've used 91% of your 5-hour limit", "unclassified"],
    ["You're close to your weekly limit", "unclassified"],
    ["The seat type of this user is Premium", "unclassified"],
    ["Usage is paused while the laptop sleeps", "unclassified"],
    ["Your prompt was blocked for violation of our usage policy", "refused"],
    ["This request was flagged as a violation of our Terms of Service", "refused"],
    ["API Error: Claude Code is unable to respond to this request, which appears to violate our Usage Policy", "refused"],
    ["Model qwen3-coder-plus has been discontinued", "model-unknown"],
    ["The Qwen OAuth free tier will be discontinued on 2026-04-15: free tier quota exceeded", "quota-exhausted"],
    ["This version of the client is no longer supported. Please update.", "cli-misconfigured"],
  ] as const)("%s", ([text, code]) => expect(classifyError(text)).toMatchObject({ code }));
});
