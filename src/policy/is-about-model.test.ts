import { expect, it } from "vitest";
import { ALL_MODEL_WORDS, MODEL_WORDS } from "../clis/shared/model-words.ts";
import { isAboutModel, namesFamily } from "./quota-memory.ts";

it.each([
  ["You have exhausted your daily quota on this model.", "gemini-3-pro"],
  ["You've hit your Opus limit · resets Dec 1 at 1pm", "claude-opus-4-5"],
  ["You've hit your Opus 4 weekly limit", "opus"],
  ["Usage limit for gpt-5.5-codex was met.", "gpt-5.5-codex"],
])("%j is about %s", (message, model) => {
  expect(isAboutModel(message, model, ALL_MODEL_WORDS)).toBe(true);
});

it.each([
  ["You've hit your usage limit. Upgrade to Pro (https://example.com/pro).", "pro"],
  ["You've hit your limit · resets 3pm (Europe/Berlin)", "claude-opus-4-5"],
  ["You've hit your Opus limit", "claude-sonnet-4-5"],
  ["The limit of gpt-5-codex was met", "gpt-5"],
  ["Claude AI usage limit reached|1790000000", "claude"],
  ["You've hit your usage limit.", ""],
])("%j is not about %s alone", (message, model) => {
  expect(isAboutModel(message, model, ALL_MODEL_WORDS)).toBe(false);
});

it("a family before a limit is named, whichever model was asked for; a plan of that name is not", () => {
  expect(namesFamily("You've hit your Opus limit · resets Dec 1 at 1pm", MODEL_WORDS.anthropic)).toBe(true);
  expect(namesFamily("You've hit your usage limit. Upgrade to Pro to go on.", MODEL_WORDS.google)).toBe(false);
});

it("the families are those of the CLI: Codex has none, and its Pro limit is that of the account", () => {
  expect(namesFamily("You've hit your Pro limit", MODEL_WORDS.google)).toBe(true);
  expect(namesFamily("You've hit your Pro limit", MODEL_WORDS.openai)).toBe(false);
});
