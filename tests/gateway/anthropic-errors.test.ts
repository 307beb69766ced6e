import Anthropic, { type APIError } from "@anthropic-ai/sdk";
import { expect, it } from "vitest";
import type { FailureCode } from "../../src/index.ts";
import { openCli } from "../support/clis/open-cli.ts";
import { openFleet } from "../support/clis/open-fleet.ts";
import { answers, ends, fails, answers as plays } from "../support/clis/plays.ts";
import { openGateway } from "./anthropic-gateway.ts";

const HELLO = { model: "one", max_tokens: 1000, messages: [{ role: "user" as const, content: "Hello" }] };

type ErrorRow = readonly [FailureCode, new (...words: never[]) => Error, number, string];

const ROWS: readonly ErrorRow[] = [
  ["bad-request", Anthropic.BadRequestError, 400, "invalid_request_error"],
  ["not-logged-in", Anthropic.AuthenticationError, 401, "authentication_error"],
  ["tool-denied", Anthropic.PermissionDeniedError, 403, "permission_error"],
  ["model-unknown", Anthropic.NotFoundError, 404, "not_found_error"],
  ["prompt-too-large", Anthropic.ContentTooLargeError, 413, "request_too_large"],
  ["rate-limited", Anthropic.RateLimitError, 429, "rate_limit_error"],
  ["quota-exhausted", Anthropic.RateLimitError, 429, "rate_limit_error"],
  ["cli-misconfigured", Anthropic.InternalServerError, 500, "api_error"],
  ["connection-lost", Anthropic.InternalServerError, 502, "api_error"],
  ["upstream-timeout", Anthropic.GatewayTimeoutError, 504, "timeout_error"],
  ["overloaded", Anthropic.OverloadedError, 529, "overloaded_error"],
];

it("failures are the client's own errors, with Anthropic's status and type, whole and before a stream begins", async () => {
  const starts = ROWS.flatMap(([code]) => [fails(code), fails(code)]);
  const { client } = openFleet({ one: starts }, { policies: false });
  for (const [code, kind, status, type] of ROWS) {
    for (const isStream of [false, true]) {
      // A gateway does not ask a CLI again at once after a limit or a missing login.
      const { anthropic, streams } = await openGateway(client);
      const sent = isStream ? anthropic.messages.stream(HELLO).finalMessage() : anthropic.messages.create(HELLO);
      const error: unknown = await sent.catch((thrown: unknown) => thrown);
      expect(error, code).toBeInstanceOf(kind);
      if (!(error instanceof Anthropic.APIError)) throw error;
      expect({ status: error.status, type: error.type }, code).toEqual({ status, type });
      expect(error.error, code).toMatchObject({ type: "error", request_id: error.requestID });
      expect(error.apiMessage, code).toContain(`This is ${code}.`);
      expect(Number(error.headers?.get("retry-after")) > 0, code).toBe(status === 429 || status === 529);
      expect(await streams()).toEqual([]);
    }
  }
});

it("a failure after the beginning of a stream is an event that the client throws as its error", async () => {
  const fault = { message: "The model is overloaded.", kind: "overloaded" };
  const broken = [...plays("I begin").slice(0, -1), ends({ finish: "error", fault })];
  const { client } = openCli([broken]);
  const { anthropic, streams } = await openGateway(client);
  const error: unknown = await anthropic.messages
    .stream({ ...HELLO, model: "plain" })
    .finalMessage()
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Anthropic.APIError);
  expect(error).toMatchObject({ error: { error: { type: "overloaded_error" } } });
  expect(await streams()).toEqual(["failed"]);
});

it("after retries of the gateway the client does not retry again", async () => {
  const fleet = openFleet({ one: [fails("overloaded")] }, {});
  const retrying = await openGateway(fleet.client);
  const patient = retrying.anthropic.withOptions({ maxRetries: 2 });
  const error: unknown = await patient.messages.create(HELLO).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Anthropic.OverloadedError);
  const attempts = fleet.starts("one");
  expect(attempts).toBeGreaterThan(1);
  expect((error as APIError).headers?.get("x-coxswain-attempts")).toBe(String(attempts));
  expect((error as APIError).headers?.get("x-should-retry")).toBe("false");
});

it("a failure that no retry helps is not retried by the client", async () => {
  const fleet = openFleet({ one: [fails("quota-exhausted")] }, { policies: false });
  const { anthropic } = await openGateway(fleet.client);
  await expect(anthropic.withOptions({ maxRetries: 2 }).messages.create(HELLO)).rejects.toBeInstanceOf(Anthropic.RateLimitError);
  expect(fleet.starts("one")).toBe(1);
});

it("a conversation that is too long says so in the words that clients look for", async () => {
  const { client } = openFleet({ one: [fails("context-overflow")] }, { policies: false });
  const { anthropic } = await openGateway(client);
  const error: unknown = await anthropic.messages.create(HELLO).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Anthropic.BadRequestError);
  expect((error as APIError).apiMessage).toMatch(/^prompt is too long: /);
});

it("an unknown model is a NotFoundError, and an alias wins over the vendor's own id", async () => {
  const fleet = openFleet({ one: [answers("Here.")] }, { policies: false });
  const { anthropic } = await openGateway(fleet.another({ aliases: { "claude-opus-5-5": "one" } }));
  await expect(anthropic.messages.create({ ...HELLO, model: "nobody" })).rejects.toBeInstanceOf(Anthropic.NotFoundError);
  expect(fleet.starts("one")).toBe(0);
  expect(await anthropic.messages.create({ ...HELLO, model: "claude-opus-5-5" })).toMatchObject({ content: [{ text: "Here." }] });
});

it("a refusal of the model is an answer with the stop reason refusal", async () => {
  const { client } = openFleet({ one: [fails("refused"), fails("refused")] }, { policies: false });
  const { anthropic, streams } = await openGateway(client);
  expect(await anthropic.messages.create(HELLO)).toMatchObject({ stop_reason: "refusal", content: [] });
  expect(await anthropic.messages.stream(HELLO).finalMessage()).toMatchObject({ stop_reason: "refusal", content: [] });
  expect(await streams()).toEqual(["complete"]);
});
