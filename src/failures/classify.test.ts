import { expect, it } from "vitest";
import { claude } from "../clis/claude/provider.ts";
import type { FaultRule, Provider } from "../spec/provider/provider.ts";
import type { Fault } from "../spec/wire/wire.ts";
import { classifyEnding, classifyFault, type Ending } from "./classify.ts";

const QUIET: Ending = { stderrTail: "" };
const SECRET = "sk-ant-api03-Ab3dEf6hIj9kLm2nOp5q";

it("a rule of the provider takes precedence over the shared patterns", () => {
  const fault = { message: "HTTP 429: too many requests", status: 429 };
  expect(codeOf(fault, [])).toBe("rate-limited");
  expect(codeOf(fault, [{ status: 429, code: "quota-exhausted" }])).toBe("quota-exhausted");
  expect(codeOf(fault, [{ text: /too many/, code: "overloaded" }])).toBe("overloaded");
});

it("words outweigh a rule with a kind or a status, a rule with a text outweighs words", () => {
  const fault = { message: "You're out of extra usage · resets 7pm", kind: "invalid_request", status: 400 };
  expect(codeOf(fault, [{ kind: "invalid_request", code: "bad-request" }])).toBe("quota-exhausted");
  expect(codeOf(fault, [{ status: 400, code: "bad-request" }])).toBe("quota-exhausted");
  expect(codeOf(fault, [{ text: /extra usage/, code: "refused" }])).toBe("refused");
  // Only the CLI knows that its turns are used up.
  expect(codeOf(fault, [{ kind: "invalid_request", code: "turn-limit" }])).toBe("turn-limit");
  expect(codeOf({ message: "Model not found: x", kind: "UnknownError" }, [{ kind: "UnknownError", code: "unclassified" }])).toBe(
    "model-unknown",
  );
});

it("a program that was not found is missing only if the shell says so by its exit code", () => {
  const stderrTail = "Failed to spawn: spawn /usr/bin/x ENOENT";
  expect(classifyEnding(claude, { exitCode: 127, stderrTail }).code).toBe("cli-missing");
  expect(classifyEnding(claude, { exitCode: 1, stderrTail }).code).not.toBe("cli-missing");
});

it("the last error line that means something names the failure; stack frames and warnings do not", () => {
  const stderrTail =
    "Error: 401 Unauthorized\n    at throwErrorIfNotOk (x.js:1)\nAn error: [object Object]\nWarning: fetch failed\n";
  expect(classifyEnding(claude, { exitCode: 1, stderrTail })).toMatchObject({
    code: "not-logged-in",
    message: "Error: 401 Unauthorized",
  });
});

it("the first rule whose conditions all hold is used", () => {
  const rules: readonly FaultRule[] = [
    { kind: "auth", status: 403, code: "access-denied" },
    { kind: "auth", text: /expired/, code: "bad-request" },
    { kind: "auth", code: "not-logged-in" },
    { status: 403, code: "refused" },
  ];
  expect(codeOf({ message: "no", kind: "auth", status: 403 }, rules)).toBe("access-denied");
  expect(codeOf({ message: "it has expired", kind: "auth", status: 401 }, rules)).toBe("bad-request");
  expect(codeOf({ message: "no", kind: "auth" }, rules)).toBe("not-logged-in");
  expect(codeOf({ message: "no", kind: "other", status: 403 }, rules)).toBe("refused");
});

it("the hint and the command come from the rule, or else from the table of codes", () => {
  const rules = [{ kind: "k", code: "cli-misconfigured", hint: "Do this.", fixCommand: "fix --it" }] as const;
  expect(classifyFault(providerWith(rules), { message: "m", kind: "k" }, QUIET)).toMatchObject({
    hint: "Do this.",
    fixCommand: "fix --it",
  });
  expect(classifyFault(providerWith([]), { message: "m" }, QUIET)).not.toHaveProperty("fixCommand");
});

