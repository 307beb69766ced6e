import { expect, it } from "vitest";
import { anthropicError, chatError, type FakeAnswer, responsesError } from "../../src/testing/index.ts";
import { builtInCodexAt } from "../support/real-clis/rows/codex.ts";
import { describeClaudeRetries } from "./matrix/describe-claude-retries.ts";
import { eventsOf, openRealCli } from "./open-real-cli.ts";
import { withPolicies } from "./with-policies.ts";

const PROMPT = { prompt: "Hello" };
const HALF = "Half an answer that is cut in the middle";
const RESET: FakeAnswer = { kind: "cut" };

describeClaudeRetries();

it("a stream of real claude that breaks in the middle of its text is repeated by Claude Code, and by nobody else", async () => {
  const cli = await openRealCli("claude", [
    { kind: "stall", afterText: HALF },
    { kind: "text", text: "A whole answer." },
  ]);
  let text = "";
  const run = await cli.run(PROMPT, {
    client: withPolicies([cli]),
    onEvent(event) {
      if (event.type === "text-delta") text += event.text;
      if (text === HALF) cli.api.cutConnections();
    },
  });
  expect(run.result).toMatchObject({ text: "A whole answer.", finish: "stop" });
  expect(eventsOf(run, "retry")).toEqual([]);
  expect(cli.api.modelRequests).toHaveLength(2);
});

it("an agent of real claude keeps its own retries, and they count as Coxswain's", async () => {
  const cli = await openRealCli("claude", anthropicError("overloaded_error"));
  const run = await cli.run({ ...PROMPT, mode: "agent", cwd: cli.workspace }, { client: withPolicies([cli]) });
  expect(run.failure).toMatchObject({ code: "overloaded" });
  expect(cli.api.modelRequests).toHaveLength(3);
  expect(eventsOf(run, "upstream-retry").map(({ by }) => by)).toEqual(["cli", "cli"]);
  expect(eventsOf(run, "retry")).toEqual([]);
});

it("an agent of real claude survives an overload after its tool has run", async () => {
  const cli = await openRealCli("claude", [
    { kind: "tool-calls", calls: [{ name: "Bash", input: { command: "true", description: "Runs a command" } }] },
    anthropicError("overloaded_error"),
    { kind: "text", text: "Done." },
  ]);
  const request = { ...PROMPT, mode: "agent", cwd: cli.workspace, permissions: { mode: "bypass" } } as const;
  const run = await cli.run(request, { client: withPolicies([cli]) });
  expect(run.result).toMatchObject({ text: "Done.", toolCalls: [{ name: "Bash" }] });
  expect(cli.api.modelRequests).toHaveLength(3);
});

it("a wait that the service of a real claude agent states ends the run at once if it is longer than maxWaitMs", async () => {
  const cli = await openRealCli("claude", anthropicError("rate_limit_error", "Later.", { retryAfterSeconds: 50 }));
  const request = { ...PROMPT, mode: "agent", cwd: cli.workspace, maxWaitMs: 5_000 } as const;
  const run = await cli.run(request, { client: withPolicies([cli]) });
  expect(run.failure).toMatchObject({ code: "rate-limited" });
  // Claude Code 2.1.326 adds up to a quarter to the wait that the service states (60 runs: 50.1 to 62.4 s); earlier versions added nothing.
  expect(run.failure?.retryAfterMs).toBeGreaterThanOrEqual(50_000);
  expect(run.failure?.retryAfterMs).toBeLessThanOrEqual(62_500);
  expect(cli.api.modelRequests).toHaveLength(1);
});

it("real copilot sends six requests, and Coxswain repeats none of them", async () => {
  const cli = await openRealCli("copilot", RESET);
  const run = await cli.run(PROMPT, { client: withPolicies([cli]) });
  expect(run.failure).toMatchObject({ category: "network" });
  expect(cli.api.modelRequests).toHaveLength(6);
  expect(eventsOf(run, "upstream-retry")).toHaveLength(5);
  expect(eventsOf(run, "retry")).toEqual([]);
});

it("real codex with its built-in service sends six requests for a rate limit, and Coxswain repeats none of them", async () => {
  const cli = await openRealCli("codex", responsesError("rate_limit_exceeded"));
  const provider = builtInCodexAt(cli.api.url);
  const run = await cli.run(PROMPT, { client: withPolicies([{ ...cli, provider }]) });
  expect(run.failure).toMatchObject({ code: "rate-limited" });
  expect(cli.api.modelRequests).toHaveLength(6);
  expect(eventsOf(run, "upstream-retry")).toHaveLength(5);
  expect(eventsOf(run, "retry")).toEqual([]);
});

it("real grok-vibe sends three requests for a rate limit, and Coxswain repeats none of them", async () => {
  const cli = await openRealCli("grok-vibe", chatError("rate_limit_exceeded"));
  const run = await cli.run(PROMPT, { client: withPolicies([cli]) });
  expect(run.failure).toMatchObject({ code: "rate-limited" });
  expect(cli.api.modelRequests).toHaveLength(3);
  expect(eventsOf(run, "retry")).toEqual([]);
});
