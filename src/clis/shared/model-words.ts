import type { ModelWords } from "../../spec/provider/provider-facts.ts";

type Vendor = "anthropic" | "openai" | "google" | "alibaba" | "xai" | "zai";

export const MODEL_WORDS: Readonly<Record<Vendor, ModelWords>> = {
  anthropic: { brands: ["anthropic", "claude"], families: ["opus", "sonnet", "haiku"] },
  openai: { brands: ["openai", "gpt", "codex"], families: [] },
  google: { brands: ["google", "gemini", "models"], families: ["flash", "pro"] },
  alibaba: { brands: ["qwen"], families: [] },
  xai: { brands: ["xai", "grok"], families: [] },
  zai: { brands: ["glm"], families: [] },
};

/** The model words of a CLI that offers the models of many vendors. */
export const ALL_MODEL_WORDS: ModelWords = {
  brands: Object.values(MODEL_WORDS).flatMap(({ brands }) => brands),
  families: Object.values(MODEL_WORDS).flatMap(({ families }) => families),
};
