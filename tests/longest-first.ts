import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const checkout = new URL("../", import.meta.url);
const seconds: Readonly<Record<string, number>> = JSON.parse(readFileSync(new URL("tests/file-seconds.json", checkout), "utf8"));
/** A worker serves one project; files of another project in between would cost a new worker each. */
const projects: readonly string[] = ["alone", "process"];

/** Starts the files that took longest first in each project, by tests/file-seconds.json; a file that was never timed goes before all. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const timeOf = ({ moduleId }: TestSpecification): number => seconds[relative(checkout.pathname, moduleId)] ?? 3600;
    const placeOf = ({ project }: TestSpecification): number => projects.indexOf(project.name);
    return (await super.sort(files)).toSorted((left, right) => placeOf(left) - placeOf(right) || timeOf(right) - timeOf(left));
  }
}
