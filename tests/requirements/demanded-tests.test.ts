import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const sources = readdirSync(import.meta.dirname)
  .filter((name) => /^adapter-.*\.test\.ts$/.test(name))
  .map((name) => readFileSync(join(import.meta.dirname, name), "utf8"));
const numbersInTitles = new Set(
  sources.flatMap((source) =>
    [...source.matchAll(/["`]((?:R\d+ )+)[^"`\n]+["`]/g)].flatMap(([, numbers = ""]) => numbers.trim().split(" ")),
  ),
);

/** The subjects of the demanded tests, each with the requirement whose tests show it. */
const DEMANDED = [
  ["R49", "factory", "R27"],
  ["R49", "arguments", "R33"],
  ["R49", "XML by default", "R34"],
  ["R49", "text on request", "R35"],
  ["R49", "--model", "R28"],
  ["R49", "cliPath", "R29"],
  ["R49", "errors", "R43"],
  ["R49", "one call, several, none", "R40"],
  ["R49", "tools in the prompt", "R36"],
  ["R49", "timeout", "R30"],
  ["R49", "maxBuffer", "R31"],
  ["R50", "mixed transcript", "R13"],
  ["R50", "names by call id", "R19"],
  ["R50", "unknown", "R20"],
  ["R50", "escaping", "R21"],
  ["R50", "pass-through", "R22"],
  ["R50", "iteration", "R16"],
  ["R50", "labels", "R10"],
  ["R50", "separators", "R11"],
  ["R50", "a block of calls", "R23"],
  ["R50", "no block, malformed JSON", "R24"],
  ["R50", "missing id", "R25"],
  ["R50", "several calls", "R26"],
  ["R65", "factory", "R52"],
  ["R65", "arguments", "R54"],
  ["R65", "--model, cliPath", "R53"],
  ["R65", "errors", "R62"],
  ["R65", "calls and plain text", "R61"],
  ["R65", "tools in the prompt", "R56"],
] as const;

test.each(DEMANDED)("%s the demanded test of %s is one of %s", (_, __, shownBy) => {
  expect([...numbersInTitles]).toContain(shownBy);
});

test("R49 R50 R65 no demanded test replaces a module: the programs are real child processes", () => {
  expect(sources.length).toBeGreaterThan(8);
  expect(sources.filter((source) => /\bvi\.(?:mock|doMock|spyOn)\(/.test(source))).toEqual([]);
});

test("R51 what every change has to pass runs the tests, the type check and the build", () => {
  const ci = readFileSync(join(root, ".ci/run"), "utf8");
  const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  expect(ci).toMatch(/^set -euo pipefail$/m);
  expect(ci).toMatch(/^test_command="npm test"$/m);
  expect(ci).toMatch(/^if ! \$test_command; then\n(?: .*\n)+? {2}exit 1$/m);
  for (const name of ["check", "check:package"]) expect(ci).toContain(`npm run ${name} || fail `);
  expect(scripts["check"]).toContain("&& tsc -p . &&");
  expect(scripts["check:package"]).toMatch(/^npm run build &&/);
});
