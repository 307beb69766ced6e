import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const checkout = new URL("../", import.meta.url);
const seconds: Readonly<Record<string, number>> = JSON.parse(readFileSync(new URL("tests/file-seconds.json", checkout), "utf8"));

/** Starts the files that took longest first, by tests/file-seconds.json; a file that was never timed goes before all. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const timeOf = ({ moduleId }: TestSpecification): number => seconds[relative(checkout.pathname, moduleId)] ?? 3600;
    return (await super.sort(files)).toSorted((left, right) => timeOf(right) - timeOf(left));
  }
}
