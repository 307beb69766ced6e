import { expect, it } from "vitest";
import { variableWithOwnAddress } from "./serve.ts";

it.each([
  ["OPENAI_BASE_URL", "http://127.0.0.1:8417/v1"],
  ["ANTHROPIC_BASE_URL", "http://localhost:8417"],
  ["OPENAI_API_BASE", "http://[::1]:8417/v1"],
])("%s=%s is the gateway's own address", (name, value) => {
  expect(variableWithOwnAddress({ [name]: value }, 8417)).toBe(name);
});

it.each([
  ["OPENAI_BASE_URL", "http://127.0.0.1:9000/v1"],
  ["OPENAI_BASE_URL", "https://api.example.com:8417/v1"],
  ["OPENAI_BASE_URL", "no address"],
  ["OPENAI_BASE_URL", ""],
  ["HOME_PAGE", "http://127.0.0.1:8417"],
])("%s=%s is not", (name, value) => {
  expect(variableWithOwnAddress({ [name]: value }, 8417)).toBeUndefined();
});
