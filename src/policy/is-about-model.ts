/** Words in model names that do not distinguish models. */
const COMMON_WORDS: ReadonlySet<string> = new Set([
  ...["claude", "gpt", "codex", "gemini", "qwen", "grok", "glm", "models", "latest", "preview"],
  ...["openai", "anthropic", "google", "xai"],
]);

/** The words before "limit" that may name a model: "your Opus 4 weekly limit". */
const BEFORE_LIMIT = /((?:[\w.-]+ ){1,4})(?:limit|quota)\b/gi;

const FAMILIES: ReadonlySet<string> = new Set(["opus", "sonnet", "haiku", "flash", "pro"]);

/** True if the message of a used-up quota is about the requested model, not about the whole account. */
export function isAboutModel(message: string, model: string): boolean {
  const name = model.toLowerCase();
  if (/\bthis model\b/i.test(message)) return true;
  if (wordsIn(message).includes(name) && !COMMON_WORDS.has(name) && !FAMILIES.has(name)) return true;
  const specific = name.split(/[^a-z]+/).filter((part) => part.length > 2 && !COMMON_WORDS.has(part));
  return wordsBeforeLimit(message).some((word) => specific.includes(word));
}

/** True if the message names a family of models, whichever model was requested. */
export function namesFamily(message: string): boolean {
  return wordsBeforeLimit(message).some((word) => FAMILIES.has(word));
}

function wordsBeforeLimit(message: string): readonly string[] {
  return [...message.matchAll(BEFORE_LIMIT)].flatMap(([, before = ""]) => wordsIn(before));
}

function wordsIn(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[^\w.:/-]+|[.:](?=\s|$)/)
    .filter((word) => word !== "");
}
