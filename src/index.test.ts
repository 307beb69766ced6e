import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** The names that a file of public exports has, types and values. */
function namesOf(file: string): readonly string[] {
  const source = readFileSync(new URL(file, import.meta.url), "utf8");
  const lists = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].map(([, list = ""]) => list);
  return lists.flatMap((list) => list.split(",").flatMap((name) => /([\w$]+)\s*$/.exec(name)?.[1] ?? []));
}

it("the root has what a caller needs, in at most ninety names", () => {
  expect(namesOf("index.ts").length).toBeGreaterThan(80);
  expect(namesOf("index.ts").length).toBeLessThanOrEqual(90);
});

it("a name has one place; callers and authors of providers both need JSON", () => {
  const names = ["index.ts", "provider.ts", "compatibility-views/index.ts"].flatMap(namesOf);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual(["JsonObject", "JsonValue"]);
});
