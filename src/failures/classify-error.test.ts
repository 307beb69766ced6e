import { expect, it } from "vitest";
import { createFailure } from "../spec/failure/failure.ts";
import { classifyError } from "./classify.ts";

const KEY = "sk-ant-api03-Ab3dEf6hIj9kLm2nOp5qRs8t";

it.each([
  ["null", null],
  ["a number", 5],
  ["a text", "UTC"],
  ["a number for the clock", { now: 5 }],
  ["an object that only looks like a date", { now: { getTime: (): number => 0 } }],
  ["a date that is none", { now: new Date(Number.NaN) }],
  ["the last date there is", { now: new Date(8.64e15) }],
  ["the first date there is", { now: new Date(-8.64e15) }],
  ["a zone that is no text", { timeZone: 5 }],
  ["a zone that is none", { timeZone: "Mars/Olympus" }],
  [
    "options whose getters throw",
    new Proxy(
      {},
      {
        get: () => {
          throw new Error("no");
        },
      },
    ),
  ],
] as const)("invalid options are ignored: %s", (_name, options) => {
  for (const words of ["usage limit, try again in 3 hours", "usage limit, resets 3pm", "usage limit, resets Nov 20 at 5pm"]) {
    const before = Date.now();
    const given: unknown = Reflect.apply(classifyError, undefined, [words, options]);
    expect(given).toMatchObject({ category: "quota", resetAt: expect.any(String) });
    expect(Date.parse(classifyError(words).resetAt ?? "")).toBeGreaterThan(before);
    expect(Date.parse(String(Reflect.get(Object(given), "resetAt")))).toBeGreaterThan(before);
  }
});

it("a RunError of another copy of the package gets its missing fields from the tables", () => {
  const marker = Symbol.for("coxswain.RunError");
  const whole = createFailure("connection-lost", "It broke.");
  for (const failure of [
    { code: "connection-lost", message: "It broke." },
    { code: "connection-lost", message: "It broke.", category: "no-such", hint: 5, shouldRetry: "no", retryAfterMs: Number.NaN },
    { ...whole, resetAt: "never", evidence: null },
  ]) {
    const { originalError, ...read } = classifyError({ [marker]: true, failure });
    const { evidence, ...expected } = whole;
    expect(read).toEqual({ ...expected, retryAfterMs: null });
  }
});

it("a RunError keeps the category and the times of its failure", () => {
  const failure = { ...createFailure("unclassified", "Gone.", { retryAfterMs: 7 }), category: "not_found", replyStatus: 404 };
  const error = { [Symbol.for("coxswain.RunError")]: true, failure };
  expect(classifyError(error)).toMatchObject({ category: "not_found", replyStatus: 404, retryAfterMs: 7 });
});

it("a RunError with an unknown code, or one that cannot be read, is classified by its message", () => {
  const marker = Symbol.for("coxswain.RunError");
  const endless: Record<string, unknown> = {};
  endless["again"] = endless;
  const cyclic = { ...createFailure("crashed", "It died."), evidence: { event: endless } };
  for (const failure of [null, 5, {}, { code: "no-such-code" }, { code: "constructor" }, cyclic]) {
    expect(classifyError({ [marker]: true, failure, message: "rate limit" }).category).toBe("rate_limit");
  }
});

it.each([
  ["a text", `401 Incorrect API key provided: ${KEY}`],
  ["an error", new Error(`401 Incorrect API key provided: ${KEY}`)],
  ["an error of a service", { error: { message: `401 Incorrect API key provided: ${KEY}`, type: "authentication_error" } }],
  [
    "a RunError",
    {
      [Symbol.for("coxswain.RunError")]: true,
      failure: { code: "not-logged-in", message: `401 Incorrect API key provided: ${KEY}` },
    },
  ],
])("the message of %s contains no secrets, and the error itself does not change", (_name, error) => {
  const classified = classifyError(error);
  expect(classified).toMatchObject({ code: "not-logged-in", message: "401 Incorrect API key provided: [redacted]" });
  expect(classified.originalError).toBe(error);
});

it("a secret at the cut of a long message is removed completely", () => {
  const { message } = classifyError(`${"word ".repeat(118)}${KEY} and so on and on`);
  expect(message).not.toContain("sk-");
  expect(message.length).toBeLessThanOrEqual(600);
});

it("a classification has the public fields of a failure and no others", () => {
  expect(Object.keys(classifyError("usage limit, try again in 3 hours")).toSorted()).toEqual([
    "category",
    "code",
    "hint",
    "message",
    "originalError",
    "replyStatus",
    "resetAt",
    "retryAfterMs",
    "shouldFallback",
    "shouldRetry",
  ]);
});
