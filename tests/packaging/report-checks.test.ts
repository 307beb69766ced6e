import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeTree, runCheck } from "./run-check.ts";

type Case = readonly [title: string, status: string];

describe("the check of the test report", () => {
  test("passes when every test passed, and counts on its last line", async () => {
    const root = await makeTree(
      reportOf([
        ["one", "passed"],
        ["two", "passed"],
      ]),
    );
    expect(await runCheck("check-test-report.ts", root)).toEqual({ passed: true, output: ["2 passed, 0 failed, 0 skipped"] });
  });

  test.for([
    [
      "a failed test",
      reportOf([
        ["one", "passed"],
        ["two", "failed"],
      ]),
      "1 passed, 1 failed, 0 skipped",
    ],
    [
      "a skipped test",
      reportOf([
        ["one", "passed"],
        ["two", "skipped"],
      ]),
      "1 passed, 0 failed, 1 skipped",
    ],
    [
      "a test still to be written",
      reportOf([
        ["one", "passed"],
        ["two", "todo"],
      ]),
      "1 passed, 0 failed, 1 skipped",
    ],
    ["a run without tests", reportOf([]), "0 passed, 0 failed, 0 skipped"],
    ["a file that could not be run", reportOf([["one", "passed"]], { brokenFile: true }), "1 passed, 1 failed, 0 skipped"],
    ["an error outside of the tests", reportOf([["one", "passed"]], { success: false }), "1 passed, 0 failed, 0 skipped"],
  ] as const)("fails for %s", async ([, files, lastLine]) => {
    const outcome = await runCheck("check-test-report.ts", await makeTree(files));
    expect(outcome.passed).toBe(false);
    expect(outcome.output.at(-1)).toBe(lastLine);
  });
});

describe("the check of the requirements", () => {
  test("passes when each number has one row and each claim has its test", async () => {
    const page = pageOf({ 2: "met | it lasts", 3: "met | it holds; it lasts", 4: "deviates | for a reason" });
    const cases: Case[] = [
      ["R2 R3 it lasts", "passed"],
      ["R3 it holds", "passed"],
      ["R4 differs", "passed"],
    ];
    const root = await makeTree({ ...page, ...reportOf(cases) });
    const outcome = await runCheck("check-requirements.ts", root);
    expect(outcome).toEqual({ passed: true, output: ["requirements: 206 rows, 2 met, 1 deviates, 203 pending"] });
  });

  test.for([
    ["a row that is missing", { 7: "" }, [], "R7 has no row"],
    ["a row that is there twice", { 7: "pending | |\n| R7 | text | pending |" }, [], "R7 has two rows"],
    ["a number too high", { 7: "pending | |\n| R207 | text | pending |" }, [], "R207 is not a requirement"],
    ["an unknown status", { 7: "done |" }, [], 'R7 has the unknown status "done"'],
    ["a deviation without a reason", { 7: "deviates |" }, [], "R7 deviates without a reason"],
    ["a claim without a test", { 7: "met | it holds" }, [["R70 it holds", "passed"]], "R7 is said to be met"],
    ["a claim whose test failed", { 7: "met | it holds" }, [["R7 it holds", "failed"]], "R7 is said to be met"],
    ["titles that are out of date", { 7: "met | it held" }, [["R7 it holds", "passed"]], "R7 lists other tests"],
    ["a test of a pending requirement", {}, [["R7 it holds", "passed"]], "R7 is neither met nor deviates"],
  ] as const)("fails for %s", async ([, rows, cases, problem]) => {
    const outcome = await runCheck("check-requirements.ts", await makeTree({ ...pageOf(rows), ...reportOf(cases) }));
    expect(outcome.passed).toBe(false);
    expect(outcome.output.join("\n")).toContain(problem);
  });

  test("writes the titles of tests into the rows that are met and changes nothing else", async () => {
    const root = await makeTree({ ...pageOf({ 7: "met |", 8: "deviates | why" }), ...reportOf([["R7 a | b holds", "passed"]]) });
    expect(await runCheck("check-requirements.ts", "--write", root)).toMatchObject({ passed: true });
    const expected = pageOf({ 7: "met | a \\| b holds", 8: "deviates | why" })["docs/requirements.md"];
    expect(await readFile(join(root, "docs/requirements.md"), "utf8")).toBe(expected);
  });
});

function reportOf(cases: readonly Case[], options: { brokenFile?: boolean; success?: boolean } = {}): Record<string, string> {
  const assertionResults = cases.map(([title, status]) => ({ title, fullName: `suite ${title}`, status }));
  const success =
    options.success ?? (options.brokenFile !== true && cases.length > 0 && cases.every(([, status]) => status !== "failed"));
  const testResults = [
    {
      name: "a.test.ts",
      status: cases.some(([, status]) => status === "failed") ? "failed" : "passed",
      message: "",
      assertionResults,
    },
    ...(options.brokenFile ? [{ name: "b.test.ts", status: "failed", message: "cannot import", assertionResults: [] }] : []),
  ];
  return { "reports/test-results.json": JSON.stringify({ success, testResults }) };
}

/** A page with 206 pending rows, except for the rows given: status and evidence, or nothing to leave the row out. */
function pageOf(changes: Readonly<Record<number, string>>): Record<string, string> {
  const rows = Array.from({ length: 206 }, (_, index) => {
    const change = changes[index + 1] ?? "pending |";
    return change === "" ? [] : [`| R${index + 1} | text | ${change} |`];
  });
  return { "docs/requirements.md": ["# Requirements", "", ...rows.flat(), ""].join("\n") };
}
