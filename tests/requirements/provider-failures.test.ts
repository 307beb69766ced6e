import { describe, expect, test } from "vitest";
import { type ProviderError, toProviderError } from "../../src/compatibility-views/index.ts";
import { FAILURE_TRAITS, type FailureCode, RunError } from "../../src/index.ts";
import { createFailure } from "../../src/provider.ts";
import { fakeClaude, INIT, print, resultLine } from "../support/clis/fake-claude.ts";

const READ = { do: "read", what: "line" } as const;

async function errorOf(call: Promise<unknown>): Promise<ProviderError> {
  return toProviderError(
    await call.then(
      () => "no error",
      (error: unknown) => error,
    ),
  );
}

function failsWith(stderr: string): Promise<ProviderError> {
  return errorOf(
    fakeClaude([READ, { do: "write", text: stderr, to: "stderr" }, { do: "exit", code: 1 }])
      .run()
      .result(),
  );
}

describe("the six errors", () => {
  test.for([
    ["not-logged-in", "AuthenticationError"],
    ["quota-exhausted", "RateLimitError"],
    ["rate-limited", "RateLimitError"],
    ["connection-failed", "NetworkError"],
    ["server-error", "NetworkError"],
    ["upstream-timeout", "NetworkError"],
    ["no-terminal-event", "InvalidResponseError"],
    ["unclassified", "InvalidResponseError"],
    ["interrupted", "InvalidResponseError"],
    ["cli-missing", "EnvironmentError"],
    ["cli-misconfigured", "EnvironmentError"],
    ["prompt-blank", "EnvironmentError"],
    ["tool-denied", "ToolPermissionError"],
  ] as const)("R146 %s is shown as %s with its text and its failure", ([code, type]: readonly [FailureCode, string]) => {
    const failure = createFailure(code, "What happened.");
    const result = { text: "", toolCalls: [], permissionDenials: [], finish: "error", warnings: [], failure } as const;
    const error = toProviderError(new RunError(failure, result));
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ type, name: type, message: "What happened.", failure });
  });

  test("R146 every category is one of the six, and any error can be shown as one", () => {
    expect(Object.keys(FAILURE_TRAITS)).toHaveLength(13);
    expect(toProviderError("Invalid API key")).toMatchObject({ type: "AuthenticationError", message: "Invalid API key" });
    expect(toProviderError({ status: 503 }).type).toBe("NetworkError");
    expect(toProviderError(null).type).toBe("InvalidResponseError");
  });

  test("R146 a ProviderError stays unchanged, and the original error is its cause", () => {
    const cause = new Error("ECONNRESET");
    const error = toProviderError(cause);
    expect(error.cause).toBe(cause);
    expect(toProviderError(error)).toBe(error);
  });
});

test("R146 an error of a run that has lost its result is still one of the six", () => {
  const foreign = { [Symbol.for("coxswain.RunError")]: true, failure: createFailure("tool-denied", "No.") };
  expect(toProviderError(foreign)).toMatchObject({ type: "ToolPermissionError", message: "No." });
  expect(toProviderError(foreign)).not.toHaveProperty("blockedCalls");
});

describe("the map from what a process did", () => {
  test("R164 R170 a non-zero exit with words about the login is an AuthenticationError", async () => {
    const error = await failsWith("Not logged in · Please run /login\n");
    expect(error).toMatchObject({ type: "AuthenticationError", failure: { fixCommand: "claude auth login" } });
  });

  test("R165 R170 a non-zero exit with words about a rate limit is a RateLimitError, with the wait that they state", async () => {
    const error = await failsWith("starting\nError: 429 rate limit reached, retry after 7 seconds\n");
    expect(error).toMatchObject({ type: "RateLimitError", failure: { code: "rate-limited", retryAfterMs: 7_000 } });
  });

  test("R166 a program that cannot be started is an EnvironmentError, never a NetworkError", async () => {
    const spawned = { ENOENT: "cli-missing", EACCES: "cli-not-executable", E2BIG: "arguments-too-large" };
    for (const [errno, code] of Object.entries(spawned)) {
      const error = toProviderError(Object.assign(new Error(`spawn claude ${errno}`), { code: errno, syscall: "spawn claude" }));
      expect(error, errno).toMatchObject({ type: "EnvironmentError", failure: { code } });
    }
    const missing = fakeClaude([], { binary: { names: ["/no/such/claude"] } });
    expect(await errorOf(missing.run().result())).toMatchObject({ type: "EnvironmentError", failure: { code: "cli-missing" } });
  });

  test("R167 output without a terminal event is an InvalidResponseError; a bad line before one is none", async () => {
    const garbage = { do: "write", text: '{"type": nonsense\n' } as const;
    expect(
      (
        await errorOf(
          fakeClaude([READ, print(INIT), garbage])
            .run()
            .result(),
        )
      ).type,
    ).toBe("InvalidResponseError");
    const { text } = await fakeClaude([READ, print(INIT), garbage, print(resultLine("Fine."))])
      .run()
      .result();
    expect(text).toBe("Fine.");
  });

  test("R168 denied calls are a ToolPermissionError that lists them, in words and as data", async () => {
    const denial = { tool_name: "Bash", tool_use_id: "toolu_1", tool_input: { command: "rm -rf build" } };
    const steps = [READ, print(INIT), print(resultLine("I could not.", { permission_denials: [denial] }))];
    const error = await errorOf(fakeClaude(steps).run({ mode: "agent", onPermissionDenied: "error" }).result());
    expect(error.type).toBe("ToolPermissionError");
    expect(error.blockedCalls).toEqual([{ id: "toolu_1", name: "Bash", input: { command: "rm -rf build" } }]);
    expect(error.message).toContain('Bash {"command":"rm -rf build"}');
  });
});
