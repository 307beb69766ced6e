/** The oldest and the newest version of a CLI with which a provider was proven; what lies between is taken to be like them. */
export type VersionRange = { readonly oldest: string; readonly newest: string };

/** Where a version stands against those that were proven: in their range, or outside. */
export type VersionPlace = "checked" | "newer" | "older";

/** Places a version in or outside the range that was proven. */
export function placeVersion(version: string, { oldest, newest }: VersionRange): VersionPlace {
  if (compareVersions(version, newest) > 0) return "newer";
  return compareVersions(version, oldest) < 0 ? "older" : "checked";
}

/** The range in words: one version, or the first and the last. */
export function describeRange({ oldest, newest }: VersionRange): string {
  return oldest === newest ? newest : `${oldest} to ${newest}`;
}

/** Less than zero when the first is the older one; what follows the numbers (`-beta.2`) does not count. */
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
