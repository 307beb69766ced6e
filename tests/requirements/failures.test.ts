import { describe, expect, test } from "vitest";
import { createClient, FAILURE_CODES, type FailureCategory, type FailureCode } from "../../src/index.ts";
import { createFailure } from "../../src/provider.ts";
import { fakeClaude, INIT, print } from "../support/clis/fake-claude.ts";
import { finishRun } from "../support/runs/read-run.ts";
import { failureOf } from "../support/runs/run-expectations.ts";
import { openTestScope } from "../support/test-scope.ts";
import { resultOf } from "./recorded-runs.ts";

type Guidance = { readonly shouldRetry: boolean; readonly shouldFallback: boolean };

const HANGS = [print(INIT), { do: "read", what: "all" }] as const;

describe("what to do about a failure that the CLI reports", () => {
  test("R95 quota: no retry, fallback", () => {
    const guidance = { shouldRetry: false, shouldFallback: true };
    expectEveryCode("quota", guidance);
    expectRecorded("error-quota", "quota", guidance);
  });

  test("R96 rate_limit: retry, no fallback", () => {
    const guidance = { shouldRetry: true, shouldFallback: false };
    expectEveryCode("rate_limit", guidance);
    expectRecorded("error-429-no-retry", "rate_limit", guidance);
  });

  test("R97 authentication: no retry, no fallback, and a hint how to log in", () => {
    const guidance = { shouldRetry: false, shouldFallback: false };
    expectEveryCode("authentication", guidance);
    expectRecorded("error-403", "authentication", guidance);
    expectRecorded("not-logged-in", "authentication", guidance);
    expect(resultOf("not-logged-in").failure?.fixCommand).toBe("claude auth login");
  });

  test("R98 validation: no retry, no fallback", () => {
    const guidance = { shouldRetry: false, shouldFallback: false };
    expectEveryCode("validation", guidance);
    expectRecorded("error-400", "validation", guidance);
    expectRecorded("error-context-length", "validation", guidance);
  });

  test("R99 network: retry, fallback", () => {
    const guidance = { shouldRetry: true, shouldFallback: true };
    expectEveryCode("network", guidance);
    expectRecorded("error-connection-refused-max1", "network", guidance);
    expectRecorded("error-stream-cut", "network", guidance);
  });

  test("R100 server: retry, fallback", () => {
    const guidance = { shouldRetry: true, shouldFallback: true };
    expectEveryCode("server", guidance);
    expectRecorded("error-500-max0", "server", guidance);
    expectRecorded("error-529-max1", "server", guidance);
  });
});

describe("what to do about a failure that we see ourselves", () => {
  test("R101 timeout: retry, fallback, for each of our clocks as for upstream", async () => {
    const guidance = { shouldRetry: true, shouldFallback: true };
    expectEveryCode("timeout", guidance);
    const failure = await failureOf(fakeClaude(HANGS).run({ timeouts: { totalMs: 1_500 } }));
    expect(failure).toMatchObject({ category: "timeout", code: "total-timeout", ...guidance });
  });

  test("R101 a run that the caller stops is cancelled, not timed out: no retry, no fallback", async () => {
    const stream = fakeClaude(HANGS).run();
    const { end } = await finishRun(stream, ({ type }) => {
      if (type === "session-start") stream.interrupt();
    });
    expect(end.failure).toMatchObject({ category: "cancelled", shouldRetry: false, shouldFallback: false });
  });

  test("R101 R104 a signal of another process is a crash of unknown cause, not a timeout", async () => {
    const failure = await failureOf(fakeClaude([print(INIT), { do: "die", signal: "SIGTERM" }]).run());
    expect(failure).toMatchObject({ category: "unknown", code: "crashed", shouldRetry: false, shouldFallback: true });
  });

  test("R102 not_found: no retry, fallback, except for an unknown session", () => {
    const guidance = { shouldRetry: false, shouldFallback: true };
    expectEveryCode("not_found", guidance, ["session-unknown"]);
    expectRecorded("error-bad-model", "not_found", guidance);
    expectRecorded("resume-unknown", "not_found", { shouldRetry: false, shouldFallback: false });
  });

  test("R102 a program that is nowhere on the PATH: no retry, fallback", async () => {
    const { directory, env } = openTestScope();
    const failure = await failureOf(
      createClient({ policies: false, env: { ...env, PATH: directory } }).run("claude", { prompt: "Hi" }),
    );
    expect(failure).toMatchObject({ category: "not_found", code: "cli-missing", shouldRetry: false, shouldFallback: true });
  });

  test("R103 configuration: no retry, no fallback, unless the system was only short of room", () => {
    const guidance = { shouldRetry: false, shouldFallback: false };
    expectEveryCode("configuration", guidance, ["start-failed"]);
    expectRecorded("bad-flag", "configuration", guidance);
    expectRecorded("bypass-as-root-refused", "configuration", guidance);
    expect(createFailure("start-failed", "EAGAIN")).toMatchObject({ shouldRetry: true, shouldFallback: false });
  });

  test("R104 unknown: no retry, fallback", () => {
    const guidance = { shouldRetry: false, shouldFallback: true };
    expectEveryCode("unknown", guidance);
    expectRecorded("killed-sigkill", "unknown", guidance);
  });
});

/** Expects that every failure of the category has this guidance, whatever its code. */
function expectEveryCode(category: FailureCategory, guidance: Guidance, except: readonly FailureCode[] = []): void {
  const codes = (Object.keys(FAILURE_CODES) as FailureCode[]).filter((code) => FAILURE_CODES[code].category === category);
  expect(codes).toEqual(expect.arrayContaining([...except]));
  expect(codes.length).toBeGreaterThan(except.length);
  for (const code of codes.filter((candidate) => !except.includes(candidate))) {
    expect(createFailure(code, "Something happened."), code).toMatchObject({ category, ...guidance });
  }
}

/** Expects that the recorded failure of the real CLI has this category and guidance. */
function expectRecorded(name: string, category: FailureCategory, guidance: Guidance): void {
  expect(resultOf(name).failure, name).toMatchObject({ category, ...guidance });
}
