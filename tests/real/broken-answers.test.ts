import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../src/spec/wire/events.ts";
import type { FakeAnswer } from "../../src/testing/index.ts";
import { eventsOf, openRealCli } from "./open-real-cli.ts";

const HALF = "Half an answer";

describe.each(["claude", "codex"] as const)("the broken answers of real %s's model", (name) => {
  /** Codex prints nothing of an incomplete message. */
  const heard = name === "claude" ? { partialText: HALF } : {};

  it(`${name} that cannot reach the model has a network failure`, async () => {
    const cli = await openRealCli(name);
    await cli.api.close();
    const run = await cli.run({ prompt: "Hello" });
    expect(run.failure).toMatchObject({
      category: "network",
      code: "connection-failed",
      shouldRetry: true,
      shouldFallback: true,
    });
  });

  it.each<{ when: string; answer: FakeAnswer }>([
    { when: "before the answer begins", answer: { kind: "cut" } },
    { when: "in the middle of it", answer: { kind: "cut", afterText: HALF } },
  ])(`${name} loses its connection $when`, async ({ answer }) => {
    const cli = await openRealCli(name, answer);
    const run = await cli.run({ prompt: "Hello" });
    expect(run.failure).toMatchObject({ category: "network", code: "connection-lost", shouldRetry: true, shouldFallback: true });
    // Text that arrives together with the cut is lost in some runs.
    expect(HALF.startsWith(run.failure?.partialText ?? "")).toBe(true);
  });

  it.each<{ what: string; answer: FakeAnswer }>([
    { what: "a web page", answer: { kind: "garbage", body: "<html><body>Log in to the hotel network</body></html>" } },
    { what: "a stream that is none", answer: { kind: "garbled-stream" } },
  ])(`${name} that gets $what instead of an answer fails for a reason that is worth a retry`, async ({ answer }) => {
    const cli = await openRealCli(name, answer);
    const run = await cli.run({ prompt: "Hello" });
    // Codex says only that the stream ended before its terminal event.
    const code = name === "codex" ? "connection-lost" : "upstream-garbled";
    expect(run.failure).toMatchObject({ code, shouldRetry: true, shouldFallback: true });
    expect(run.failure).not.toHaveProperty("partialText");
    expect(eventsOf(run, "text-delta")).toEqual([]);
  });

  it(`a silent model makes ${name} end by our idle timeout, not by its own`, async () => {
    const cli = await openRealCli(name, { kind: "stall", afterText: HALF });
    const run = await cli.run({ prompt: "Hello", timeouts: { idleMs: 5_000 } });
    expect(run.failure).toMatchObject({ category: "timeout", code: "idle-timeout", ...heard });
    expect(cli.api.modelRequests).toHaveLength(1);
  });

  it(`a refusal of ${name}'s model is no answer, whatever text came before it`, async () => {
    const cli = await openRealCli(name, { kind: "refusal", text: "I would" });
    const run = await cli.run({ prompt: "Hello" });
    expect(run.failure).toMatchObject({ category: "validation", code: "refused", partialText: "I would", shouldRetry: false });
    expect(run.end).toMatchObject({ finish: "error" });
  });

  it(`a refusal of ${name}'s model without text is the same failure`, async () => {
    const cli = await openRealCli(name, { kind: "refusal" });
    const run = await cli.run({ prompt: "Hello" });
    expect(run.failure).toMatchObject({ category: "validation", code: "refused" });
    expect(run.failure).not.toHaveProperty("partialText");
  });

  it(`an answer of ${name}'s model that the output limit cuts is a failure with its text`, async () => {
    const cli = await openRealCli(name, { kind: "max-tokens", text: "So long" });
    const run = await cli.run({ prompt: "Hello" });
    expect(run.failure).toMatchObject({ category: "invalid_response", code: "output-truncated", partialText: "So long" });
    expect(run.end.finish).toBe("length");
  });
});

it("text of claude's model before its connection was lost is in the failure", async () => {
  const cli = await openRealCli("claude", { kind: "stall", afterText: HALF });
  let heard = "";
  const onEvent = (event: RunEvent): void => {
    if (event.type === "text-delta") heard += event.text;
    if (heard === HALF) void cli.api.close();
  };
  const run = await cli.run({ prompt: "Hello" }, { onEvent });
  expect(run.failure).toMatchObject({ category: "network", partialText: HALF });
});

it("the text of claude's model after an error in its stream is the answer, and earlier text is reset", async () => {
  const error = { code: "overloaded_error", message: "Overloaded" };
  const cli = await openRealCli("claude", [
    { kind: "stream-error", afterText: HALF, error },
    { kind: "text", text: "A whole answer." },
  ]);
  const run = await cli.run({ prompt: "Hello" });
  expect(run.result.text).toBe("A whole answer.");
  const said = eventsOf(run, "text-delta");
  expect(said.map((event) => event.text).join("")).toBe(`${HALF}A whole answer.`);
  expect(eventsOf(run, "text-reset")).toMatchObject([{ messageId: said[0]?.messageId }]);
  expect(run.end.answerId).toBe(said.at(-1)?.messageId);
});

it("an overload in the middle of claude's stream is reported as overloaded", async () => {
  const error = { code: "overloaded_error", message: "Overloaded" };
  const cli = await openRealCli("claude", { kind: "stream-error", error });
  const run = await cli.run({ prompt: "Hello", env: { CLAUDE_CODE_MAX_RETRIES: "0" } });
  expect(run.failure).toMatchObject({ category: "server", code: "overloaded" });
});

it("a cut call of claude is reset when the model sends other text", async () => {
  const begun = { kind: "stall", afterText: HALF, afterCall: { name: "Bash", input: '{"command":"touch ma' } } as const;
  const cli = await openRealCli("claude", [begun, { kind: "text", text: "A whole answer." }]);
  let input = "";
  const onEvent = (event: RunEvent): void => {
    if (event.type === "tool-input-delta") input += event.delta;
    if (input !== begun.afterCall.input) return;
    input = "";
    cli.api.cutConnections();
  };
  const request = { prompt: "Do it.", mode: "agent", cwd: cli.workspace, permissions: { mode: "bypass" } } as const;
  const run = await cli.run(request, { onEvent });
  expect(run.result).toMatchObject({ text: "A whole answer.", toolCalls: [] });
  const started = eventsOf(run, "tool-start");
  expect(eventsOf(run, "tool-reset").map(({ id }) => id)).toEqual(started.map(({ id }) => id));
  expect(started).toHaveLength(1);
});
