import { expect, it } from "vitest";
import type { FailureCode } from "../../../src/spec/failure/failure-codes.ts";
import { anthropicError, type FakeAnswer } from "../../../src/testing/index.ts";
import { eventsOf, openRealCli } from "../open-real-cli.ts";
import { withPolicies } from "../with-policies.ts";

const FAILURES: Readonly<Record<string, readonly [FakeAnswer, FailureCode]>> = {
  "status 500": [anthropicError("api_error"), "server-error"],
  "status 503": [{ kind: "http-error", status: 503 }, "server-error"],
  "status 529": [anthropicError("overloaded_error"), "overloaded"],
  "status 429": [anthropicError("rate_limit_error"), "rate-limited"],
  "a connection that is reset before the first byte": [{ kind: "cut" }, "connection-lost"],
};

/** The failures of every run. */
const EVERY_TIME: readonly string[] = ["status 529", "a connection that is reset before the first byte"];

/** The failures that describeClaudeRetries leaves to `npm run test:real -- --all`. */
export const OTHER_FAILURES: readonly string[] = Object.keys(FAILURES).filter((what) => !EVERY_TIME.includes(what));

/** Claude Code does not repeat a request of a completion; Coxswain does. */
export function describeClaudeRetries(failures: readonly string[] = EVERY_TIME): void {
  it.each(failures)("real claude sends three requests in all for %s: Coxswain repeats them, not Claude Code", async (what) => {
    const [answer, code] = FAILURES[what] ?? [];
    const cli = await openRealCli("claude", answer);
    const run = await cli.run({ prompt: "Hello" }, { client: withPolicies([cli]) });
    expect(run.failure).toMatchObject({ code });
    expect(cli.api.modelRequests).toHaveLength(3);
    expect(eventsOf(run, "retry").map(({ by }) => by)).toEqual(["coxswain", "coxswain"]);
    expect(eventsOf(run, "upstream-retry")).toEqual([]);
  });
}
