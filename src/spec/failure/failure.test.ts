import { expect, it } from "vitest";
import { createFailure, failureSentences } from "./failure.ts";

it("a code and a line make a complete failure", () => {
  expect(createFailure("rate-limited", "Too many requests.")).toEqual({
    category: "rate_limit",
    code: "rate-limited",
    message: "Too many requests.",
    hint: "Retry in a moment.",
    shouldRetry: true,
    shouldFallback: false,
    replyStatus: 429,
    evidence: {},
  });
});

it("a code that differs from its category brings its own traits and keeps the others", () => {
  expect(createFailure("session-unknown", "Gone.")).toMatchObject({
    category: "not_found",
    shouldRetry: false,
    shouldFallback: false,
    replyStatus: 404,
  });
  expect(createFailure("start-failed", "EAGAIN.")).toMatchObject({
    category: "configuration",
    shouldRetry: true,
    replyStatus: 500,
  });
});

it("hint and traits of the caller take precedence over the tables", () => {
  const details = { hint: "Call support.", shouldRetry: true, replyStatus: 418, retryAfterMs: 1_500, fixCommand: "fix it" };
  expect(createFailure("quota-exhausted", "Spent.", details)).toMatchObject({
    ...details,
    category: "quota",
    shouldFallback: true,
  });
});

it("evidence is kept as it was given", () => {
  const evidence = { exitCode: 1, stderrTail: "line one\nline two\n" };
  expect(createFailure("crashed", "It died.", { evidence }).evidence).toEqual(evidence);
});

it("line breaks, tabs and runs of blanks in a message become one blank, and its ends are trimmed", () => {
  expect(createFailure("crashed", "  one\r\ntwo\n\n\tthree    four\u2028five \n").message).toBe("one two three four five");
});

it("a message of 600 characters stays whole", () => {
  const message = "m".repeat(600);
  expect(createFailure("crashed", message).message).toBe(message);
  expect(createFailure("crashed", `\n${message}\n`).message).toBe(message);
});

it("a longer message is cut to 600 characters, ending with an ellipsis", () => {
  expect(createFailure("crashed", "m".repeat(601)).message).toBe(`${"m".repeat(599)}…`);
  expect(createFailure("crashed", "m".repeat(100_000)).message).toHaveLength(600);
});

it("two failures share no evidence object", () => {
  expect(createFailure("crashed", "One.").evidence).not.toBe(createFailure("crashed", "Two.").evidence);
});

it("a failure survives JSON", () => {
  const failure = createFailure("idle-timeout", "Silent.", {
    partialText: "So far",
    evidence: { signal: "SIGTERM", event: { a: [1] } },
  });
  expect(JSON.parse(JSON.stringify(failure))).toEqual(failure);
});

it.each([
  ["Credit balance is too low", "Add credit.", "Credit balance is too low. Add credit."],
  ["The token is wrong.", "Send the token.", "The token is wrong. Send the token."],
  ["Are you logged in?", "Log in.", "Are you logged in? Log in."],
  ["Not logged in", "", "Not logged in"],
])("%s | %s", (message, hint, sentences) => {
  expect(failureSentences({ message, hint })).toBe(sentences);
});
