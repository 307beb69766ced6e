import { expect, test } from "vitest";
import { builtinProviders } from "../clis/index.ts";
import { failedEnd } from "../run/part.ts";
import { createFailure } from "../spec/failure/failure.ts";
import type { FailureCode } from "../spec/failure/failure-codes.ts";
import type { Provider } from "../spec/provider/provider.ts";
import { type Attempted, withAdvice } from "./conclude.ts";

const KEY = "sk-ant-REDACTED-0000";

function advised(code: FailureCode, id: string, given: Partial<Attempted> = {}) {
  const provider = builtinProviders.find((each) => each.id === id) as Provider;
  const failure = createFailure(code, "no", { fixCommand: "log in" });
  return withAdvice(failedEnd(failure), { provider, target: { provider: id }, request: {}, env: {}, ...given }).failure;
}

test("a key that the CLI uses before its login is blamed by name, never by value", () => {
  const failure = advised("not-logged-in", "claude", { env: { ANTHROPIC_API_KEY: KEY } });
  expect(failure).toMatchObject({
    hint: "The environment has ANTHROPIC_API_KEY. Correct that key, or unset it: Claude Code uses it before your login.",
    fixCommand: "unset ANTHROPIC_API_KEY",
  });
  expect(JSON.stringify(failure)).not.toContain(KEY);
});

test("a key of the request and of a CLI without a login is blamed too", () => {
  expect(advised("not-logged-in", "glm", { request: { env: { ZAI_API_KEY: KEY } } })).toMatchObject({
    hint: "The environment has ZAI_API_KEY. Correct that key.",
  });
  expect(advised("not-logged-in", "opencode", { env: { OPENAI_API_KEY: KEY } })?.hint).toBe(
    "The environment has OPENAI_API_KEY. Correct that key, or unset it and log in.",
  );
});

test("the key for an address that is the login of Copilot is blamed only together with that address", () => {
  const key = { COPILOT_PROVIDER_API_KEY: KEY };
  const hintWith = (env: Attempted["env"]) => advised("not-logged-in", "copilot", { env })?.hint;
  expect(hintWith({ ...key, COPILOT_PROVIDER_BASE_URL: "https://example.org" })).toContain("COPILOT_PROVIDER_API_KEY");
  expect(hintWith(key)).toBe("Log in to the CLI, then retry.");
});

test.each([
  ["there is no key", "claude", {}],
  ["it is empty", "claude", { env: { ANTHROPIC_API_KEY: "" } }],
  ["keys are hidden from the CLI", "claude", { env: { ANTHROPIC_API_KEY: KEY }, request: { auth: "subscription" } }],
  ["it is another vendor's", "claude", { env: { GEMINI_API_KEY: KEY } }],
] as const)("the login is named if %s", (_what, id, given) => {
  expect(advised("not-logged-in", id, given)).toMatchObject({ hint: "Log in to the CLI, then retry.", fixCommand: "log in" });
});

test("a misspelt model is answered with the nearest known one", () => {
  const at = (model: string) => advised("model-unknown", "claude", { target: { provider: "claude", model } })?.hint;
  expect(at("hiaku")).toMatch(/^Did you mean haiku\? Choose a model/);
  expect(at("llama")).toMatch(/^Choose a model/);
});
