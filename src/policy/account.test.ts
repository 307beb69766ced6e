import { resolve } from "node:path";
import { expect, it } from "vitest";
import { claude } from "../clis/claude/provider.ts";
import type { RunRequest } from "../spec/request.ts";
import { accountOf } from "./cooldown.ts";
import { keyOf } from "./quota-memory.ts";

const KEY = "sk-ant-of-somebody";

function keyFor(env: Readonly<Record<string, string>>, request: Partial<RunRequest> = {}, profile?: string): string {
  return keyOf(owner(env, request, profile));
}

function owner(env: Readonly<Record<string, string>>, request: Partial<RunRequest> = {}, profile?: string) {
  const target = { provider: "claude", ...(profile !== undefined && { profile }) };
  return accountOf(env, { target, provider: claude }, { prompt: "Hello", ...request });
}

it("the same login is the same account, also by an alias or another path of its home", () => {
  expect(owner({})).toEqual({ provider: "claude" });
  expect(keyFor({ CLAUDE_CONFIG_DIR: "/homes/one" })).toBe(keyFor({}, {}, "/homes/one"));
  expect(keyFor({}, { env: { CLAUDE_CONFIG_DIR: "/homes/one" } })).toBe(keyFor({}, {}, "/homes/one"));
  expect(owner({}, {}, "work").profile).toBe(resolve("work"));
});

it("names that every object inherits are variables like any other", () => {
  const provider = { ...claude, env: { ...claude.env, apiKeys: ["constructor", "__proto__"], profile: "toString" } };
  const of = (env: Readonly<Record<string, string>>) =>
    accountOf(env, { target: { provider: "claude" }, provider }, { prompt: "Hello" });
  expect(of({})).toEqual({ provider: "claude" });
  expect(of({ constructor: KEY }).account).toMatch(/^[0-9a-f]{12}$/);
});

it("each home and each key is a separate account", () => {
  const keys = [
    keyFor({}),
    keyFor({ CLAUDE_CONFIG_DIR: "/homes/one" }),
    keyFor({ CLAUDE_CONFIG_DIR: "/homes/two" }),
    keyFor({ ANTHROPIC_API_KEY: KEY }),
    keyFor({}, { env: { ANTHROPIC_API_KEY: `${KEY}-else` } }),
    keyFor({}, { env: { ANTHROPIC_BASE_URL: "https://gateway.example" } }),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});

it("a key that the CLI does not get is ignored, like any other variable", () => {
  expect(keyFor({ ANTHROPIC_API_KEY: KEY }, { auth: "subscription" })).toBe(keyFor({}));
  expect(keyFor({ ANTHROPIC_API_KEY: "" })).toBe(keyFor({}));
  expect(keyFor({}, { env: { RUN: "7" } })).toBe(keyFor({}));
});

it("the account does not reveal the key", () => {
  expect(JSON.stringify(owner({ ANTHROPIC_API_KEY: KEY }))).not.toContain(KEY.slice(3, 9));
});
