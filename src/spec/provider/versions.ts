/**
 * The oldest and the newest version of a CLI that a provider was tested with; versions between them are assumed to work alike.
 */
export type VersionRange = { readonly oldest: string; readonly newest: string };

/** Whether a version is inside the tested range, newer or older. */
export type VersionPlace = "checked" | "newer" | "older";

/** Compares a version with the tested range. */
export function placeVersion(version: string, { oldest, newest }: VersionRange): VersionPlace {
  if (compareVersions(version, newest) > 0) return "newer";
  return compareVersions(version, oldest) < 0 ? "older" : "checked";
}

/** The range as text: one version, or the first and the last. */
export function describeRange({ oldest, newest }: VersionRange): string {
  return oldest === newest ? newest : `${oldest} to ${newest}`;
}

/** Negative when the first version is older. Suffixes such as `-beta.2` are ignored. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [numbersOf(one), numbersOf(other)];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function numbersOf(version: string): readonly number[] {
  return (/^\d+(?:\.\d+)*/.exec(version)?.[0] ?? "0").split(".").map(Number);
}
