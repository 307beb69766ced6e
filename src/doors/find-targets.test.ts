import { expect, it } from "vitest";
import { builtinProviders } from "../clis/index.ts";
import { findTargets, type ModelNames } from "./find-targets.ts";

const names: ModelNames = {
  providers: builtinProviders,
  aliases: { best: "claude/opus, codex", "gpt-4o": "codex", broken: "claude,nope" },
};

it.each([
  ["claude", [{ provider: "claude" }]],
  ["claude-code/sonnet", [{ provider: "claude", model: "sonnet" }]],
  ["opencode/openai/gpt-5", [{ provider: "opencode", model: "openai/gpt-5" }]],
  ["claude/opus,codex", [{ provider: "claude", model: "opus" }, { provider: "codex" }]],
  ["best", [{ provider: "claude", model: "opus" }, { provider: "codex" }]],
  ["claude-opus-4-5-20251101", [{ provider: "claude", model: "claude-opus-4-5-20251101" }]],
  ["gpt-5.5", [{ provider: "codex", model: "gpt-5.5" }]],
  ["o3-mini", [{ provider: "codex", model: "o3-mini" }]],
  ["gemini-2.5-pro", [{ provider: "gemini", model: "gemini-2.5-pro" }]],
  ["grok-4.6", [{ provider: "grok", model: "grok-4.6" }]],
  ["qwen3-coder-plus", [{ provider: "qwen", model: "qwen3-coder-plus" }]],
  ["glm-4.7", [{ provider: "glm", model: "glm-4.7" }]],
  ["gpt-4o", [{ provider: "codex" }]],
])("%s", (name, targets) => {
  expect(findTargets(name, names)).toEqual(targets);
});

it.each(["", "nope", "claude/", "claude,", "broken", "toString", "__proto__"])("%j is no model", (name) => {
  expect(findTargets(name, names)).toMatchObject({ code: "model-unknown", category: "not_found" });
});

it("names what is meant", () => {
  expect(findTargets("cluade/opus", names)).toMatchObject({ hint: expect.stringContaining("claude") });
});

it.each([
  ["nope/x", 'There is no model "nope/x".'],
  ["claude,nope", 'There is no model "nope" (in "claude,nope").'],
  ["broken", 'There is no model "nope" (in "broken").'],
])("says which part of %s is unknown", (name, message) => {
  expect(findTargets(name, names)).toMatchObject({ message: expect.stringContaining(message) });
});

it("asks the first installed CLI of a vendor's model", () => {
  const [claude, ...others] = builtinProviders.filter(({ id }) => id === "claude" || id === "glm");
  const both = { providers: [claude, ...others].flatMap((one) => (one ? [{ ...one, vendorModels: /^claude-/ }] : [])) };
  const target = findTargets("claude-x", { ...both, isInstalled: ({ id }) => id === "glm" });
  expect(target).toEqual([{ provider: "glm", model: "claude-x" }]);
});
