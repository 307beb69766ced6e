import { expect, it } from "vitest";
import type { FailureTraits } from "./failure-codes.ts";
import { FAILURE_CODES, FAILURE_TRAITS, type FailureCodeInfo } from "./failure-codes.ts";

const codes: readonly (readonly [string, FailureCodeInfo])[] = Object.entries(FAILURE_CODES);

it.each([
  ["quota", false, true],
  ["rate_limit", true, false],
  ["authentication", false, false],
  ["validation", false, false],
  ["network", true, true],
  ["server", true, true],
  ["timeout", true, true],
  ["not_found", false, true],
  ["configuration", false, false],
  ["unknown", false, true],
] as const)("the protocol's category %s: retry %s, fallback %s", (category, shouldRetry, shouldFallback) => {
  expect(FAILURE_TRAITS[category]).toMatchObject({ shouldRetry, shouldFallback });
});

it("the ten categories of the protocol come first", () => {
  expect(Object.keys(FAILURE_TRAITS)).toEqual([
    ...["quota", "rate_limit", "authentication", "validation", "network", "server", "timeout", "not_found"],
    ...["configuration", "unknown", "cancelled", "permission", "invalid_response"],
  ]);
});

it("every category answers HTTP with an error status", () => {
  for (const [category, { replyStatus }] of Object.entries(FAILURE_TRAITS)) {
    expect(replyStatus, category).toBeGreaterThanOrEqual(400);
    expect(replyStatus, category).toBeLessThan(600);
  }
});

it("the category of every code is in the table of traits", () => {
  for (const [code, { category }] of codes) expect(Object.keys(FAILURE_TRAITS), code).toContain(category);
});

it("every category has a code", () => {
  const used = new Set(codes.map(([, { category }]) => category));
  expect([...used].toSorted()).toEqual(Object.keys(FAILURE_TRAITS).toSorted());
});

it("a hint begins with a retry only where a retry is worth it", () => {
  for (const [code, { hint, category, traits }] of codes)
    if (/^Retry\b/.test(hint)) expect({ ...FAILURE_TRAITS[category], ...traits }, code).toMatchObject({ shouldRetry: true });
});

it("every hint is one line that begins with a capital and ends with a full stop", () => {
  for (const [code, { hint }] of codes) expect(hint, code).toMatch(/^[A-Z][^\r\n]*[^.\s]\.$/);
});

it("every code is made of lower-case words", () => {
  for (const [code] of codes) expect(code).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
});

it("a trait of a code differs from that of its category", () => {
  const overrides = codes.flatMap(([code, { category, traits = {} }]) =>
    (Object.keys(traits) as (keyof FailureTraits)[]).map((trait) => ({
      code,
      ours: traits[trait],
      theirs: FAILURE_TRAITS[category][trait],
    })),
  );
  expect(overrides.length).toBeGreaterThan(0);
  for (const { code, ours, theirs } of overrides) expect(ours, code).not.toBe(theirs);
});

// An overloaded service and a resting provider answer 503; a session exists in one CLI only; a start can lack resources for a moment; the other answers would be
// the same again.
it("only these codes have traits that differ from their category", () => {
  const differing = codes.filter(([, { traits }]) => traits !== undefined).map(([code, { traits }]) => [code, traits]);
  expect(differing).toEqual([
    ["overloaded", { replyStatus: 503 }],
    ["cooling-down", { replyStatus: 503 }],
    ["session-unknown", { shouldFallback: false }],
    ["start-failed", { shouldRetry: true }],
    ["output-truncated", { shouldRetry: false }],
    ["schema-mismatch", { shouldRetry: false }],
    ["tool-call-unreadable", { shouldRetry: false }],
    ["tools-failing", { shouldRetry: false }],
  ]);
});
