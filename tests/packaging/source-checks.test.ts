import { describe, expect, test } from "vitest";
import { type CheckOutcome, makeTree, runCheck } from "./run-check.ts";

describe("the check of the import direction", () => {
  test("allows a layer to import itself, the layers below it and its listed modules", async () => {
    const outcome = await checkSource({
      "run/start.ts": 'import { join } from "node:path";\nimport { spawnChild } from "../process/spawn-child.ts";\n',
      "run/steps/first.ts": 'import type { Plan } from "../start.ts";\nexport * from "../../spec/events.ts";\n',
    });
    expect(outcome).toEqual({ passed: true, output: ["direction: 2 files, 0 against the direction"] });
  });

  test.for([
    ["a type from a layer above", "spec/events.ts", 'import type { Client } from "../client.ts";', "spec", "../client.ts"],
    ["a Node module in the language", "spec/json.ts", 'import { join } from "node:path";', "spec", "node:path"],
    [
      "providers in run",
      "run/start.ts",
      'export { claude } from "../clis/claude/provider.ts";',
      "run",
      "../clis/claude/provider.ts",
    ],
    ["child processes outside process", "cli/main.ts", 'import "node:child_process";', "cli", "node:child_process"],
    ["a package of another layer", "run/start.ts", 'import color from "picocolors";', "run", "picocolors"],
    [
      "a layer above when needed",
      "dialects/a.ts",
      'const late = await import("../run/start.ts");',
      "dialects",
      "../run/start.ts",
    ],
    ["over several lines", "process/a.ts", 'import {\n  one,\n  two,\n} from "../run/b.ts";', "process", "../run/b.ts"],
  ] as const)("refuses %s", async ([, file, source, layer, specifier]) => {
    const outcome = await checkSource({ [file]: `${source}\n` });
    expect(outcome.passed).toBe(false);
    expect(outcome.output).toContain(`src/${file}: ${layer} must not import ${specifier}`);
  });

  test("refuses files that import one another in a circle, even for types alone", async () => {
    const outcome = await checkSource({
      "run/a.ts": 'import { b } from "./b.ts";\n',
      "run/b.ts": 'import { c } from "./c.ts";\n',
      "run/c.ts": 'import type { A } from "./a.ts";\n',
      "run/d.ts": 'import { a } from "./a.ts";\n',
    });
    expect(outcome.passed).toBe(false);
    expect(outcome.output).toContain("src: these import one another in a circle: run/a.ts, run/b.ts, run/c.ts");
  });

  test("refuses a folder that is no layer", async () => {
    const outcome = await checkSource({ "helpers/a.ts": "export const a = 1;\n" });
    expect(outcome.passed).toBe(false);
    expect(outcome.output[0]).toContain("helpers is not a layer");
  });

  test("does not check test files", async () => {
    const outcome = await checkSource({
      "spec/events.ts": "export const a = 1;\n",
      "spec/events.test.ts": 'import { claude } from "../clis/claude/provider.ts";\n',
    });
    expect(outcome.passed).toBe(true);
  });

  test("fails if there is nothing to check", async () => {
    expect(await checkSource({})).toMatchObject({ passed: false });
  });
});

describe("the check of file sizes", () => {
  test("allows a file of 250 lines", async () => {
    const root = await makeTree({ "src/a.ts": "//\n".repeat(250) });
    expect(await runCheck("check-file-size.ts", root)).toEqual({ passed: true, output: ["file size: 1 files, 0 too long"] });
  });

  test("refuses a file with 251 lines, in tests too", async () => {
    const root = await makeTree({ "tests/deep/a.ts": "//\n".repeat(251) });
    const outcome = await runCheck("check-file-size.ts", root);
    expect(outcome).toMatchObject({ passed: false });
    expect(outcome.output).toContain("tests/deep/a.ts has 251 lines; the ceiling is 250");
  });
});

describe("the check of the tests", () => {
  const page = "Here: `tests/e2e/policies`, `tests/gateway`, `src/run`.\n";
  const tree = {
    "docs/tests.md": page,
    "tests/e2e/policies/retry.test.ts": 'import { until } from "../../support/until.ts";\n',
    "tests/gateway/access.test.ts": "//\n",
    "tests/support/until.ts": "//\n",
    "src/run/run.test.ts": "//\n",
  };

  test.for([
    ["a page that names every folder", {}, []],
    ["a path that does not exist", { "docs/tests.md": `${page}\`tests/gone.test.ts\`\n` }, ["names tests/gone.test.ts"]],
    ["a folder that the page leaves out", { "tests/e2e/warm/warm.test.ts": "//\n" }, ["does not name tests/e2e/warm"]],
    ["a room that the page leaves out", { "src/ask/ask.test.ts": "//\n" }, ["does not name src/ask"]],
    ["an import from another folder", { "tests/gateway/a.ts": 'import "../e2e/b.ts";\n' }, ["imports tests/e2e/b.ts"]],
    ["a suite on the real CLIs", { "tests/real/a.ts": 'import { b } from "../e2e/b.ts";\n' }, []],
    [
      "a full folder",
      Object.fromEntries(Array.from({ length: 20 }, (_, number) => [`tests/support/${number}.ts`, "//\n"])),
      ["tests/support has 21 files"],
    ],
  ] as const)("%s", async ([, more, words]) => {
    const outcome = await runCheck("check-tests.ts", await makeTree({ ...tree, ...more }));
    expect(outcome.passed).toBe(words.length === 0);
    expect(outcome.output).toHaveLength(words.length + 1);
    expect(outcome.output.slice(0, -1)).toEqual(words.map((word) => expect.stringContaining(word)));
  });
});

async function checkSource(files: Readonly<Record<string, string>>): Promise<CheckOutcome> {
  const named = Object.entries(files).map(([file, text]) => [`src/${file}`, text]);
  return runCheck("check-direction.ts", await makeTree(Object.fromEntries(named)));
}