it("a not-logged-in failure has the provider's login command, unless the rule has another one", () => {
  const fault = { message: "Unauthorized", status: 401 };
  expect(classifyFault(providerWith([]), fault, QUIET)).toMatchObject({ code: "not-logged-in", fixCommand: "claude auth login" });
  const rules = [{ status: 401, code: "not-logged-in", fixCommand: "other login" }] as const;
  expect(classifyFault(providerWith(rules), fault, QUIET)).toMatchObject({ fixCommand: "other login" });
});

it.each([
  [400, "bad-request"],
  [401, "not-logged-in"],
  [402, "quota-exhausted"],
  [403, "access-denied"],
  [404, "model-unknown"],
  [408, "upstream-timeout"],
  [413, "prompt-too-large"],
  [418, "bad-request"],
  [429, "rate-limited"],
  [500, "server-error"],
  [503, "server-error"],
  [529, "overloaded"],
])("status %i means %s, in a field or in an error message", (status, code) => {
  expect(codeOf({ message: "Sorry.", status }, [])).toBe(code);
  for (const words of [
    "API Error:",
    "HTTP",
    "HTTP/1.1",
    "status",
    "Status code:",
    "Request failed with status code",
    "status (",
  ]) {
    expect(codeOf({ message: `${words} ${status} oops`.replace("( ", "(") }, []), words).toBe(code);
  }
});

it("status 504 is a timeout in a field, and a server error in a message", () => {
  expect(codeOf({ message: "Sorry.", status: 504 }, [])).toBe("upstream-timeout");
  expect(codeOf({ message: "HTTP 504: sorry." }, [])).toBe("server-error");
});

it.each([
  "Wrote 400 lines",
  "line 404",
  "took 500 ms",
  "exit 429 files",
  "port 503 is open",
  "commit 4291529",
  "HTTP 4290",
  "status 200",
  "API Errors: 500 so far",
  "v4.0.1 on 401k",
  "",
])("%j has no meaning", (message) => {
  expect(codeOf({ message }, [])).toBe("unclassified");
  const code = message === "" ? "no-terminal-event" : "unclassified";
  expect(classifyEnding(providerWith([]), { exitCode: 1, stderrTail: message }).code).toBe(code);
});

it.each([
  ["error: unknown option '--frobnicate'", "unknown-option"],
  ["error: unexpected argument '--frobnicate' found", "unknown-option"],
  ["You are not logged in.", "not-logged-in"],
  ["Please run /login", "not-logged-in"],
  ["Your credit balance is too low", "quota-exhausted"],
  ["insufficient_quota", "quota-exhausted"],
  ["You’ve hit your usage limit", "quota-exhausted"],
  ["Rate limit reached", "rate-limited"],
  ["rate_limit_error", "rate-limited"],
  ["Too Many Requests", "rate-limited"],
  ["read ECONNRESET", "connection-lost"],
  ["socket hang up", "connection-lost"],
  ["connect ECONNREFUSED 127.0.0.1:1", "connection-failed"],
  ["getaddrinfo ENOTFOUND api.example.com", "connection-failed"],
  ["self-signed certificate in chain", "connection-failed"],
  ["connect ETIMEDOUT", "connection-failed"],
  ["The request timed out", "upstream-timeout"],
  ["Overloaded", "rate-limited"],
  ["HTTP 503: Overloaded", "overloaded"],
])("the message %j means %s without a rule or a status", (message, code) => {
  expect(codeOf({ message }, [])).toBe(code);
  expect(classifyEnding(providerWith([]), { exitCode: 1, stderrTail: `${message}\n` }).code).toBe(code);
});

it("the status of a fault takes precedence over its message", () => {
  expect(codeOf({ message: "Overloaded, rate limit", status: 401 }, [])).toBe("not-logged-in");
});

it("an unknown fault keeps its message", () => {
  const failure = classifyFault(claude, { message: "The flux capacitor is empty" }, QUIET);
  expect(failure).toMatchObject({ category: "unknown", code: "unclassified", message: "The flux capacitor is empty" });
});

