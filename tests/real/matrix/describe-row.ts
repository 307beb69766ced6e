import { describe, expect, it } from "vitest";
import { atVersion } from "../../../src/run/at-version.ts";
import type { Exception, MatrixRow } from "../clis/matrix-row.ts";
import pins from "../pinned-clis.json" with { type: "json" };

/** What is said of a CLI beside its runs: its version was checked, and its users are told of each exception. */
export function describeRow(row: MatrixRow): void {
  const {
    name,
    pin,
    refusedPrompts,
    retriedErrors,
    changedPrompts,
    goesOn,
    unreachable,
    providerAt,
    version = pins[pin].version,
  } = row;
  const { limitations = [], versionsChecked } = atVersion(providerAt(""), version);
  const exceptions: readonly Exception[] = [
    ...Object.values(refusedPrompts),
    ...Object.values(retriedErrors),
    ...[changedPrompts, goesOn, unreachable].filter((exception) => exception !== undefined),
  ];

  describe(`what is known of real ${name}`, () => {
    it(`the version of ${name} that is installed here is the newest that was checked`, () => {
      expect(versionsChecked?.newest).toBe(version);
    });

    it(`the users of ${name} are told of every exception`, () => {
      const untold = exceptions.filter(({ limitation }) => !limitations.some((sentence) => limitation.test(sentence)));
      expect(untold).toEqual([]);
    });
  });
}
