import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeTree, runCheck } from "./run-check.ts";

describe("the report of times", () => {
  test("shows the ten slowest files of each report, the slowest first", async () => {
    const root = await makeTree(reportOf("tests/f", 12));
    const { passed, output } = await runCheck("report-times.ts", root);
    expect(passed).toBe(true);
    expect(output[0]).toBe("reports/test-results.json: the slowest of 12 files");
    expect(output.slice(1)).toEqual(
      Array.from({ length: 10 }, (_, index) => `${`${12 - index}.0`.padStart(7)} s  tests/f${12 - index}.test.ts`),
    );
  });

  test.for([
    ["840", true, "everything took 840 s, within the budget of 840 s"],
    ["841", true, "everything took 841 s, over the budget of 840 s"],
    ["4200", true, "everything took 4200 s, over the budget of 840 s"],
    ["4201", false, "everything took 4201 s, more than five times the budget of 840 s"],
    ["soon", false, "everything took NaN s, more than five times the budget of 840 s"],
  ] as const)("compares %s seconds with the budget", async ([taken, isGood, line]) => {
    const { passed, output } = await runCheck("report-times.ts", "--taken", taken, await makeTree({ "reports/none": "" }));
    expect({ passed, last: output.at(-1) }).toEqual({ passed: isGood, last: line });
  });

  test("--write stores whole seconds, and removes files that no longer exist", async () => {
    const known = { "tests/file-seconds.json": '{"tests/gone.test.ts":4,"tests/real.test.ts":9}', "tests/real.test.ts": "" };
    const root = await makeTree({ ...reportOf("tests/f", 2), ...known, "tests/f1.test.ts": "", "tests/f2.test.ts": "" });
    expect(await runCheck("report-times.ts", "--write", root)).toMatchObject({ passed: true });
    const written: unknown = JSON.parse(await readFile(join(root, "tests/file-seconds.json"), "utf8"));
    expect(written).toEqual({ "tests/f1.test.ts": 1, "tests/f2.test.ts": 2, "tests/real.test.ts": 9 });
  });
});

/** A report in which the n-th file took n seconds. */
function reportOf(name: string, files: number): Record<string, string> {
  const testResults = Array.from({ length: files }, (_, index) => ({
    name: `${name}${index + 1}.test.ts`,
    startTime: 5000,
    endTime: 5000 + (index + 1) * 1000,
  }));
  return { "reports/test-results.json": JSON.stringify({ success: true, testResults }) };
}
