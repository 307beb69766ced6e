import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { requiredWords } from "./required-words.ts";
import { WORDING } from "./weigh-words.ts";

/** The texts of both corpora; those of the second are JSON. */
function readCorpora(): readonly string[] {
  const wild = readFiles("wild-errors/", ".jsonl").flatMap((file) => file.split("\n").filter((line) => line !== ""));
  const cases = readFiles("error-words/", ".json").flatMap((file) => JSON.parse(file) as readonly { readonly input: unknown }[]);
  return [...wild.map((line) => String(JSON.parse(line).text)), ...cases.map(({ input }) => JSON.stringify(input))];
}

function readFiles(name: string, ending: string): readonly string[] {
  const folder = new URL(`../../../tests/contract/${name}`, import.meta.url);
  return readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .map((file) => readFileSync(new URL(file, folder), "utf8"));
}

it.each([
  [/\bRate limit\b/i, ["rate limit"]],
  [/credits?|quota/i, ["credit", "quota"]],
  [/(?:premium |free )?requests? (?:used up|spent)/i, ["request"]],
  [/\b(?:not|never) (?:found|known)\b/, ["found", "known"]],
  [/(?<!\w)per[\s_-]?min(?:ute)?(?!\w)/i, ["per"]],
  [/go+al{2} x*y/, ["go"]],
  [/a\.b\/c\u2019d/, ["a.b/c"]],
  [/(?<name>one)\k<name>|two/, ["one", "two"]],
  [/out of (?:[\w-]+ ){0,3}memory/, ["out of "]],
  [/[|)\]a] end/, [" end"]],
  [/\d{3}|error/, undefined],
  [/\w+/, undefined],
  [/(?:maybe)?/, undefined],
])("every match of %s contains one of %j", (pattern, words) => {
  expect(requiredWords(pattern)).toEqual(words);
});

it("each pattern has required words, and finds one of them in every text of the corpus that it matches", () => {
  const patterns = WORDING.flatMap(({ patterns }) => patterns);
  const texts = readCorpora();
  expect(texts.length).toBeGreaterThan(500);
  const missed = patterns.flatMap((pattern) => {
    const words = requiredWords(pattern);
    if (words === undefined) return [`${pattern} has no required words`];
    const matched = texts.filter((text) => pattern.test(text));
    return matched
      .filter((text) => !words.some((word) => text.toLowerCase().includes(word)))
      .map((text) => `${pattern}: ${text}`);
  });
  expect(missed).toEqual([]);
});
