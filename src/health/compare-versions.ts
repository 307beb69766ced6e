/** Where a version stands against those that were checked: between the first and the last of them, or outside. */
export type VersionPlace = "checked" | "newer" | "older";

/** Places a version among those that were checked; anything is right where none was. */
export function placeVersion(version: string, checked: readonly string[]): VersionPlace {
  const sorted = checked.toSorted(compareVersions);
  const [oldest, newest] = [sorted[0], sorted.at(-1)];
  if (oldest === undefined || newest === undefined) return "checked";
  if (compareVersions(version, newest) > 0) return "newer";
  return compareVersions(version, oldest) < 0 ? "older" : "checked";
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
