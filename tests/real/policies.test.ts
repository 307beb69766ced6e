import { expect, it } from "vitest";
import { anthropicError, type FakeAnswer, responsesError } from "../../src/testing/index.ts";
import { eventsOf, openRealCli } from "./open-real-cli.ts";
import { withPolicies } from "./with-policies.ts";

const PROMPT = { prompt: "Hello" };
const ANSWER: FakeAnswer = { kind: "text", text: "Here I am." };
const UNKNOWN_WORDS: FakeAnswer = { kind: "http-error", status: 503, body: { error: { code: 503, message: "Busy." } } };

it.each([
  ["claude", anthropicError("overloaded_error"), "overloaded"],
  ["codex", responsesError("server_error"), "server-error"],
  // Its error text has no status; its exit code has.
  ["gemini", UNKNOWN_WORDS, "server-error"],
] as const)("real %s is retried after a server error, and its answer counts", async (name, error, code) => {
  const cli = await openRealCli(name, [error, ANSWER]);
  const run = await cli.run(PROMPT, { client: withPolicies([cli]) });
  expect(run.result).toMatchObject({ text: "Here I am.", attempts: [{ provider: name, failure: { code } }, { provider: name }] });
  expect(eventsOf(run, "retry")).toMatchObject([{ attempt: 1, failure: { category: "server", code } }]);
  expect(cli.api.modelRequests).toHaveLength(2);
});

it("when the credit of real claude is used up real codex answers, and claude is not started again", async () => {
  const claude = await openRealCli("claude", anthropicError("credit_balance_too_low"));
  const codex = await openRealCli("codex", ANSWER);
  const client = withPolicies([codex, claude]);
  const first = await client.run(["claude", "codex"], PROMPT).result();
  expect(first).toMatchObject({
    text: "Here I am.",
    attempts: [{ provider: "claude", failure: { code: "quota-exhausted" } }, { provider: "codex" }],
  });
  const asked = claude.api.modelRequests.length;
  expect(await client.run(["claude", "codex"], PROMPT).result()).toMatchObject({ text: "Here I am." });
  expect(claude.api.modelRequests).toHaveLength(asked);
  expect(codex.api.modelRequests).toHaveLength(2);
});

it("the usage limit of real codex is remembered until its reset, also by other clients", async () => {
  const cli = await openRealCli("codex", responsesError("usage_limit_reached"));
  const { failure } = await cli.run(PROMPT, { client: withPolicies([cli]) });
  expect(failure).toMatchObject({ category: "quota", resetAt: expect.any(String) });
  const asked = cli.api.modelRequests.length;
  const other = withPolicies([cli]);
  expect(other.spentQuotas()).toMatchObject([{ provider: "codex", resetAt: failure?.resetAt }]);
  expect((await other.run("codex", PROMPT).outcome()).failure).toMatchObject({
    code: "quota-exhausted",
    resetAt: failure?.resetAt,
  });
  expect(cli.api.modelRequests).toHaveLength(asked);
});

it("a persistent rate limit of real claude leads to real codex after the retries", async () => {
  const claude = await openRealCli("claude", anthropicError("rate_limit_error"));
  const codex = await openRealCli("codex", ANSWER);
  const client = withPolicies([codex, claude], { retry: { retries: 1, firstDelayMs: 10 } });
  const { text, attempts } = await client.run(["claude", "codex"], PROMPT).result();
  expect(text).toBe("Here I am.");
  expect(attempts?.map(({ provider, failure }) => [provider, failure?.code])).toEqual([
    ["claude", "rate-limited"],
    ["claude", "rate-limited"],
    ["codex", undefined],
  ]);
});
