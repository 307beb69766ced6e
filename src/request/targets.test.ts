import { describe, expect, it } from "vitest";
import { builtinProviders } from "../clis/index.ts";
import type { Target, TargetChoice } from "../spec/request.ts";
import { type Names, resolveTargets, targetsOf } from "./targets.ts";

const names: Names = {
  providers: builtinProviders,
  aliases: { best: "claude/opus, codex", "gpt-4o": "codex", broken: "claude,nope", loop: "loop" },
};

function read(choice: TargetChoice | readonly TargetChoice[], known: Names = names) {
  const found = resolveTargets(choice, known);
  return "code" in found ? found : targetsOf(found);
}

describe("a name", () => {
  it.each<[string, readonly Target[]]>([
    ["claude", [{ provider: "claude" }]],
    ["claude-code/sonnet", [{ provider: "claude", model: "sonnet" }]],
    ["opencode/openai/gpt-5", [{ provider: "opencode", model: "openai/gpt-5" }]],
    ["claude/opus,codex", [{ provider: "claude", model: "opus" }, { provider: "codex" }]],
    [" claude , codex ", [{ provider: "claude" }, { provider: "codex" }]],
    ["best", [{ provider: "claude", model: "opus" }, { provider: "codex" }]],
    ["gemini,best", [{ provider: "gemini" }, { provider: "claude", model: "opus" }, { provider: "codex" }]],
    ["claude-opus-4-5-20251101", [{ provider: "claude", model: "claude-opus-4-5-20251101" }]],
    ["gpt-5.5", [{ provider: "codex", model: "gpt-5.5" }]],
    ["o3-mini", [{ provider: "codex", model: "o3-mini" }]],
    ["gemini-2.5-pro", [{ provider: "gemini", model: "gemini-2.5-pro" }]],
    ["grok-4.6", [{ provider: "grok", model: "grok-4.6" }]],
    ["qwen3-coder-plus", [{ provider: "qwen", model: "qwen3-coder-plus" }]],
    ["glm-4.7", [{ provider: "glm", model: "glm-4.7" }]],
    ["gpt-4o", [{ provider: "codex" }]],
  ])("%s", (name, targets) => {
    expect(read(name)).toEqual(targets);
  });

  it.each(["", " ", "nope", "claude/", "claude/ ", "/opus", "/", "claude,", "broken", "loop", "toString", "__proto__"])(
    "%j means nothing",
    (name) => {
      expect(read(name)).toMatchObject({ code: "provider-unknown", category: "configuration" });
    },
  );

  it.each([
    ["nope/x", 'There is no provider or model "nope/x".'],
    ["claude,nope", 'There is no provider or model "nope" (in "claude,nope").'],
    ["broken", 'There is no provider or model "nope" (in "broken").'],
    ["claude,,codex", 'The name of a provider or model is empty (in "claude,,codex").'],
    ["claude/ ", 'The name "claude/" has no model after its slash (in "claude/ ").'],
    ["/opus", 'The name "/opus" has no provider before its slash.'],
    ["x".repeat(501), `The name "${"x".repeat(60)}…" has more than 500 characters.`],
  ])("%s: the failure says which part is unknown", (name, message) => {
    expect(read(name)).toMatchObject({ message });
  });

  it("is answered with the nearest known one", () => {
    expect(read("cluade/opus")).toMatchObject({ hint: expect.stringMatching(/^Did you mean claude\? Choose one of: best, /) });
    expect(read("bset")).toMatchObject({ hint: expect.stringMatching(/^Did you mean best\? /) });
  });

  it("of a vendor's model goes to the first installed CLI", () => {
    const both = builtinProviders.filter(({ id }) => id === "claude" || id === "glm");
    const providers = both.map((one) => ({ ...one, vendorModels: /^claude-/ }));
    expect(read("claude-x", { providers, isInstalled: ({ id }) => id === "glm" })).toEqual([
      { provider: "glm", model: "claude-x" },
    ]);
    expect(read("claude-x", { providers, isInstalled: () => false })).toEqual([{ provider: "claude", model: "claude-x" }]);
  });
});

describe("a target as an object", () => {
  it("is returned unchanged, with the id of its provider", () => {
    const target: Target = { provider: "claude", model: "opus", profile: "/home/ada/.claude-work" };
    expect(read(target)).toEqual([target]);
    expect(read({ ...target, provider: "claude-code" })).toEqual([target]);
  });

  it("names a provider and nothing else", () => {
    for (const provider of ["best", "gpt-5.5", "claude/opus", ""])
      expect(read({ provider })).toMatchObject({ code: "provider-unknown" });
  });
});

it("a list may have chains, names and objects", () => {
  expect(read(["claude,codex", { provider: "gemini" }])).toEqual([
    { provider: "claude" },
    { provider: "codex" },
    { provider: "gemini" },
  ]);
  expect(() => read([])).toThrow(new TypeError("A run needs at least one target."));
});

it.each<[string, unknown, RegExp]>([
  ["null", null, /or an object with a provider/],
  ["a number", 5, /or an object with a provider/],
  ["an object with a number as model", { provider: "claude", model: 5 }, /The model of a target must be a string/],
  ["an object with a blank model", { provider: "claude", model: " " }, /The model of a target is blank/],
  ["an object with a list as profile", { provider: "claude", profile: [] }, /The profile of a target must be a string/],
])("%s is no target: a TypeError is thrown", (_name, target, message) => {
  expect(() => read(target as Target)).toThrow(TypeError);
  expect(() => read(target as Target)).toThrow(message);
});
