import { expect, it } from "vitest";
import { claude } from "../clis/claude/provider.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { PromptRequest, Target } from "../spec/request.ts";
import { validateRequest } from "./validate-request.ts";

const SESSION = "11111111-1111-4111-8111-111111111111";

it("a provider may refuse a request with its own reason; any other request is valid", () => {
  const refuse: Provider["refuse"] = ({ prompt }) =>
    prompt.includes("@")
      ? { code: "option-unsupported", message: "It would read the file.", hint: "Leave the @ out.", fixCommand: "none" }
      : undefined;
  expect(validate({ refuse }, { prompt: "see @file" })).toMatchObject({
    category: "validation",
    code: "option-unsupported",
    message: "It would read the file.",
    hint: "Leave the @ out.",
    fixCommand: "none",
  });
  expect(validate({ refuse }, { prompt: "see file" })).toBeUndefined();
});

it("a refusal without a hint has the hint of its code", () => {
  const refuse: Provider["refuse"] = () => ({ code: "model-unknown", message: "Name a model." });
  expect(validate({ refuse }, { prompt: "x" })?.hint).toBe("Choose a model that is available to this account.");
});

it("refuse() gets the model and the inherited environment with the request's variables", () => {
  const seen: unknown[] = [];
  const refuse: Provider["refuse"] = (_, options) => void seen.push(options);
  validate({ refuse }, { prompt: "x", env: { KEY: "given" } }, { provider: "claude", model: "opus" });
  validate({ refuse, defaultModel: "haiku" }, { prompt: "x" });
  validate({ refuse }, { prompt: "x" });
  expect(seen).toEqual([
    { model: "opus", env: { KEY: "given", LANG: "C" } },
    { model: "haiku", env: { KEY: "inherited", LANG: "C" } },
    { env: { KEY: "inherited", LANG: "C" } },
  ]);
});

it("refuse() is not called for an invalid request", () => {
  const refuse: Provider["refuse"] = () => ({ code: "refused", message: "no" });
  expect(validate({ refuse }, { prompt: " " })?.code).toBe("prompt-blank");
});

it("session ids are UUIDs unless the provider has another format", () => {
  const sessionIds = /^ses_\w+$/;
  expect(validate({}, { prompt: "x", session: { resume: "ses_1" } })?.code).toBe("session-invalid");
  expect(validate({ sessionIds }, { prompt: "x", session: { resume: "ses_1" } })).toBeUndefined();
  expect(validate({ sessionIds }, { prompt: "x", session: { resume: SESSION } })?.code).toBe("session-invalid");
  expect(validate({ sessionIds }, { prompt: "x", session: { fork: "--continue" } })?.code).toBe("session-invalid");
});

function validate(
  changes: Partial<Provider>,
  request: PromptRequest,
  target: Target = { provider: "claude" },
): ReturnType<typeof validateRequest> {
  return validateRequest({ ...claude, ...changes }, target, request, { KEY: "inherited", LANG: "C" });
}
