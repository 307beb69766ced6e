import { describe, expect, test } from "vitest";
import type { FailureCode } from "../../../src/spec/failure/failure-codes.ts";
import { assistant, init, messageStart, streamedText, text } from "./lines.ts";
import { type Ending, endOf, replayTurn } from "./replay-lines.ts";

describe("output that ends without a result", () => {
  test.for<Ending & { code: FailureCode; category: string }>([
    { exitCode: 0, code: "no-terminal-event", category: "invalid_response" },
    { exitCode: 1, code: "no-terminal-event", category: "invalid_response" },
    { exitCode: 128, code: "no-terminal-event", category: "invalid_response" },
    { exitCode: 129, code: "crashed", category: "unknown" },
    { exitCode: 137, code: "crashed", category: "unknown" },
    { signal: "SIGTERM", code: "crashed", category: "unknown" },
    { signal: "SIGSEGV", code: "crashed", category: "unknown" },
  ])("is $code after exit code $exitCode or signal $signal", ({ code, category, ...ending }) => {
    const run = replayTurn([init(), assistant("m1", [text("Half.")])], ending);
    expect(endOf(run)).toStrictEqual({ type: "run-end", finish: "error", failure: { category, code } });
    expect(run.result.text).toBe("");
    expect(run.result.failure?.partialText).toBe("Half.");
    expect(run.result.failure?.evidence).toMatchObject(ending);
  });

  test("keeps text that was still being streamed as partial text", () => {
    const { result } = replayTurn([init(), messageStart("m1"), ...streamedText(0, ["Ha", "lf"])], { signal: "SIGKILL" });
    expect(result.failure?.partialText).toBe("Half");
    expect(result.text).toBe("");
  });

  test("gives one failed run when there is no output at all", () => {
    const run = replayTurn([]);
    expect(run.events).toStrictEqual([
      { type: "run-end", finish: "error", failure: { category: "invalid_response", code: "no-terminal-event" } },
    ]);
  });

  const id = "99999999-9999-4999-8999-999999999999";
  const stderrCases: readonly { readonly stderr: string; readonly code: FailureCode }[] = [
    { stderr: `No conversation found with session ID: ${id}`, code: "session-unknown" },
    { stderr: `Error: Session ID ${id} is already in use.`, code: "session-busy" },
    { stderr: "Error: Invalid session ID. Must be a valid UUID.", code: "session-invalid" },
    { stderr: "Error: --resume requires a valid session ID or session title when used with --print.", code: "session-invalid" },
    { stderr: "error: unknown option '--no-input'", code: "unknown-option" },
    {
      stderr: "error: option '--output-format <format>' argument 'yaml' is invalid. Allowed choices are text, json, stream-json.",
      code: "unknown-option",
    },
    {
      stderr: "Error: Input must be provided either through stdin or as a prompt argument when using --print",
      code: "prompt-blank",
    },
    { stderr: "Error: --json-schema is not valid JSON: Unexpected token", code: "schema-unreadable" },
    { stderr: "Error parsing streaming input line: not json: SyntaxError", code: "bad-request" },
    {
      stderr: "Error: piped stdin input exceeds 10MB. Pass large content as a file path in your prompt instead.",
      code: "prompt-too-large",
    },
    { stderr: "Error: When using --print, --output-format=stream-json requires --verbose", code: "cli-misconfigured" },
    { stderr: "Error: --include-partial-messages requires --print and --output-format=stream-json.", code: "cli-misconfigured" },
    { stderr: "Error: Settings file not found: nowhere.json", code: "cli-misconfigured" },
    { stderr: "Error: Invalid MCP configuration: MCP config file not found: nowhere.json", code: "cli-misconfigured" },
    {
      stderr: "--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons",
      code: "cli-misconfigured",
    },
  ];

  test.for(stderrCases)("is $code when stderr contains $stderr", ({ stderr, code }) => {
    expect(replayTurn([], { exitCode: 1, stderr: `${stderr}\n` }).result.failure?.code).toBe(code);
    expect(replayTurn([init()], { exitCode: 1, stderr: `(node) a warning\n${stderr}\n` }).result.failure?.code).toBe(code);
  });

  test("prefers stderr to the signal and the exit code", () => {
    const stderr = "error: unknown option '--x'\n";
    expect(replayTurn([], { exitCode: 143, stderr }).result.failure?.code).toBe("unknown-option");
    expect(replayTurn([], { signal: "SIGTERM", stderr }).result.failure?.code).toBe("unknown-option");
  });

  test("keeps unknown stderr text as evidence", () => {
    const { failure } = replayTurn([], { exitCode: 1, stderr: "the dog ate it\n" }).result;
    expect(failure).toMatchObject({ category: "unknown", code: "unclassified", message: "the dog ate it" });
    expect(failure?.evidence.stderrTail).toContain("the dog ate it");
  });
});
