import { expect, it } from "vitest";
import { claude } from "../clis/claude/provider.ts";
import { plainText } from "../dialects/generic/plain-text.ts";
import { createFailure } from "../spec/failure/failure.ts";
import type { FailureCode } from "../spec/failure/failure-codes.ts";
import { type Provider, withSpawn } from "../spec/provider/provider.ts";
import { mayHaveActed } from "./retry.ts";

const textCli: Provider = {
  ...withSpawn(claude, { wire: plainText }),
  id: "text-cli",
  aliases: [],
  traits: { ...claude.traits, ownTools: "restrict" },
};
const pureTextCli: Provider = { ...textCli, id: "pure", traits: { ...claude.traits, ownTools: "off" } };

function hasActed(provider: Provider, code: FailureCode, mode: "agent" | "completion"): boolean {
  return mayHaveActed(provider, { prompt: "Hello", mode }, createFailure(code, "It failed."));
}

it("an agent whose format does not report tools may have acted once it was started", () => {
  expect(hasActed(textCli, "no-terminal-event", "agent")).toBe(true);
  expect(hasActed(textCli, "rate-limited", "agent")).toBe(true);
  expect(hasActed(pureTextCli, "crashed", "agent")).toBe(true);
  expect(hasActed(textCli, "start-failed", "agent")).toBe(false);
});

it("a model whose tools cannot be switched off may have acted, unless its service refused the request", () => {
  expect(hasActed(textCli, "no-terminal-event", "completion")).toBe(true);
  expect(hasActed(textCli, "server-error", "completion")).toBe(true);
  expect(hasActed(textCli, "rate-limited", "completion")).toBe(false);
  expect(hasActed(textCli, "not-logged-in", "completion")).toBe(false);
});

it("a model without tools has not acted, and neither has a CLI that reports its tools", () => {
  expect(hasActed(pureTextCli, "no-terminal-event", "completion")).toBe(false);
  expect(hasActed(claude, "no-terminal-event", "agent")).toBe(false);
});
