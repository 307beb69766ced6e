import { expect, it } from "vitest";
import { createFailure } from "../spec/failure/failure.ts";
import { redact, redactFailure } from "./redact.ts";

const LETTERS = "Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z";

it.each([
  ["an Anthropic key", `sk-ant-api03-${LETTERS}_${LETTERS}-AA`],
  ["an Anthropic OAuth token", `sk-ant-oat01-${LETTERS}`],
  ["an OpenAI key", `sk-${LETTERS}`],
  ["an OpenAI project key", `sk-proj-${LETTERS}_${LETTERS}`],
  ["a Google key", `AIzaSy${LETTERS}_`],
  ["a GitHub personal token", `ghp_${LETTERS}abcd`],
  ["a GitHub app token", `ghs_${LETTERS}abcd`],
  ["a GitHub refresh token", `ghr_${LETTERS}abcd`],
  ["a fine-grained GitHub token", `github_pat_11ABCDEFG0${LETTERS}_${LETTERS}`],
  ["a GitLab token", `glpat-${LETTERS}`],
  ["an AWS key id", "AKIAIOSFODNN7EXAMPLE"],
  ["a Google OAuth token", `ya29.a0${LETTERS}`],
  ["a Hugging Face token", `hf_${LETTERS}`],
  ["a Slack token", `xoxb-123456789012-${LETTERS}`],
  ["a Stripe key", `sk_live_${LETTERS}`],
  ["an xAI key", `xai-${LETTERS}${LETTERS}`],
  ["a Groq key", `gsk_${LETTERS}`],
  ["a JSON web token", `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${LETTERS}`],
])("%s is removed, wherever it is", (_name, secret) => {
  expect(redact(secret)).toBe("[redacted]");
  expect(redact(`Invalid key ${secret}, try another.`)).toBe("Invalid key [redacted], try another.");
  expect(redact(`("${secret}")\n${secret}`)).toBe('("[redacted]")\n[redacted]');
});

it.each([
  ["a bearer token", `Authorization: Bearer ${LETTERS}`, "Authorization: Bearer [redacted]"],
  ["a bearer token with padding", `bearer ${LETTERS}+/==`, "bearer [redacted]"],
  ["basic credentials", "Authorization: Basic dXNlcjpwYXNzd29yZDE=", "Authorization: Basic [redacted]"],
  ["a URL with a password", "https://user:hunter2@example.com/x", "https://user:[redacted]@example.com/x"],
  ["a variable", `ACME_API_KEY=${LETTERS}`, "ACME_API_KEY=[redacted]"],
  ["a quoted variable", `export ACME_API_KEY='${LETTERS}'`, "export ACME_API_KEY='[redacted]'"],
  ["a token variable", `ANTHROPIC_AUTH_TOKEN=${LETTERS}`, "ANTHROPIC_AUTH_TOKEN=[redacted]"],
  ["a secret variable", `CLIENT_SECRET=${LETTERS}`, "CLIENT_SECRET=[redacted]"],
  ["a password", "password=hunter2!", "password=[redacted]"],
  ["a key in JSON", `{"apiKey":"${LETTERS}","a":1}`, '{"apiKey":"[redacted]","a":1}'],
  ["a key in spaced JSON", `{ "api_key" : "${LETTERS}" }`, '{ "api_key" : "[redacted]" }'],
  ["a query parameter", `https://example.com/v1?api_key=${LETTERS}`, "https://example.com/v1?api_key=[redacted]"],
  ["a header", `x-api-key: ${LETTERS}`, "x-api-key: [redacted]"],
  ["a header in capitals", `X-Api-Key: ${LETTERS}`, "X-Api-Key: [redacted]"],
  ["an AWS key", `AWS_SECRET_ACCESS_KEY=${LETTERS}`, "AWS_SECRET_ACCESS_KEY=[redacted]"],
])("the value of %s is removed and its name stays", (_name, text, expected) => {
  expect(redact(text)).toBe(expected);
});

