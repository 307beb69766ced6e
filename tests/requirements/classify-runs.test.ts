import { describe, expect, onTestFinished, test } from "vitest";
import { codex } from "../../src/clis/codex/provider.ts";
import { createClient, type Failure } from "../../src/index.ts";
import type { Provider } from "../../src/provider.ts";
import { createFakeCli, type FakeStep } from "../../src/testing/index.ts";
import { fakeClaude, INIT, print, resultLine } from "../support/clis/fake-claude.ts";
import { failureOf } from "../support/runs/run-expectations.ts";
import { openTestScope } from "../support/test-scope.ts";

const READ: FakeStep = { do: "read", what: "line" };
const EXIT: FakeStep = { do: "exit", code: 1 };
const USAGE_LIMIT =
  "You’ve hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro), visit https://chatgpt.com/settings/usage to purchase more credits or try again at 7:04 PM.";

describe("when to come back after a run that failed", () => {
  test("R122 the clock time of Codex's usage limit is the next such time on the clock of this host", async () => {
    const before = Date.now();
    const failure = await failureOfCodex(USAGE_LIMIT);
    expect(failure).toMatchObject({ category: "quota", code: "quota-exhausted" });
    const opensAt = new Date(failure.resetAt ?? "");
    expect([opensAt.getHours(), opensAt.getMinutes(), opensAt.getSeconds()]).toEqual([19, 4, 0]);
    expect(opensAt.getTime() - before).toBeGreaterThan(0);
    // The day on which daylight saving time ends has 25 hours.
    expect(opensAt.getTime() - before).toBeLessThan(25 * 3_600_000 + 60_000);
    expect(failure.retryAfterMs).toBeLessThanOrEqual(opensAt.getTime() - before);
  });

  test("R122 a stated wait is a wait; for quota it is a time too", async () => {
    const limited = await failureOfCodex("rate limit exceeded: Rate limit reached. Please try again in 1.5s.");
    expect(limited).toMatchObject({ code: "rate-limited", retryAfterMs: 1_500 });
    expect(limited).not.toHaveProperty("resetAt");
    const before = Date.now();
    const spent = await failureOfCodex("You’ve hit your usage limit. Try again in 2 hours.");
    expect(spent).toMatchObject({ code: "quota-exhausted", retryAfterMs: 7_200_000 });
    expect(Date.parse(spent.resetAt ?? "")).toBeGreaterThanOrEqual(before + 7_200_000);
  });

  test("R121 a run's rate limit without a stated time has the default wait, marked as such", async () => {
    const failure = await failureOfCodex("exceeded retry limit, last status: 429 Too Many Requests");
    expect(failure).toMatchObject({ code: "rate-limited", retryAfterMs: 1000, retryAfterIsDefault: true });
  });

  test("R122 model text and tool output state no time", async () => {
    const said = {
      type: "assistant",
      message: { id: "m", role: "assistant", content: [{ type: "text", text: "Retry after 9 s." }] },
    };
    const failed = resultLine("API Error: Request rejected (429) · slow down", { is_error: true, api_error_status: 429 });
    const failure = await failureOf(fakeClaude([READ, print(INIT), print(said), print(failed), EXIT]).run());
    expect(failure).toMatchObject({ code: "rate-limited", retryAfterIsDefault: true });
  });

  test("R122 a line of stderr beside the one that names the limit may state the time", async () => {
    const stderr: FakeStep = { do: "write", text: "Please retry in 4s.\nError: too many requests\n", to: "stderr" };
    expect(await failureOf(fakeClaude([READ, stderr, EXIT]).run())).toMatchObject({ code: "rate-limited", retryAfterMs: 4_000 });
    const calm: FakeStep = { do: "write", text: "Will retry in 4s.\nError: disk is full\n", to: "stderr" };
    expect(await failureOf(fakeClaude([READ, calm, EXIT]).run())).not.toHaveProperty("retryAfterMs");
  });
});

describe("what words mean in a run", () => {
  test("R102 a program that runs is not missing, whatever file or command its words miss", async () => {
    for (const words of [
      "Error: ENOENT: no such file or directory, open 'x'",
      "sh: 1: rg: not found",
      "Error: spawn rg ENOENT",
    ]) {
      const stderr: FakeStep = { do: "write", text: `${words}\n`, to: "stderr" };
      expect((await failureOf(fakeClaude([READ, stderr, EXIT]).run())).code, words).toBe("unclassified");
    }
  });

  test("R101 the name of a signal in the output of a process is no timeout", async () => {
    const stderr: FakeStep = { do: "write", text: "Error: got SIGTERM, leaving\n", to: "stderr" };
    expect((await failureOf(fakeClaude([READ, stderr, { do: "die", signal: "SIGTERM" }]).run())).code).toBe("crashed");
  });

  test("R102 an unknown model comes with the command that shows the known ones", async () => {
    const failure = await failureOfCodex("The model `nope` does not exist or you do not have access to it.");
    expect(failure).toMatchObject({ code: "model-unknown", fixCommand: "cox models codex" });
    const none = await failureOfCodex("The model `nope` does not exist or you do not have access to it.", { models: [] });
    expect(none).not.toHaveProperty("fixCommand");
  });
});

/** The failure of a run in which Codex reports an error with this message. */
async function failureOfCodex(message: string, changes: Partial<Provider> = {}): Promise<Failure> {
  const failed: FakeStep = { do: "print", value: { type: "turn.failed", error: { message } } };
  const cli = createFakeCli([{ do: "read", what: "all" }, { do: "print", value: { type: "turn.started" } }, failed, EXIT]);
  const { env } = openTestScope();
  const client = createClient({ policies: false, providers: [{ ...cli.as(codex), ...changes }], env });
  onTestFinished(async () => {
    await client.close();
    cli.remove();
  });
  return failureOf(client.run("codex", { prompt: "Say something." }));
}
