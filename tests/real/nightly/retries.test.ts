import { expect, it } from "vitest";
import { describeClaudeRetries, OTHER_FAILURES } from "../matrix/describe-claude-retries.ts";
import { eventsOf, openRealCli } from "../open-real-cli.ts";
import { withPolicies } from "../with-policies.ts";

describeClaudeRetries(OTHER_FAILURES);

// These CLIs repeat a request for more than a minute, and print nothing about it.
it.each([
  ["opencode", {}, 6],
  ["qwen", {}, 7],
  ["gemini", { mode: "agent" }, 10],
] as const)(
  "real %s (%j) repeats a request by itself, and Coxswain does not: %i in all",
  { timeout: 400_000 },
  async (...row) => {
    const [name, settings, requests] = row;
    const cli = await openRealCli(name, { kind: "http-error", status: 500 });
    const cwd = "mode" in settings ? { cwd: cli.workspace } : {};
    const timeouts = { firstEventMs: 350_000, idleMs: 350_000 };
    const run = await cli.run({ prompt: "Hello", ...settings, ...cwd, timeouts }, { client: withPolicies([cli]) });
    expect(run.failure).toMatchObject({ category: "server" });
    expect(cli.api.modelRequests).toHaveLength(requests);
    expect(eventsOf(run, "retry")).toEqual([]);
  },
);