it("the last error line of stderr names the failure of a process", () => {
  const stderrTail = "warming up\nError: ECONNREFUSED first\nError: connect ETIMEDOUT\r\n  at connect (net.js:1)\n\nbye\n\n";
  expect(classifyEnding(claude, { exitCode: 1, stderrTail })).toMatchObject({
    code: "connection-failed",
    message: "Error: connect ETIMEDOUT",
  });
});

it("a process that fails with unknown words is an unknown failure with the first of them", () => {
  for (const stderrTail of ["One.\nTwo. \n\n", "Starting.\n\nOne failed.\n    at x (y.js:1)\nTwo failed.\n"]) {
    expect(classifyEnding(claude, { exitCode: 3, stderrTail })).toMatchObject({
      category: "unknown",
      code: "unclassified",
      message: expect.stringMatching(/^One(?: failed)?\.$/),
      shouldRetry: false,
      shouldFallback: true,
      evidence: { exitCode: 3 },
    });
  }
});

it("stderr of a successful process is ignored", () => {
  const failure = classifyEnding(claude, { exitCode: 0, stderrTail: "Error: rate limit\n" });
  expect(failure).toMatchObject({ code: "no-terminal-event", message: "Claude Code ended with exit code 0 without an answer." });
  expect(failure.evidence).toEqual({ exitCode: 0, stderrTail: "Error: rate limit\n" });
});

it.each<[Ending, string, string]>([
  [{ signal: "SIGKILL", stderrTail: "" }, "crashed", "was ended by SIGKILL"],
  [{ exitCode: 137, stderrTail: "" }, "crashed", "crashed with exit code 137"],
  [{ exitCode: 129, stderrTail: "" }, "crashed", "crashed with exit code 129"],
  [{ exitCode: 128, stderrTail: "" }, "no-terminal-event", "ended with exit code 128"],
  [{ exitCode: 0, stderrTail: "" }, "no-terminal-event", "ended with exit code 0"],
  [{ stderrTail: "" }, "no-terminal-event", "closed its output"],
])("an exit without stderr: %j is %s", (ending, code, words) => {
  const failure = classifyEnding(claude, ending);
  expect(failure).toMatchObject({ code, message: expect.stringContaining(words) });
  expect(failure.evidence).not.toHaveProperty("stderrTail");
});

it("a known error line takes precedence over signal and exit code", () => {
  expect(classifyEnding(claude, { signal: "SIGABRT", stderrTail: "Error: ECONNRESET\n" })).toMatchObject({
    code: "connection-lost",
    evidence: { signal: "SIGABRT" },
  });
});

it("the message and the stored stderr contain no secret", () => {
  const ending = { exitCode: 1, stderrTail: `Error: bad key ${SECRET}\n` };
  const faults = [{ message: `API Error: 401 ${SECRET}` }, { message: `odd ${SECRET}` }];
  for (const failure of [classifyEnding(claude, ending), ...faults.map((fault) => classifyFault(claude, fault, ending))]) {
    expect(JSON.stringify(failure)).not.toContain(SECRET);
    expect(failure.evidence.stderrTail).toBe("Error: bad key [redacted]\n");
  }
});

it("the error event in the evidence contains no secret at any depth", () => {
  const event = { is_error: true, num: 1, result: `API Error: 401 ${SECRET}`, errors: [{ text: `key ${SECRET}` }] };
  expect(classifyFault(claude, { message: "x", event }, QUIET).evidence).toEqual({
    event: { is_error: true, num: 1, result: "API Error: 401 [redacted]", errors: [{ text: "key [redacted]" }] },
  });
});

it("the CLI's own error event is in the evidence", () => {
  const event = { type: "result", is_error: true };
  expect(classifyFault(claude, { message: "x", event }, { exitCode: 1, stderrTail: "y" }).evidence).toEqual({
    exitCode: 1,
    stderrTail: "y",
    event,
  });
});

function providerWith(faults: readonly FaultRule[]): Provider {
  return { ...claude, faults };
}

function codeOf(fault: Fault, rules: readonly FaultRule[]): string {
  return classifyFault(providerWith(rules), fault, QUIET).code;
}
