import type { ModelWords } from "../spec/provider-facts.ts";

/** Words in the names of models that do not tell one from another, whoever makes them. */
const NOT_TELLING: readonly string[] = ["latest", "preview"];
const NO_WORDS: ModelWords = { brands: [], families: [] };

/** The words before a limit that may say whose it is: "your Opus 4 weekly limit". */
const BEFORE_LIMIT = /((?:[\w.-]+ ){1,4})(?:limit|quota)\b/gi;

/** Whether the words of a spent quota are about the model that was asked for, and not about the whole account. */
export function isAboutModel(message: string, model: string, { brands, families }: ModelWords = NO_WORDS): boolean {
  const name = model.toLowerCase();
  const notTelling = [...NOT_TELLING, ...brands];
  if (/\bthis model\b/i.test(message)) return true;
  if (wordsIn(message).includes(name) && ![...notTelling, ...families].includes(name)) return true;
  const telling = name.split(/[^a-z]+/).filter((part) => part.length > 2 && !notTelling.includes(part));
  return wordsBeforeLimit(message).some((word) => telling.includes(word));
}

/** Whether the words name a family of models, whichever was asked for. */
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
