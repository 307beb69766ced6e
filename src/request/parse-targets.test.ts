import { describe, expect, it } from "vitest";
import { parseTarget, parseTargets } from "./targets.ts";

describe("a target", () => {
  it.each([
    ["claude", { provider: "claude" }],
    ["claude/opus", { provider: "claude", model: "opus" }],
    ["opencode/vendor/model", { provider: "opencode", model: "vendor/model" }],
  ])("%s is read as provider and model", (target, read) => {
    expect(parseTarget(target)).toEqual(read);
  });

  it("that is an object is returned unchanged", () => {
    const target = { provider: "claude", model: "opus", profile: "/home/ada/.claude-work" };
    expect(parseTarget(target)).toBe(target);
  });

  it.each([
    ["claude/", 'The target "claude/" has no model after its slash.'],
    ["claude/ ", 'The target "claude/ " has no model after its slash.'],
    ["/opus", 'The target "/opus" has no provider before its slash.'],
    ["/", 'The target "/" has no provider before its slash.'],
  ])("%j is incomplete: the TypeError names the missing half", (target, message) => {
    expect(() => parseTarget(target)).toThrow(new TypeError(message));
  });

  it.each<[string, unknown, RegExp]>([
    ["an empty text", "", /id\/model, or an object with a provider/],
    ["a text of blanks", "  ", /id\/model, or an object with a provider/],
    ["null", null, /id\/model, or an object with a provider/],
    ["an object with an empty provider", { provider: "" }, /id\/model, or an object with a provider/],
    ["an object with a number as model", { provider: "claude", model: 5 }, /The model of a target must be a string/],
    ["an object with a blank model", { provider: "claude", model: " " }, /The model of a target is blank/],
    ["an object with a list as profile", { provider: "claude", profile: [] }, /The profile of a target must be a string/],
  ])("%s is no target: a TypeError is thrown", (_name, target, message) => {
    const read = (): unknown => Reflect.apply(parseTarget, undefined, [target]);
    expect(read).toThrow(TypeError);
    expect(read).toThrow(message);
  });
});

describe("targets", () => {
  it("are one or several, in order", () => {
    expect(parseTargets("claude/opus")).toEqual([{ provider: "claude", model: "opus" }]);
    expect(parseTargets(["codex", { provider: "claude" }])).toEqual([{ provider: "codex" }, { provider: "claude" }]);
  });

  it("are at least one, and each is complete", () => {
    expect(() => parseTargets([])).toThrow(new TypeError("A run needs at least one target."));
    expect(() => parseTargets(["codex", "claude/"])).toThrow(/"claude\/" has no model/);
  });
});
