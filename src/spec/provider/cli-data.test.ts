import { expect, it } from "vitest";
import { compareVersions, describeRange, placeVersion } from "./cli-data.ts";

it.each([
  ["2.1.197", "2.1.197", "2.1.197", "checked"],
  ["2.1.198", "2.1.197", "2.1.197", "newer"],
  ["2.2", "2.1.197", "2.1.197", "newer"],
  ["10.0.0", "9.9.9", "9.9.9", "newer"],
  ["2.1.9", "2.1.197", "2.1.197", "older"],
  ["1.5.0", "1.0.0", "2.0.0", "checked"],
  ["0.9", "1.0.0", "2.0.0", "older"],
  ["2.0.0-beta.4", "2.0.0", "2.0.0", "checked"],
  ["1.0", "1.0.0", "1.0.0", "checked"],
] as const)("%s against %s to %s is %s", (version, oldest, newest, place) => {
  expect(placeVersion(version, { oldest, newest })).toBe(place);
});

it("versions are compared number by number", () => {
  expect(["1.10.0", "1.9.1", "1.9"].toSorted(compareVersions)).toEqual(["1.9", "1.9.1", "1.10.0"]);
});

it("a range of one version is described as that version", () => {
  expect(describeRange({ oldest: "1.0.0", newest: "1.0.0" })).toBe("1.0.0");
  expect(describeRange({ oldest: "1.0.0", newest: "1.2.0" })).toBe("1.0.0 to 1.2.0");
});