it.each([
  ["an escaped line break", "\\n"],
  ["an escaped escape", "\\\\n"],
  ["a code point", "\\u000a"],
  ["an escaped blank of a URL", "%20"],
  ["a colour code", "\u001b[31m"],
  ["a colour code in JSON", "\\u001b[1;31m"],
  ["a code point in capitals", "\\u000A"],
  ["a long code point", "\\U0000000a"],
  ["an octal escape", "\\012"],
  ["an escaped bell", "\\a"],
  ["a blank of a URL that was encoded twice", "%2520"],
  ["a colour of many bits on another one", "\u001b[1;38;2;255;100;100;48;2;255;255;255m"],
  ["a colour with colons", "\u001b[38:2::255:0:0m"],
  ["a code that clears the line", "\u001b[0K"],
  ["a code that moves the cursor", "\\u001b[1;1H"],
  ["a code that shows the cursor, as cat -v writes it", "^[[?25h"],
  ["a character set", "\u001b[m\u001b(B"],
])("a key behind %s is removed", (_name, before) => {
  for (const key of [`sk-ant-api03-${LETTERS}`, `ghp_${LETTERS}abcd`, `AIzaSy${LETTERS}_`, "AKIAIOSFODNN7EXAMPLE"])
    expect(redact(`refused:${before}${key} is wrong`)).toBe(`refused:${before}[redacted] is wrong`);
  expect(redact(`refused:${before}Bearer ${LETTERS}`)).toBe(`refused:${before}Bearer [redacted]`);
});

it("words that only end like a prefix of a key stay", () => {
  const text = "risk-assessments and task-management in C:\\task-management-1";
  expect(redact(text)).toBe(text);
});

it("every secret of a text is removed, not only the first", () => {
  const text = `a sk-${LETTERS} b sk-ant-${LETTERS} c ghp_${LETTERS} d Bearer ${LETTERS} e A_TOKEN=${LETTERS}`;
  expect(redact(text)).toBe("a [redacted] b [redacted] c [redacted] d Bearer [redacted] e A_TOKEN=[redacted]");
});

it("the same text gives the same result every time", () => {
  const text = `sk-${LETTERS}`;
  expect([redact(text), redact(text), redact(text)]).toEqual(["[redacted]", "[redacted]", "[redacted]"]);
});

it("a text that was redacted before does not change again", () => {
  const once = redact(`x API_KEY=${LETTERS} Bearer ${LETTERS} sk-${LETTERS}`);
  expect(redact(once)).toBe(once);
});

it.each([
  ["plain prose", "The task asks for a risk-assessment of the disk-encryption; the model used 12000 tokens in 3 turns."],
  ["a sentence about headers", "Bearer authentication is required; basic arithmetic is not."],
  ["a sentence about keys", "Invalid API key · Please run /login. The token has expired."],
  ["a list of counts", '{"max_tokens":100000,"input_tokens": 123456,"outputTokens":654321}'],
  ["a file path", "/home/user/projects/sk/src/token-reader.ts:12:5"],
  ["a Windows path", "C:\\Users\\user\\secrets\\notes.txt"],
  ["a uuid", "5e9c0f6a-1b7d-4c55-9a51-3f0c2d8e7b10"],
  ["a git hash", "commit f8519a08b2b89e653a9cd937245af7783e75d232"],
  ["a URL", "https://api.example.com:8443/v1/messages?beta=true&page=2#top"],
  ["a picture in base64", "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"],
  ["a stack trace", "    at Object.<anonymous> (/app/node_modules/undici/lib/api/readable.js:105:13)"],
  ["a locale", "sk-SK, pk-PK"],
  ["an empty text", ""],
])("%s stays untouched", (_name, text) => {
  expect(redact(text)).toBe(text);
});

it("a long text without a secret is passed through in one piece", () => {
  const text = "All work and no play makes the log a dull read.\n".repeat(20_000);
  expect(redact(text)).toBe(text);
});

it("secrets are removed from the message, stderr and event of a failure, and nothing else changes", () => {
  const secret = `sk-ant-${LETTERS}`;
  const failure = createFailure("crashed", `Died of ${secret}.`, {
    partialText: "said before",
    evidence: {
      exitCode: 1,
      signal: "SIGTERM",
      stderrTail: `x ${secret}\n`,
      event: { a: [{ b: secret }, 1, null, true], c: "fine" },
    },
  });
  expect(redactFailure(failure)).toEqual({
    ...failure,
    message: "Died of [redacted].",
    evidence: {
      exitCode: 1,
      signal: "SIGTERM",
      stderrTail: "x [redacted]\n",
      event: { a: [{ b: "[redacted]" }, 1, null, true], c: "fine" },
    },
  });
});

it("a failure without evidence still has none", () => {
  const failure = createFailure("crashed", "It died.");
  expect(redactFailure(failure)).toEqual(failure);
});
