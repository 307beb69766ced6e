import { afterEach, describe, expect, test } from "vitest";
import { anthropicError } from "../../src/testing/fake-model-api/anthropic.ts";
import type { FakeAnswer } from "../../src/testing/fake-model-api/fake-answer.ts";
import { geminiError } from "../../src/testing/fake-model-api/gemini.ts";
import { chatError, responsesError } from "../../src/testing/fake-model-api/openai-error.ts";
import {
  type FakeApiProtocol,
  type FakeModelApi,
  startFakeModelApi,
} from "../../src/testing/fake-model-api/start-fake-model-api.ts";
import { askFakeApi } from "./ask-fake-api.ts";
import { protocolCases } from "./protocol-cases.ts";

let api: FakeModelApi | undefined;
afterEach(() => api?.close());

async function receive(protocol: FakeApiProtocol, answer: FakeAnswer): Promise<{ response: Response; text: string }> {
  api = await startFakeModelApi(protocol, answer);
  const path = protocolCases.find((known) => known.protocol === protocol)?.path(true) ?? "/";
  return askFakeApi(api.url + path, { stream: true });
}

describe("an error of the Messages API", () => {
  test.each([
    ["invalid_request_error", 400, "invalid_request_error", "false"],
    ["authentication_error", 401, "authentication_error", "false"],
    ["billing_error", 402, "billing_error", "false"],
    ["permission_error", 403, "permission_error", "false"],
    ["not_found_error", 404, "not_found_error", "false"],
    ["request_too_large", 413, "request_too_large", "false"],
    ["rate_limit_error", 429, "rate_limit_error", "true"],
    ["api_error", 500, "api_error", "true"],
    ["timeout_error", 504, "timeout_error", "true"],
    ["overloaded_error", 529, "overloaded_error", "true"],
    ["credit_balance_too_low", 400, "invalid_request_error", "false"],
    ["prompt_too_long", 400, "invalid_request_error", "false"],
  ] as const)("%s is status %i with type %s, and x-should-retry %s", async (name, status, type, shouldRetry) => {
    const { response, text } = await receive("anthropic-messages", anthropicError(name));
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("x-should-retry")).toBe(shouldRetry);
    const requestId = response.headers.get("request-id");
    expect(requestId).toMatch(/^req_\w{24}$/);
    expect(JSON.parse(text)).toEqual({ type: "error", error: { type, message: expect.any(String) }, request_id: requestId });
  });

  test("has the given message, wait and headers", () => {
    const answer = anthropicError("rate_limit_error", "Slow down", {
      retryAfterSeconds: 7,
      headers: { "x-should-retry": "false" },
    });
    expect(answer).toMatchObject({
      body: { error: { message: "Slow down" } },
      headers: { "retry-after": "7", "x-should-retry": "false" },
    });
    expect(anthropicError("rate_limit_error").headers).toMatchObject({ "retry-after": "1" });
  });
});

describe("an error of the Responses API", () => {
  test.each([
    ["context_length_exceeded", 400, "invalid_request_error"],
    ["invalid_api_key", 401, "invalid_request_error"],
    ["unsupported_country_region_territory", 403, "request_forbidden"],
    ["model_not_found", 404, "invalid_request_error"],
    ["insufficient_quota", 429, "insufficient_quota"],
    ["rate_limit_exceeded", 429, "requests"],
    ["server_error", 500, "server_error"],
    ["server_is_overloaded", 503, "service_unavailable_error"],
  ] as const)("%s is status %i with type %s", async (code, status, type) => {
    const { response, text } = await receive("openai-responses", responsesError(code));
    expect(response.status).toBe(status);
    expect(response.headers.get("x-request-id")).toMatch(/^req_/);
    expect(response.headers.get("retry-after")).toBe(code === "rate_limit_exceeded" ? "1" : null);
    const { error } = JSON.parse(text);
    expect(error).toEqual({ message: expect.any(String), type, param: error.param, code });
  });

  test("has no code if the request is invalid", () => {
    const error = { message: "No.", type: "invalid_request_error", param: null, code: null };
    expect(responsesError("invalid_request_error", "No.")).toMatchObject({ status: 400, body: { error } });
  });

  test("has the type and the reset time of a plan's limit", async () => {
    const { response, text } = await receive("openai-responses", responsesError("usage_limit_reached"));
    expect(response.status).toBe(429);
    const { error } = JSON.parse(text);
    expect(error).toMatchObject({ type: "usage_limit_reached", plan_type: "plus", resets_in_seconds: 3600 });
    expect(error.resets_at * 1000).toBeGreaterThan(Date.now());
    expect(responsesError("usage_not_included")).toMatchObject({ status: 429, body: { error: { type: "usage_not_included" } } });
  });
});

