import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { classifyError, RunError, type RunResult } from "../../src/index.ts";
import { createFailure } from "../../src/provider.ts";

const RESULT: RunResult = { text: "", toolCalls: [], permissionDenials: [], finish: "error", warnings: [] };

describe("what may be given to classifyError", () => {
  test.for([
    ["an Error", new Error("rate limit exceeded")],
    ["a string", "rate limit exceeded"],
    ["an object with a message", { message: "rate limit exceeded" }],
    ["an object with an error text", { error: "rate limit exceeded" }],
    ["an object with an error object", { error: { message: "rate limit exceeded" } }],
  ] as const)("R94 %s gives category, message, guidance, wait and itself", ([, error]) => {
    const classified = classifyError(error);
    expect(classified).toMatchObject({
      category: "rate_limit",
      code: "rate-limited",
      message: "rate limit exceeded",
      hint: "Retry in a moment.",
      shouldRetry: true,
      shouldFallback: false,
      replyStatus: 429,
      retryAfterMs: 1_000,
    });
    expect(classified.originalError).toBe(error);
  });

  test.for([null, undefined, 42, true, Symbol("odd"), 10n, [], {}, () => 1, Object.create(null) as object])(
    "R94 R117 %o is unknown",
    (error) => {
      const classified = classifyError(error);
      expect(classified).toMatchObject({ category: "unknown", shouldRetry: false, shouldFallback: true, retryAfterMs: null });
      expect(classified.originalError).toBe(error);
    },
  );

  test("R94 fields beside the words count: a status, and words in code, type and status", () => {
    expect(classifyError({ message: "oops", status: 401 }).category).toBe("authentication");
    expect(classifyError({ message: "oops", error: { code: 503 } }).category).toBe("server");
    expect(classifyError({ message: "oops", type: "rate_limit_error" }).category).toBe("rate_limit");
    expect(classifyError({ error: { message: "oops", status: "RESOURCE_EXHAUSTED" } }).category).toBe("quota");
    expect(classifyError(Object.assign(new Error("oops"), { code: "ECONNRESET" })).category).toBe("network");
    expect(classifyError({ message: "oops", status: 200, code: 1 }).category).toBe("unknown");
  });

  test("R94 an error of a run keeps its failure, wrapped or not", () => {
    const failure = createFailure("context-overflow", "Rate limit of the moon.", { fixCommand: "fix it" });
    const error = new RunError(failure, RESULT);
    for (const given of [error, new Error("outer", { cause: error })]) {
      expect(classifyError(given)).toMatchObject({ code: "context-overflow", message: failure.message, fixCommand: "fix it" });
    }
  });

  test("R94 an abort is cancelled and a TimeoutError is a timeout, whatever their words are", () => {
    expect(classifyError(AbortSignal.abort().reason)).toMatchObject({ category: "cancelled", code: "interrupted" });
    expect(classifyError(new DOMException("rate limit", "TimeoutError")).category).toBe("timeout");
  });

  test("R94 the message is one line, however long the words are", () => {
    const { message } = classifyError(`first\nsecond ${"x".repeat(10_000)}`);
    expect(message).toMatch(/^first second x+…$/);
    expect(message.length).toBeLessThanOrEqual(600);
  });

  test("R94 R115 the command line in an error of Node, and so the prompt, is never read", async () => {
    const run = promisify(execFile);
    const script = 'console.error("connect ECONNREFUSED 127.0.0.1:1"); process.exit(1)';
    const prompt = "you have hit your usage limit\nretry after 30 seconds";
    const error: unknown = await run(process.execPath, ["-e", script, prompt]).catch((reason: unknown) => reason);
    expect(String(error)).toContain("usage limit");
    const classified = classifyError(error);
    expect(classified).toMatchObject({ category: "network", retryAfterMs: null });
    expect(classified.message).toBe("connect ECONNREFUSED 127.0.0.1:1");
  });
});

describe("what may not break it", () => {
  test("R94 fields that throw, cycles and lies are no reason to throw", () => {
    const cycle: Record<string, unknown> = {};
    Object.assign(cycle, { error: cycle, message: cycle, headers: cycle, details: [cycle] });
    const throwing = new Proxy(new Error("odd"), {
      get: () => {
        throw new Error("no");
      },
      getPrototypeOf: () => {
        throw new Error("no");
      },
    });
    const liar = { [Symbol.for("coxswain.RunError")]: true, failure: null, message: "rate limit" };
    const bounds = { message: "odd", retryAfter: Number.POSITIVE_INFINITY, resetAt: 8.64e15 + 1 };
    for (const error of [cycle, throwing, bounds]) expect(classifyError(error).category).toBe("unknown");
    expect(classifyError(liar).category).toBe("rate_limit");
    expect(classifyError("usage limit, resets 3pm", { now: new Date(Number.NaN), timeZone: "Mars/Olympus" }).category).toBe(
      "quota",
    );
  });

  test("R94 options that make no sense are no reason to throw", () => {
    for (const options of [null, 5, { now: 5 }, { now: new Date(8.64e15), timeZone: 5 }]) {
      const classified: unknown = Reflect.apply(classifyError, undefined, ["usage limit, try again in 3 hours", options]);
      expect(classified).toMatchObject({ category: "quota", retryAfterMs: 10_800_000, resetAt: expect.any(String) });
    }
  });

  test("R94 an error of a run that lacks half of its failure is made whole", () => {
    const foreign = { [Symbol.for("coxswain.RunError")]: true, failure: { code: "rate-limited" } };
    expect(classifyError(foreign)).toEqual({
      ...classifyError("rate limit"),
      message: expect.any(String),
      originalError: foreign,
    });
  });

  test("R94 a key in the words of an error does not get into the message", () => {
    const error = new Error("401 Incorrect API key provided: sk-abcdef0123456789abcdef");
    expect(classifyError(error)).toMatchObject({ message: "401 Incorrect API key provided: [redacted]", originalError: error });
  });

  test("R94 ten megabytes are judged by their beginning, and hostile repetition comes to an end", () => {
    expect(classifyError(`rate limit ${"x".repeat(10_000_000)}`).category).toBe("rate_limit");
    expect(classifyError(`${"x".repeat(10_000_000)} rate limit`).category).toBe("unknown");
    for (const piece of ["retry ", "try again in 5 ", "resets 1", "error: (", "session ", "model ", "aA", "1h", "daily a b "]) {
      expect(classifyError(piece.repeat(1_000_000)).originalError, piece).toHaveLength(piece.length * 1_000_000);
    }
  });
});
