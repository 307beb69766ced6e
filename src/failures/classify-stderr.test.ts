import { expect, it } from "vitest";
import { claude } from "../clis/claude/provider.ts";
import type { FaultRule, Provider } from "../spec/provider/provider.ts";
import { classifyEnding, classifyFault, type Ending } from "./classify.ts";

const HELP = Array.from({ length: 300 }, (_, index) => `  --option-${index}  does something that cannot fail`).join("\n");

it("each rule is tried on all lines of stderr before the next rule", () => {
  const rules: readonly FaultRule[] = [
    { text: /daily quota/, code: "quota-exhausted" },
    { text: /exceeded your current quota/, code: "rate-limited" },
  ];
  const lines = ["You have exhausted your daily quota.", "cause: You exceeded your current quota", "Error: failed"];
  for (const stderr of [lines, lines.toReversed()]) {
    expect(classifyEnding(withRules(rules), failed(stderr.join("\n")))).toMatchObject({
      code: "quota-exhausted",
      message: "You have exhausted your daily quota.",
    });
  }
});

it("of several lines that match a rule the last one is the message", () => {
  const rules: readonly FaultRule[] = [{ text: /^attempt/, code: "server-error" }];
  expect(classifyEnding(withRules(rules), failed("attempt 1\nattempt 2\nError: gave up\n"))).toMatchObject({
    code: "server-error",
    message: "attempt 2",
  });
});

it("an error line before pages of help is found, although the tail of stderr does not contain it", () => {
  const rules: readonly FaultRule[] = [{ text: /^Unknown argument/, code: "unknown-option" }];
  const ending = { ...failed(HELP.slice(-8_192)), stderrHead: `Unknown argument: frob\n${HELP}`.slice(0, 4_096) };
  expect(classifyEnding(withRules(rules), ending)).toMatchObject({ code: "unknown-option", message: "Unknown argument: frob" });
  expect(classifyEnding(withRules(rules), failed(HELP.slice(-8_192))).code).toBe("unclassified");
});

it("a rule matches a line with colours and blanks around it", () => {
  const rules: readonly FaultRule[] = [{ text: /^Session not found$/, code: "session-unknown" }];
  expect(classifyEnding(withRules(rules), failed("\u001b[31m  Session not found \u001b[0m\r\nbye\r\n")).code).toBe(
    "session-unknown",
  );
});

it("lines that match the provider's noise are ignored", () => {
  const rules: readonly FaultRule[] = [{ text: /fetch failed/, code: "connection-failed" }];
  const provider = { ...withRules(rules), stderrNoise: /^Error executing tool/ };
  const stderr = "started\nError executing tool web_fetch: fetch failed, HTTP 401\n";
  expect(classifyEnding(provider, failed(stderr))).toMatchObject({
    code: "unclassified",
    message: "started",
  });
  expect(classifyEnding(withRules(rules), failed(stderr)).code).toBe("connection-failed");
});

it("without a matching rule the shared patterns are tried on the error line only", () => {
  expect(classifyEnding(withRules([]), failed("the rate limit is 5\nError: odd\n"))).toMatchObject({
    code: "unclassified",
    message: "Error: odd",
  });
});

it("a rule may require an exit code, with or without a text", () => {
  const rules: readonly FaultRule[] = [
    { exitCode: 42, text: /drawer/, code: "session-unknown" },
    { exitCode: 42, code: "bad-request" },
    { exitCode: 53, code: "turn-limit" },
  ];
  const code = (ending: Ending): string => classifyEnding(withRules(rules), ending).code;
  expect(code({ exitCode: 42, stderrTail: "no such drawer\n" })).toBe("session-unknown");
  expect(code({ exitCode: 42, stderrTail: "no input\n" })).toBe("bad-request");
  expect(code({ exitCode: 41, stderrTail: "no such drawer\n" })).toBe("unclassified");
  expect(code({ signal: "SIGTERM", stderrTail: "no such drawer\n" })).toBe("crashed");
  expect(classifyEnding(withRules(rules), { exitCode: 53, stderrTail: "" })).toMatchObject({
    code: "turn-limit",
    message: "Claude Code ended with exit code 53 without an answer.",
  });
});