describe("an error of Chat Completions", () => {
  test.each([
    ["context_length_exceeded", 400, "invalid_request_error"],
    ["invalid_api_key", 401, "invalid_request_error"],
    ["unsupported_country_region_territory", 403, "request_forbidden"],
    ["access_denied", 403, "access_denied"],
    ["data_inspection_failed", 400, "data_inspection_failed"],
    ["model_not_found", 404, "invalid_request_error"],
    ["insufficient_quota", 429, "insufficient_quota"],
    ["rate_limit_exceeded", 429, "requests"],
    ["server_is_overloaded", 503, "service_unavailable_error"],
  ] as const)("%s is status %i with type %s", async (code, status, type) => {
    const { response, text } = await receive("openai-chat", chatError(code));
    expect(response.status).toBe(status);
    expect(response.headers.get("retry-after")).toBe(code === "rate_limit_exceeded" ? "1" : null);
    const { error } = JSON.parse(text);
    expect(error).toEqual({ message: expect.any(String), type, param: error.param, code });
  });

  test.each([
    ["invalid_request_error", 400],
    ["server_error", 500],
  ] as const)("%s has no code beside its type", (name, status) => {
    const error = { message: "No.", type: name, param: null, code: null };
    expect(chatError(name, "No.")).toMatchObject({ status, body: { error } });
  });
});

describe("an error of the Gemini API", () => {
  test.each([
    ["INVALID_ARGUMENT", 400, "INVALID_ARGUMENT"],
    ["API_KEY_INVALID", 400, "INVALID_ARGUMENT"],
    ["TOKEN_LIMIT", 400, "INVALID_ARGUMENT"],
    ["FAILED_PRECONDITION", 400, "FAILED_PRECONDITION"],
    ["UNAUTHENTICATED", 401, "UNAUTHENTICATED"],
    ["PERMISSION_DENIED", 403, "PERMISSION_DENIED"],
    ["NOT_FOUND", 404, "NOT_FOUND"],
    ["RATE_LIMIT", 429, "RESOURCE_EXHAUSTED"],
    ["DAILY_QUOTA", 429, "RESOURCE_EXHAUSTED"],
    ["INTERNAL", 500, "INTERNAL"],
    ["UNAVAILABLE", 503, "UNAVAILABLE"],
    ["DEADLINE_EXCEEDED", 504, "DEADLINE_EXCEEDED"],
  ] as const)("%s is code %i with status %s", async (name, code, status) => {
    const { response, text } = await receive("gemini", geminiError(name));
    expect([response.status, JSON.parse(text)]).toMatchObject([code, { error: { code, status, message: expect.any(String) } }]);
  });

  test("has a wait for a quota per minute, and none for a quota per day", () => {
    const minute = JSON.stringify(geminiError("RATE_LIMIT", undefined, { retryAfterSeconds: 7 }).body);
    expect(minute).toMatch(/"quotaId":"\w+PerMinute\w+".*"retryDelay":"7s"/);
    const day = JSON.stringify(geminiError("DAILY_QUOTA").body);
    expect(day).toMatch(/"quotaId":"\w+PerDay/);
    expect(day).not.toContain("retryDelay");
    expect(JSON.stringify(geminiError("API_KEY_INVALID").body)).toContain('"reason":"API_KEY_INVALID"');
  });
});

describe("any other HTTP error", () => {
  test("has the vendor's body for its status by default", async () => {
    const anthropic = await receive("anthropic-messages", { kind: "http-error", status: 503 });
    expect([anthropic.response.status, JSON.parse(anthropic.text)]).toMatchObject([
      503,
      { type: "error", error: { type: "api_error" } },
    ]);
    await api?.close();
    const openai = await receive("openai-responses", { kind: "http-error", status: 404 });
    expect([openai.response.status, JSON.parse(openai.text)]).toMatchObject([404, { error: { type: "invalid_request_error" } }]);
  });

  test.each([
    ["openai-chat", 502, { error: { type: "server_error" } }],
    ["gemini", 502, { error: { code: 502, status: "INTERNAL" } }],
    ["gemini", 403, { error: { code: 403, status: "PERMISSION_DENIED" } }],
    ["gemini", 418, { error: { code: 418, status: "INVALID_ARGUMENT" } }],
  ] as const)("of %s with status %i has the body %j", async (protocol, status, body) => {
    const { response, text } = await receive(protocol, { kind: "http-error", status });
    expect([response.status, JSON.parse(text)]).toMatchObject([status, body]);
  });

  test("has a string body unchanged, and the given headers", async () => {
    const headers = { "content-type": "text/html", "retry-after": "9" };
    const { response, text } = await receive("openai-responses", { kind: "http-error", status: 502, body: "<h1>Bad", headers });
    expect([response.status, text]).toEqual([502, "<h1>Bad"]);
    expect([response.headers.get("content-type"), response.headers.get("retry-after")]).toEqual(["text/html", "9"]);
  });
});
