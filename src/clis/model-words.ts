import type { ModelWords } from "../spec/provider-facts.ts";

type Vendor = "anthropic" | "openai" | "google" | "alibaba" | "xai" | "zai";

/** The words in the names of models, by vendor. */
export const MODEL_WORDS: Readonly<Record<Vendor, ModelWords>> = {
  anthropic: { brands: ["anthropic", "claude"], families: ["opus", "sonnet", "haiku"] },
  openai: { brands: ["openai", "gpt", "codex"], families: [] },
  google: { brands: ["google", "gemini", "models"], families: ["flash", "pro"] },
  alibaba: { brands: ["qwen"], families: [] },
  xai: { brands: ["xai", "grok"], families: [] },
  zai: { brands: ["glm"], families: [] },
};

/** The words of a CLI for the models of many vendors. */
export const ALL_MODEL_WORDS: ModelWords = {
  brands: Object.values(MODEL_WORDS).flatMap(({ brands }) => brands),
  families: Object.values(MODEL_WORDS).flatMap(({ families }) => families),
};
