import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const checkout = new URL("../", import.meta.url);
const seconds: Readonly<Record<string, number>> = JSON.parse(readFileSync(new URL("tests/file-seconds.json", checkout), "utf8"));
/** A worker serves one project; files of another project in between would cost a new worker each. */
const projects: readonly string[] = ["alone", "process"];
/** Files that take this long wait most of the time: for processes and clocks. */
const WAITING_SECONDS = 8;
const UNTIMED_SECONDS = 30;

/**
 * Starts the files of each project so that about the same number of waiting files runs at any time. The longest files come first, by tests/file-seconds.json. With all
 * waiting files at the beginning the processors were idle for a tenth of the run.
 */
export class SpreadWaiting extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const all = await super.sort(files);
    const names = new Set(all.map(({ project }) => project.name));
    return [...names]
      .toSorted((one, other) => projects.indexOf(one) - projects.indexOf(other))
      .flatMap((name) => spread(all.filter(({ project }) => project.name === name)));
  }
}

function spread(files: readonly TestSpecification[]): readonly TestSpecification[] {
  const isWaiting = (file: TestSpecification): boolean => timeOf(file) >= WAITING_SECONDS;
  return [...place(files.filter(isWaiting)), ...place(files.filter((file) => !isWaiting(file)))]
    .toSorted((one, other) => one.share - other.share)
    .map(({ file }) => file);
}

/** Each file with the share of the total time that the files before it take. */
function place(files: readonly TestSpecification[]): readonly { readonly file: TestSpecification; readonly share: number }[] {
  const total = files.reduce((sum, file) => sum + timeOf(file), 0);
  let before = 0;
  return files
    .toSorted((one, other) => timeOf(other) - timeOf(one))
    .map((file) => {
      const share = before / total;
      before += timeOf(file);
      return { file, share };
    });
}

function timeOf({ moduleId }: TestSpecification): number {
  return seconds[relative(checkout.pathname, moduleId)] ?? UNTIMED_SECONDS;
}
