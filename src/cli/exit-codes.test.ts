import { expect, test } from "vitest";
import { createFailure } from "../spec/failure/failure.ts";
import type { FailureCode } from "../spec/failure/failure-codes.ts";
import { exitCodeOf } from "./exit-codes.ts";

const EXPECTED: readonly (readonly [number, readonly FailureCode[]])[] = [
  [1, ["crashed", "unclassified", "model-unknown", "context-overflow", "schema-mismatch", "bad-request", "budget-spent"]],
  [2, ["option-unsupported", "options-conflict", "schema-unreadable", "cwd-unusable", "prompt-blank", "provider-unknown"]],
  [3, ["not-logged-in", "access-denied"]],
  [4, ["quota-exhausted"]],
  [5, ["rate-limited", "overloaded", "server-error", "connection-failed", "total-timeout", "no-terminal-event", "cooling-down"]],
  [6, ["refused", "tool-denied"]],
  [7, ["cli-missing", "cli-not-executable", "cli-misconfigured", "unknown-option", "own-tools-active"]],
];

test.each(EXPECTED.flatMap(([exit, codes]) => codes.map((code) => [code, exit] as const)))("%s exits with %i", (code, exit) => {
  expect(exitCodeOf(createFailure(code, "x"))).toBe(exit);
});
