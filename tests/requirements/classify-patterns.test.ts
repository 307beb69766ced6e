import { describe, expect, test } from "vitest";
import { classifyError, type FailureCategory } from "../../src/index.ts";

type Row = readonly [requirement: string, category: FailureCategory, retry: boolean, fallback: boolean, patterns: string];

/** The table of the provider protocol, in its order. */
const TABLE: readonly Row[] = [
  [
    "R105",
    "quota",
    false,
    true,
    "insufficient_quota quota_exceeded billing_hard_limit RESOURCE_EXHAUSTED credit_limit usage_limit",
  ],
  ["R106", "rate_limit", true, false, "rate_limit rate.limit RATE_LIMIT_EXCEEDED too_many_requests 429 overloaded throttl"],
  [
    "R107",
    "authentication",
    false,
    false,
    "invalid_api_key unauthorized UNAUTHENTICATED PERMISSION_DENIED authentication_failed not_authenticated 401 403",
  ],
  ["R108", "validation", false, false, "invalid_request malformed bad_request validation_error invalid_parameter 400"],
  [
    "R109",
    "network",
    true,
    true,
    "ECONNRESET ETIMEDOUT ENOTFOUND ECONNREFUSED network_error connection_failed DEADLINE_EXCEEDED socket_hang_up",
  ],
  ["R110", "server", true, true, "internal_server_error service_unavailable bad_gateway 500 502 503 504"],
  ["R111", "timeout", true, true, "timed_out timeout SIGTERM SIGKILL"],
  ["R112", "not_found", false, true, "command_not_found ENOENT not_found model_not_found 404"],
  ["R113", "configuration", false, false, "not_configured missing_config invalid_config cli_not_installed"],
];

const patternsOf = ([, , , , patterns]: Row): readonly string[] => patterns.split(" ");
const categoryOf = (error: unknown): FailureCategory => classifyError(error).category;

describe("the patterns of the provider protocol", () => {
  for (const row of TABLE) {
    const [requirement, category, shouldRetry, shouldFallback] = row;
    test.for(patternsOf(row))(`${requirement} R115 R138 "Error: %s occurred" is ${category} with its guidance`, (pattern) => {
      const classified = classifyError(`Error: ${pattern} occurred`);
      expect(classified).toMatchObject({ category, shouldRetry, shouldFallback });
      expect(classifyError(new Error(`Error: ${pattern} occurred`))).toMatchObject({ category, shouldRetry, shouldFallback });
    });
  }

  test("R106 a pattern that ends in a star goes on: throttled, throttling, ThrottlingException", () => {
    for (const word of ["throttled", "throttling", "ThrottlingException"]) expect(categoryOf(word), word).toBe("rate_limit");
  });

  test.for(TABLE.flatMap((row) => patternsOf(row).map((pattern) => ({ pattern, category: row[1] }))))(
    "R114 $pattern: separators are free, and case is ignored",
    ({ pattern, category }) => {
      for (const separator of ["_", " ", "-", ".", ""]) {
        const written = pattern.replaceAll(/[_.]/g, separator);
        for (const words of [written, written.toUpperCase(), written.toLowerCase()]) {
          expect(categoryOf(`Error: ${words} occurred`), words).toBe(category);
        }
      }
    },
  );

  test("R114 a pattern begins where a word begins, and camel case begins words", () => {
    for (const words of ["RateLimitError", "openai.RateLimitError", "error_rate_limit_reached"]) {
      expect(categoryOf(words), words).toBe("rate_limit");
    }
    for (const words of ["we generate limits", "Accelerate limit", "AENOENT", "pretimeout"]) {
      expect(categoryOf(words), words).toBe("unknown");
    }
  });

  test("R116 when several match, the order of the table decides, wherever they stand in the sentence", () => {
    for (const [index, first] of TABLE.entries()) {
      for (const second of TABLE.slice(index + 1)) {
        const [one = "", other = ""] = [patternsOf(first)[0], patternsOf(second)[0]];
        expect(categoryOf(`Error: ${one} and ${other}`), `${one} ${other}`).toBe(first[1]);
        expect(categoryOf(`Error: ${other} and ${one}`), `${other} ${one}`).toBe(first[1]);
      }
    }
  });

  test("R117 R138 an unknown error text is unknown: no retry, fallback", () => {
    for (const words of ["The flux capacitor is empty", "", "   ", "Error"]) {
      expect(classifyError(words), words).toMatchObject({
        category: "unknown",
        code: "unclassified",
        shouldRetry: false,
        shouldFallback: true,
        retryAfterMs: null,
      });
    }
  });
});

describe("numbers", () => {
  test.for([
    "429",
    "(429)",
    "HTTP 429",
    "HTTP/1.1 429",
    "status code 429",
    "API Error: 429 slow",
    '{"code":429}',
    "statusCode=429",
  ])("R115 %j is a status", (words) => {
    expect(categoryOf(words)).toBe("rate_limit");
  });

  test.for([
    "Wrote 400 lines",
    "Error at line 404",
    "took 500 ms",
    "exit 429 files",
    "exit code 429",
    "exited with code 500",
    "Error: 500 lines",
    "error 404 ms",
    "127.0.0.1:500",
    "v4.0.4",
    "error 4290",
    "code -500",
    "http://500.example.com/404",
    "api/404/list",
  ])("R115 %j matches no pattern", (words) => {
    expect(categoryOf(words)).toBe("unknown");
  });
});

describe("what the real CLIs say goes before the patterns", () => {
  test.for([
    ["You exceeded your current quota, please check your plan and billing details.", "quota"],
    ["You exceeded your current quota. Please retry in 2.1s.", "rate_limit"],
    ["RESOURCE_EXHAUSTED: GenerateRequestsPerMinutePerProject", "rate_limit"],
    ["Credit balance is too low", "quota"],
    ["You’ve hit your usage limit. Upgrade to Pro or try again later.", "quota"],
    ["Not logged in · Please run /login", "authentication"],
    ["OAuth token has expired", "authentication"],
    ["context_length_exceeded", "validation"],
    ["getaddrinfo EAI_AGAIN api.example.com", "network"],
    ["write EPIPE", "network"],
    ["self-signed certificate in certificate chain", "network"],
    ["API Error: 529 Overloaded.", "server"],
  ] as const)("R105 R106 R107 R108 R109 R110 %j is %s", ([words, category]) => {
    expect(categoryOf(words)).toBe(category);
  });

  test("R105 R106 a status of 429 whose words speak of quota is quota", () => {
    expect(categoryOf({ status: 429, message: "insufficient_quota" })).toBe("quota");
    expect(categoryOf({ status: 429, message: "slow down" })).toBe("rate_limit");
  });
});
