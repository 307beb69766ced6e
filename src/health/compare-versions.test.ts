import { expect, it } from "vitest";
import { compareVersions, placeVersion } from "./compare-versions.ts";

it.each([
  ["2.1.197", ["2.1.197"], "checked"],
  ["2.1.198", ["2.1.197"], "newer"],
  ["2.2", ["2.1.197"], "newer"],
  ["10.0.0", ["9.9.9"], "newer"],
  ["2.1.9", ["2.1.197"], "older"],
  ["1.5.0", ["2.0.0", "1.0.0"], "checked"],
  ["0.9", ["2.0.0", "1.0.0"], "older"],
  ["2.0.0-beta.4", ["2.0.0"], "checked"],
  ["1.0", ["1.0.0"], "checked"],
  ["anything", [], "checked"],
] as const)("%s against %j is %s", (version, checked, place) => {
  expect(placeVersion(version, checked)).toBe(place);
});

it("versions are compared number by number", () => {
  expect(["1.10.0", "1.9.1", "1.9"].toSorted(compareVersions)).toEqual(["1.9", "1.9.1", "1.10.0"]);
});