it("a rule with an exit code matches a reported fault only after that exit", () => {
  const provider = withRules([{ exitCode: 41, code: "not-logged-in" }]);
  expect(classifyFault(provider, { message: "odd" }, { stderrTail: "" }).code).toBe("unclassified");
  expect(classifyFault(provider, { message: "odd" }, { exitCode: 41, stderrTail: "" }).code).toBe("not-logged-in");
});

it("a rule for exit code 0 does not match a successful exit", () => {
  expect(classifyEnding(withRules([{ exitCode: 0, code: "refused" }]), { exitCode: 0, stderrTail: "" }).code).toBe(
    "no-terminal-event",
  );
});

it("the message of a rule replaces that of the CLI", () => {
  const message = "The CLI printed its help instead of running.";
  const rules: readonly FaultRule[] = [{ text: /^--option-\d+ {2}/, code: "unknown-option", message }];
  expect(classifyEnding(withRules(rules), failed(HELP))).toMatchObject({ code: "unknown-option", message });
  expect(classifyFault(withRules(rules), { message: "--option-1  x" }, { stderrTail: "" })).toMatchObject({ message });
});

it("the wait of a fault is in the failure, with or without a matching rule", () => {
  const times = { retryAfterMs: 2_100, resetAt: "2026-11-16T00:00:00.000Z" };
  for (const message of ["Too many requests", "odd"]) {
    expect(classifyFault(withRules([]), { message, ...times }, { stderrTail: "" })).toMatchObject(times);
  }
  const without = classifyFault(withRules([]), { message: "Too many requests" }, { stderrTail: "" });
  expect(without).not.toHaveProperty("retryAfterMs");
  expect(without).not.toHaveProperty("resetAt");
});

it("a message on stderr may have several lines", () => {
  const body =
    '{\n  "error": {\n    "code": 429,\n    "message": "No capacity available for model x",\n    "status": "RESOURCE_EXHAUSTED"\n  }\n}';
  const wrapped =
    "You have reached your weekly limit. Please wait for it to reset on April 20 or switch to\nanother model to continue.";
  expect(classifyEnding(claude, { exitCode: 1, stderrTail: `Attempt failed:\n${body}\nbye\n` }).code).toBe("overloaded");
  expect(classifyEnding(claude, { exitCode: 1, stderrTail: wrapped }).code).toBe("quota-exhausted");
});

it("what is beside the run does not outweigh its own error", () => {
  const stderrTail = "MCP server 'x' failed: connect ECONNREFUSED\nError: 401 Unauthorized\nplugin y: fetch failed\n";
  expect(classifyEnding(claude, { exitCode: 1, stderrTail }).code).toBe("not-logged-in");
});

it("a line that quotes an error names no failure", () => {
  for (const line of [
    "src/limits.ts:12: // rate limit reached",
    'console.error("quota exceeded");',
    "Fixed a wrong usage limit",
  ]) {
    expect(classifyEnding(claude, { exitCode: 1, stderrTail: line })).toMatchObject({ code: "unclassified", message: line });
  }
});

it("a shell that does not find the CLI itself says that it is missing", () => {
  for (const stderrTail of ["zsh: command not found: claude", "/bin/sh: 1: claude: not found", "spawn /usr/bin/claude ENOENT"]) {
    expect(classifyEnding(claude, { exitCode: 1, stderrTail }).code).toBe("cli-missing");
  }
});

function withRules(faults: readonly FaultRule[]): Provider {
  return { ...claude, faults };
}

function failed(stderrTail: string): Ending {
  return { exitCode: 1, stderrTail };
}
