import { describe, expect, it } from "vitest";
import { atVersion } from "../../../src/launch/find-cli.ts";
import pins from "../../support/real-clis/pinned-clis.json" with { type: "json" };
import type { Exception, MatrixRow } from "../../support/real-clis/rows/matrix-row.ts";

/** The facts about a CLI apart from its runs: its version was checked, and its limitations name each deviation. */
export function describeRow(row: MatrixRow): void {
  const {
    name,
    pin,
    refusedPrompts,
    retriedErrors,
    changedPrompts,
    continues,
    unreachable,
    providerAt,
    version = pins[pin].version,
  } = row;
  const { limitations = [], versionsChecked } = atVersion(providerAt(""), version);
  const exceptions: readonly Exception[] = [
    ...Object.values(refusedPrompts),
    ...Object.values(retriedErrors),
    ...[changedPrompts, continues, unreachable].filter((exception) => exception !== undefined),
  ];

  describe(`facts about real ${name}`, () => {
    it(`the installed version of ${name} is the newest checked one`, () => {
      expect(versionsChecked?.newest).toBe(version);
    });

    it(`the limitations of ${name} name every deviation`, () => {
      const untold = exceptions.filter(({ limitation }) => !limitations.some((sentence) => limitation.test(sentence)));
      expect(untold).toEqual([]);
    });
  });
}
