import type { ModelWords } from "../spec/provider/provider-facts.ts";

/** Words in model names of every vendor that do not distinguish models. */
const COMMON_WORDS: readonly string[] = ["latest", "preview"];
const NO_WORDS: ModelWords = { brands: [], families: [] };

/** The words before "limit" that may name a model: "your Opus 4 weekly limit". */
const BEFORE_LIMIT = /((?:[\w.-]+ ){1,4})(?:limit|quota)\b/gi;

/** True if the message of a used-up quota is about the requested model, not about the whole account. */
export function isAboutModel(message: string, model: string, { brands, families }: ModelWords = NO_WORDS): boolean {
  const name = model.toLowerCase();
  const common = [...COMMON_WORDS, ...brands];
  if (/\bthis model\b/i.test(message)) return true;
  if (wordsIn(message).includes(name) && ![...common, ...families].includes(name)) return true;
  const specific = name.split(/[^a-z]+/).filter((part) => part.length > 2 && !common.includes(part));
  return wordsBeforeLimit(message).some((word) => specific.includes(word));
}

/** True if the message names a family of models, whichever model was requested. */
export function namesFamily(message: string, { families }: ModelWords = NO_WORDS): boolean {
  return wordsBeforeLimit(message).some((word) => families.includes(word));
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
