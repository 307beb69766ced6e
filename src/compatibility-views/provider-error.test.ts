import { inspect } from "node:util";
import { expect, expectTypeOf, it } from "vitest";
import { createFailure } from "../spec/failure/failure.ts";
import { RunError } from "../spec/failure/run-error.ts";
import type { PermissionDenial, RunResult } from "../spec/result.ts";
import { ProviderError, toProviderError } from "./provider-error.ts";

const KEY = "sk-ant-api03-Ab3dEf6hIj9kLm2nOp5qRs8t";
const MARKER = Symbol.for("coxswain.ProviderError");

it("a ProviderError of another copy of the package is returned unchanged", () => {
  const own = toProviderError("ECONNRESET");
  const foreign = Object.assign(new Error(own.message), { type: own.type, failure: own.failure, [MARKER]: true });
  expect(foreign).not.toBeInstanceOf(ProviderError);
  expect(ProviderError.is(foreign)).toBe(true);
  expect(toProviderError(foreign)).toBe(foreign);
});

it("an object that only looks like a ProviderError is classified like any other error", () => {
  const failure = createFailure("rate-limited", "Slow down.");
  const throwing = new Proxy({}, { get: fail });
  const liars = [
    { [MARKER]: true, message: "rate limit" },
    { [MARKER]: true, message: "rate limit", type: "NetworkError", failure },
    { [MARKER]: true, message: "rate limit", type: "RateLimitError", failure: null },
  ];
  for (const liar of liars) {
    expect(ProviderError.is(liar)).toBe(false);
    expect(toProviderError(liar)).toMatchObject({ type: "RateLimitError", cause: liar });
  }
  for (const other of [undefined, null, "text", throwing]) expect(ProviderError.is(other)).toBe(false);
});

it("its enumerable fields have no name, no marker and no cause unless one was given", () => {
  const error = new ProviderError(createFailure("connection-lost", "It broke."));
  expect(Object.keys(error)).toEqual(["type", "failure"]);
  expect("cause" in error).toBe(false);
  expect("cause" in toProviderError(undefined)).toBe(false);
  expect(inspect(error)).not.toMatch(/\[cause\]|\bname:/);
  expect(error).toMatchObject({ name: "NetworkError", type: "NetworkError" });
  expect(String(error)).toBe("NetworkError: It broke.");
});

it("only a ToolPermissionError has blockedCalls, in values and in types", () => {
  const blockedCalls: readonly PermissionDenial[] = [{ id: "1", name: "Bash", input: { command: "rm x" } }];
  const denied = new ProviderError(createFailure("tool-denied", "No."), { blockedCalls });
  expect(denied).toMatchObject({ blockedCalls, message: 'No. Blocked: Bash {"command":"rm x"}' });
  const limited = new ProviderError(createFailure("rate-limited", "Slow down."), { blockedCalls });
  expect(limited).not.toHaveProperty("blockedCalls");
  expect(limited.message).toBe("Slow down.");
  const error = toProviderError("rate limit");
  if (error.type === "ToolPermissionError")
    expectTypeOf(error.blockedCalls).toEqualTypeOf<readonly PermissionDenial[] | undefined>();
  else expectTypeOf(error.blockedCalls).toEqualTypeOf<undefined>();
});

it("the message and the failure contain no secret", () => {
  const failure = createFailure("tool-denied", `No, ${KEY}.`, { evidence: { stderrTail: `key ${KEY}\n` } });
  const permissionDenials = [{ id: "1", name: "Bash", input: { command: `curl -H "x-api-key: ${KEY}"` } }];
  const result: RunResult = { text: "", toolCalls: [], permissionDenials, finish: "error", warnings: [] };
  for (const error of [toProviderError(`Incorrect API key provided: ${KEY}`), toProviderError(new RunError(failure, result))]) {
    expect(error.message).toContain("[redacted]");
    expect(`${error.message}${JSON.stringify(error.failure)}`).not.toContain(KEY);
  }
});

function fail(): never {
  throw new Error("no");
}
