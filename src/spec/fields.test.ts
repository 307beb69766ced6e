import { expect, test } from "vitest";
import { didYouMean, nearestName } from "./fields.ts";

const IDS = ["claude", "codex", "gemini", "glm", "grok", "grok-vibe", "rehearsal"];

test.each([
  ["rehersal", "rehearsal"],
  ["cluade", "claude"],
  ["Codx", "codex"],
  ["grok-vibes", "grok-vibe"],
  ["gml", "glm"],
])("%s is close to %s", (name, nearest) => {
  expect(nearestName(name, IDS)).toBe(nearest);
  expect(didYouMean(name, IDS)).toBe(`Did you mean ${nearest}?`);
});

test.each(["nobody", "x", "", "gpt", "claude-code-for-me", "a".repeat(100_000)])("%.20s is close to none", (name) => {
  expect(nearestName(name, IDS)).toBeUndefined();
  expect(didYouMean(name, IDS)).toBe("");
});

test("of two the closer one is meant, and the same letters in another case count as equal", () => {
  expect(nearestName("opus-4.8", ["opus-4.6", "OPUS-4.8"])).toBe("OPUS-4.8");
});
