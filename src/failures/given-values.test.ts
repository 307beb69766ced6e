import { expect, it } from "vitest";
import { givenValues } from "./given-values.ts";

it.each([
  "planted-secret-1",
  "hunter22-of-acme",
  "correct horse battery staple",
  "9f8e7d6c5b4a39281706",
  "A1b2C3d4E5",
  "QmFzZTY0IG9mIHNvbWV0aGluZw==",
  "abcdefghijklmnopqrstuvwxyz",
  "user@example.com:pass",
])("%j is a secret, whatever its variable is called", (value) => {
  for (const name of ["NOTE", "X-Custom", "FOO_BAR"]) expect(givenValues({ [name]: value })).toEqual([value]);
});

it.each([
  ...["", "1", "true", "false", "yes", "debug", "localhost", "production", "development", "information"],
  ...["application/json", "text/event-stream", "12345678", "2024-01-01", "1.18.33-1", "127.0.0.1:8080", "api.example.com:443"],
  ...["/home/me/some-project", "/usr/local/bin:/usr/bin", "~/notes-of-mine", "./relative/place", "C:\\Users\\me"],
  ...["https://api.example.com/v1", "http://127.0.0.1:9999", "en_US.UTF-8", "Europe/Berlin"],
])("%j is an ordinary value", (value) => {
  expect(givenValues({ NOTE: value, "X-Custom": value })).toEqual([]);
});

it("a name may say that its value is public, or that it is a secret", () => {
  const model = "claude-sonnet-4-5-20250929";
  expect(givenValues({ ANTHROPIC_MODEL: model, "user-agent": "coxswain/1.2.3 x", AWS_REGION: "us-east-1" })).toEqual([]);
  expect(givenValues({ API_KEY: "production" })).toEqual(["production"]);
});

it("the scheme of an authorization is no secret, nor are the other values of a setting that is JSON", () => {
  expect(givenValues({ "X-Upstream": "Bearer planted-1" })).toEqual(["planted-1"]);
  const config = JSON.stringify({ model: "some-model-1", options: { apiKey: "planted-2" } });
  expect(givenValues({ CONFIG_CONTENT: config })).toEqual(["planted-2"]);
});
